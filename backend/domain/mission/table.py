"""A table with an arm, as its world tells it when an episode begins: the task in words, and what is seen."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.domain.execution.frames import View
from backend.domain.execution.outcome import Subgoal, Tool


class Table(Struct, frozen=True, kw_only=True):
    """`instruction` is all that a planner is told of this episode's task. `step_s`: one step of the world.

    `subgoal`: the next by the truth, None unless the world tells it.
    """

    instruction: str
    task: str
    difficulty: str
    executor: Literal["direct", "delegate"]
    step_s: float
    views: tuple[View, ...] = ()
    tool: Tool | None = None
    opening_m: float | None = None
    subgoal: Subgoal | None = None

    def step_at(self, met_s: float) -> int:
        """The world's step at a mission time."""
        return round(met_s / self.step_s)
