"""The skill that is running at the table, and what is to be told of it when it ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from robot_bridge.recording import Recorder
from robot_bridge.simulation.running import Running, Skill, Spot
from robot_bridge.tabletop.staging import Look
from robot_bridge.world import Step

PATH_EACH_M = 0.02


class Action(Running):
    """`path` is the tool's over the table, each PATH_EACH_M. Recorded where `before` is given."""

    def __init__(
        self, step: Step, started: int, motion: Skill | None, before: Look | None, spot: Spot
    ) -> None:
        super().__init__(step, motion, spot)
        self.started = started
        self.recorder = None if before is None else Recorder(step.cameras, started, before)

    def trace(self, spot: Spot) -> None:
        if math.dist(spot, self._last) >= PATH_EACH_M:
            self.went(spot)

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
