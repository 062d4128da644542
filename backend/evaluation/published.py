"""What the paper prints, read from `published.yaml`, to stand beside what is measured here."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct


class Figure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A printed mean or share, with its interval where one is printed. `where`: section or table."""

    scenario: str
    method: str
    metric: str
    value: float
    n: int
    where: str
    low: float | None = None
    high: float | None = None


class PrintedDifference(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`method` minus `minus`; `relative` to the latter, as a share, where that is what is printed."""

    scenario: str
    method: str
    minus: str
    metric: str
    value: float
    where: str
    low: float | None = None
    high: float | None = None
    relative: float | None = None


class NotMet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known not to be met: `by` how much at `seeds` seeds, and why. `method` empty: for each."""

    scenario: str
    metric: str
    seeds: int
    by: str
    reason: str
    method: str = ""


class Published(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    source: str
    figures: tuple[Figure, ...]
    differences: tuple[PrintedDifference, ...]
    not_met: tuple[NotMet, ...]

    def figure(self, scenario: str, method: str, metric: str) -> Figure | None:
        wanted = scenario, method, metric
        return next((f for f in self.figures if (f.scenario, f.method, f.metric) == wanted), None)

    def difference(self, scenario: str, method: str, minus: str, metric: str) -> PrintedDifference | None:
        wanted = scenario, method, minus, metric
        return next(
            (d for d in self.differences if (d.scenario, d.method, d.minus, d.metric) == wanted), None
        )

    def shortfall(self, scenario: str, method: str, metric: str) -> NotMet | None:
        """Why our figure is known to differ from the printed one."""
        for each in self.not_met:
            if (each.scenario, each.metric) == (scenario, metric) and each.method in ("", method):
                return each if self.figure(scenario, method, metric) is not None else None
        return None


@cache
def published() -> Published:
    return msgspec.yaml.decode(Path(__file__).with_name("published.yaml").read_bytes(), type=Published)
