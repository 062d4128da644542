"""A skill that a simulated robot carries out: commanded step by step, where it has been, and its ending."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from robot_bridge.world import Step

Spot = tuple[float, float]


class Ending(NamedTuple):
    """`result` and `reason` are the contract's codes."""

    result: str
    reason: str
    message: str


Skill = Generator[None, None, Ending]
"""Each `next` sets the commands for one control step; it ends with what came of it."""


class Running:
    """`motion` is None in one that was restored: it only ends. `path`: where it has been since `start`."""

    def __init__(self, step: Step, motion: Skill | None, start: Spot) -> None:
        self.step, self.motion = step, motion
        self.path: list[Spot] = []
        self._last = start

    def next(self) -> Ending | None:
        """Command the next control step; its ending where there is none."""
        if self.motion is None:
            return None
        try:
            next(self.motion)
        except StopIteration as ended:
            ending: Ending = ended.value
            return ending
        return None

    def stop(self) -> None:
        """It commands nothing any more."""
        if self.motion is not None:
            self.motion.close()
            self.motion = None

    def went(self, spot: Spot) -> None:
        """To the millimetre."""
        self.path.append((round(spot[0], 3), round(spot[1], 3)))
        self._last = spot
