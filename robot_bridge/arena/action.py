"""The skill that is running in the arena, and what is to be told of it when it ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from robot_bridge.arena.rover import STEP_M
from robot_bridge.arena.scenarios import Spot
from robot_bridge.recording import EVERY_STEPS, MOST_FRAMES, evenly
from robot_bridge.simulation.running import Running, Skill
from robot_bridge.world import Frame, Step


class Action(Running):
    """`path` is the robot's, each STEP_M."""

    def __init__(self, step: Step, started_s: float, motion: Skill | None, start: Spot) -> None:
        super().__init__(step, motion, start)
        self.started_s = started_s
        self._steps = 0
        self._frames: list[tuple[int, dict[str, bytes]]] = []

    def trace(self, spot: Spot, *, last: bool = False) -> None:
        away_m = math.dist(spot, self._last)
        if away_m >= STEP_M or (last and self.path and away_m > STEP_M / 10):
            self.went(spot)

    def count_step(self) -> None:
        """A step of the world went by in it."""
        self._steps += 1

    def record(self, photograph: Callable[[str], bytes], *, last: bool = False) -> None:
        """A frame of each camera every EVERY_STEPS steps, from the view before it on; `last`: whenever."""
        taken = self._frames[-1][0] if self._frames else None
        if self.step.cameras and taken != self._steps and (last or self._steps % EVERY_STEPS == 0):
            self._frames.append((self._steps, {camera: photograph(camera) for camera in self.step.cameras}))

    def frames(self) -> tuple[Frame, ...]:
        """The view before it, then at most MOST_FRAMES, evenly spaced, the last among them."""
        if not self._frames:
            return ()
        before, seen = self._frames[0], self._frames[1:]
        kept = (before, *evenly(seen, MOST_FRAMES))
        return tuple(Frame(camera, at, png) for at, pngs in kept for camera, png in pngs.items())

    def save(self) -> dict[str, Any]:
        """What is needed to say how far it came. Its pictures and its motion are not kept."""
        return {
            "skill": self.step.skill,
            "arguments": self.step.arguments,
            "started_s": self.started_s,
            "path": list(self.path),
            "last": self._last,
        }

    @classmethod
    def restore(cls, saved: Mapping[str, Any]) -> Action:
        x_m, y_m = saved["last"]
        action = cls(Step(saved["skill"], saved["arguments"]), saved["started_s"], None, (x_m, y_m))
        action.path = [(x_m, y_m) for x_m, y_m in saved["path"]]
        return action
