"""The grid's scenarios: how large, how many containers, how unreliable (ADM-Planner, sections V-A, V-B, V-D).

D-10's rates are the midpoints between S-6 and DN-14; the paper does not state them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

Cell = tuple[int, int]

SURVEY_EVERY = 5
"""The drone surveys the whole floor once in so many steps."""
CUSTOM_CODE = 100


class ScenarioError(ValueError):
    """A scenario cannot be played; the text names the field and what would be right."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A square floor of `size` × `size` cells of `cell_m`, with `containers` on it.

    Probabilities: `relocation` per step, `false_report` and `detection` per container and survey,
    `pick_failure` and `place_failure` per step. `latency` of a report and `budget` in steps. `code` seeds
    the tape beside the seed. `known`: how many containers the initial records hold (None: all).
    `obstacles`: how many cells are blocked. `sense_cells`: how far the robot senses, in cells walked
    without obstacles; 0 is its own cell.
    """

    name: str
    size: int
    containers: int
    budget: int
    relocation: float
    false_report: float
    latency: int
    detection: float
    code: int = CUSTOM_CODE
    cell_m: float = 1.0
    pick_failure: float = 0.05
    place_failure: float = 0.0
    known: int | None = None
    obstacles: int = 0
    sense_cells: int = 0

    def __post_init__(self) -> None:
        open_cells = self.size**2 - 2
        bounds: dict[str, tuple[float, float]] = {
            "size": (3, 60),
            "obstacles": (0, open_cells // 3),
            "containers": (1, min(200, open_cells - self.obstacles)),
            "budget": (1, 100_000),
            "latency": (0, 1_000),
            "cell_m": (0.05, 100.0),
            "sense_cells": (0, 2 * self.size),
            **dict.fromkeys(
                ("relocation", "false_report", "detection", "pick_failure", "place_failure"), (0.0, 1.0)
            ),
        }
        if self.known is not None:
            bounds["known"] = (0, self.containers)
        for name, (least, most) in bounds.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise ScenarioError(f"{name} is {value:g}. Give {least:g} to {most:g}.")

    @property
    def surveys(self) -> int:
        return -(-self.budget // SURVEY_EVERY)

    @property
    def is_revealed(self) -> bool:
        """Whether containers come to be known online, and their stations with them (section V-D)."""
        return self.known is not None and self.known < self.containers

    @property
    def station_cells(self) -> tuple[Cell, Cell]:
        return (0, 0), (self.size - 1, self.size - 1)

    @cached_property
    def open_cells(self) -> tuple[Cell, ...]:
        """The cells without a station, row-major with y outer and x inner."""
        return tuple(
            (x, y) for y in range(self.size) for x in range(self.size) if (x, y) not in self.station_cells
        )


SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario(
            name="s-6", size=5, containers=6, budget=80, code=0,
            relocation=0.0, false_report=0.05, latency=2, detection=0.85,
        ),
        Scenario(
            name="d-10", size=7, containers=10, budget=150, code=1,
            relocation=0.0125, false_report=0.175, latency=3, detection=0.765,
        ),
        Scenario(
            name="dn-14", size=8, containers=14, budget=240, code=2,
            relocation=0.025, false_report=0.30, latency=4, detection=0.68,
        ),
        Scenario(
            name="live-6", size=6, containers=6, budget=110, code=3,
            relocation=0.02, false_report=0.25, latency=2, detection=0.80,
        ),
        Scenario(
            name="reveal-5", size=10, containers=5, budget=300, code=4, cell_m=0.5, known=1, obstacles=14,
            relocation=0.01, false_report=0.10, latency=2, detection=0.80, sense_cells=1,
        ),
    )
}  # fmt: skip


def scenario_named(name: str, parameters: Mapping[str, Any] | None = None) -> Scenario:
    """A scenario by name, with `custom` made of `parameters`. Raises ScenarioError."""
    if name == "custom":
        return custom(parameters or {})
    if parameters:
        raise ScenarioError(f"scenario {name} is fixed. Give parameters to scenario custom only.")
    if name not in SCENARIOS:
        raise ScenarioError(f"scenario {name} is unknown. Choose one of {', '.join(SCENARIOS)}, custom.")
    return SCENARIOS[name]


def custom(parameters: Mapping[str, Any]) -> Scenario:
    """DN-14 with other values. Raises ScenarioError for a field that is none or a value that cannot be."""
    allowed = {field.name: field.type for field in fields(Scenario) if field.name not in {"name", "code"}}
    for name, value in parameters.items():
        if name not in allowed:
            raise ScenarioError(f"{name} is no parameter of a scenario. Choose of {', '.join(allowed)}.")
        whole = str(allowed[name]).startswith("int")
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            raise ScenarioError(f"{name} is {value!r}. Give a {'whole ' if whole else ''}number.")
    return Scenario(**{**asdict(SCENARIOS["dn-14"]), "name": "custom", "code": CUSTOM_CODE, **parameters})
