"""What-ifs that last as long as the process: for tests, and held to the databases' contract."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from backend.domain.refusal import Refusal
from backend.sandbox.change import Asked
from backend.sandbox.estimate import Estimate, refuse_estimate
from backend.sandbox.purse import Allowance, Spending, left_of
from backend.sandbox.results import Experiment, Found, Stage, spent_of


class MemoryExperiments:
    """`clock_s` stands for the database's clock."""

    def __init__(self, clock_s: Callable[[], float] = time.time) -> None:
        self._clock_s = clock_s
        self._kept: dict[int, Experiment] = {}

    def begin(self, episode: str, asked: Asked, estimate: Estimate, by: str, day: Allowance) -> int | Refusal:
        refusal = refuse_estimate(estimate, left_of(day, self.spent()))
        if refusal is not None:
            return refusal
        number, now_s = len(self._kept) + 1, self._clock_s()
        self._kept[number] = Experiment(
            id=number, episode=episode, by=by, asked=asked, estimate=estimate, stage="running",
            started_s=now_s, heard_s=now_s,
        )  # fmt: skip
        return number

    def hear(self, number: int, told: str, spent: Spending) -> None:
        self._change(number, told=told, spent=spent)

    def end(self, number: int, stage: Stage, told: str, spent: Spending, found: Found | None) -> None:
        self._change(number, stage=stage, told=told, spent=spent, found=found)

    def one(self, episode: str, number: int) -> Experiment | None:
        kept = self._kept.get(number)
        return kept if kept is not None and kept.episode == episode else None

    def all(self, episode: str) -> Sequence[Experiment]:
        mine = [replace(each, found=None) for each in self._kept.values() if each.episode == episode]
        return mine[::-1]

    def spent(self) -> Spending:
        return spent_of(self._kept.values(), self._clock_s())

    def _change(self, number: int, **changed: object) -> None:
        self._kept[number] = replace(self._kept[number], heard_s=self._clock_s(), **changed)
