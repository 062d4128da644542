"""The skill that is running at the table, and what is to be told of it when it ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from robot_bridge.recording import Recorder
from robot_bridge.tabletop.arm import Ending, Skill
from robot_bridge.tabletop.staging import Look
from robot_bridge.world import Step

PATH_EACH_M = 0.02

Spot = tuple[float, float]


class Action:
    """`path`: where the tool has been over the table, each PATH_EACH_M. Recorded where `before` is given.

    `motion` is None in one that was restored: it only ends.
    """

    def __init__(
        self, step: Step, started: int, motion: Skill | None, before: Look | None, spot: Spot
    ) -> None:
        self.step, self.started, self.motion = step, started, motion
        self.path: list[Spot] = []
        self._last = spot
        self.recorder = None if before is None else Recorder(step.cameras, started, before)

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

    def trace(self, spot: Spot) -> None:
        if math.dist(spot, self._last) >= PATH_EACH_M:
            self.path.append((round(spot[0], 3), round(spot[1], 3)))
            self._last = spot

    def save(self) -> dict[str, Any]:
        """Its pictures and its motion are not kept: a restored action only ends."""
        return {
            "skill": self.step.skill,
            "arguments": self.step.arguments,
            "started": self.started,
            "path": list(self.path),
            "last": self._last,
        }

    @classmethod
    def restore(cls, saved: Mapping[str, Any]) -> Action:
        x_m, y_m = saved["last"]
        action = cls(Step(saved["skill"], saved["arguments"]), saved["started"], None, None, (x_m, y_m))
        action.path = [(x_m, y_m) for x_m, y_m in saved["path"]]
        return action
