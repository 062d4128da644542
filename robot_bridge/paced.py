"""A stepped world whose clock runs: one step of the world a tick, whether or not a skill is running.

Reports and relocations go on while people and planners think; that costs no step of a skill's budget, which
counts what skills took (`Measured.moves`). A step is the world's own, a second of mission time in the grid
and a tenth of one in the arena, however long the tick.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from robot_bridge.world import Clock, KeepsHistory, Measured, Outcome, Refusal, Sighting, Step, World

SHORTEST_TICK_S = 0.01


class PacedWorld:
    """`tick_s`: real seconds a step. Ticks that were missed, by a frozen process say, are not made up for."""

    clock: Clock = "runs"

    def __init__(self, world: World, tick_s: float = 1.0) -> None:
        if not tick_s >= SHORTEST_TICK_S:
            raise ValueError(f"The tick is {tick_s:g} s. Give {SHORTEST_TICK_S:g} s or more.")
        self.tick_s = tick_s
        self._world = world
        self._next_s: float | None = None

    def elapse(self, now_s: float) -> Outcome | None:
        """One step when the tick is over. The first call begins the first tick."""
        if self._next_s is None:
            self._next_s = now_s + self.tick_s
        if now_s < self._next_s:
            return None
        self._next_s += self.tick_s
        if self._next_s <= now_s:
            self._next_s = now_s + self.tick_s
        return self._world.advance()

    def advance(self) -> Outcome | None:
        return self._world.advance()

    @property
    def met_s(self) -> float:
        return self._world.met_s

    def describe(self) -> dict[str, Any]:
        return self._world.describe()

    def check(self, step: Step) -> Refusal | None:
        return self._world.check(step)

    def start(self, step: Step) -> Outcome | None:
        return self._world.start(step)

    def observe(self) -> list[Sighting]:
        return self._world.observe()

    def halt(self, reason: str) -> Outcome | None:
        return self._world.halt(reason)

    def measure(self) -> Measured:
        return self._world.measure()

    def is_still(self) -> bool:
        return self._world.is_still()

    def telemetry(self) -> list[dict[str, Any]]:
        return self._world.telemetry()

    def truth(self, met_s: float) -> Sequence[Mapping[str, Any]]:
        return self._world.truth(met_s)

    def take_history(self) -> list[Any]:
        return self._world.take_history() if isinstance(self._world, KeepsHistory) else []

    def restore_history(self, rows: list[Any]) -> None:
        if isinstance(self._world, KeepsHistory):
            self._world.restore_history(rows)

    def save(self) -> dict[str, Any]:
        return self._world.save()

    def restore(self, saved: dict[str, Any]) -> None:
        self._world.restore(saved)
