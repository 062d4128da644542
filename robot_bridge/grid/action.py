"""The skill that is running in the grid, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from robot_bridge.grid.layout import Scene
from robot_bridge.grid.scenarios import Cell
from robot_bridge.recording import Recorder
from robot_bridge.world import Step


class Ending(NamedTuple):
    result: str
    reason: str
    message: str


class Action:
    """`way`: the cells it enters, in order; `moves`: the steps taken. Recorded where `before` is given."""

    __slots__ = ("moves", "recorder", "started", "step", "way")

    def __init__(self, step: Step, started: int, before: Scene | None) -> None:
        self.step = step
        self.started = started
        self.way: list[Cell] = []
        self.moves = 0
        self.recorder = None if before is None else Recorder(step.cameras, started, before)

    def save(self) -> dict[str, Any]:
        """What is needed to say how far it came. Its pictures are not kept: a restored action only ends."""
        return {
            "skill": self.step.skill,
            "arguments": self.step.arguments,
            "started": self.started,
            "way": self.way,
            "moves": self.moves,
        }

    @classmethod
    def restore(cls, saved: Mapping[str, Any]) -> Action:
        action = cls(Step(saved["skill"], saved["arguments"]), saved["started"], None)
        action.way = [(x, y) for x, y in saved["way"]]
        action.moves = saved["moves"]
        return action
