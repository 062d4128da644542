"""Whether a step names what a simulated world has: its skills, what stands in it, its cells and cameras."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, NamedTuple

from robot_bridge.world import Pose, Refusal, Step

NAMES = ("target", "object", "station")
"""Arguments that name something which must be there."""


class Surroundings(NamedTuple):
    """`size`: cells to a side, counted from 0. `frame_id`: in which goals are given."""

    entities: Collection[str]
    stations: Collection[str]
    cameras: Collection[str]
    size: int
    frame_id: str


class Checker:
    """Of one catalogue, as `hello` shows it. `goals`: skills that need the believed place of their entity."""

    def __init__(self, catalogue: dict[str, Any], goals: Collection[str] = ("navigate",)) -> None:
        self._goals = goals
        self._arguments = {
            skill["name"]: frozenset(argument["name"] for argument in skill["arguments"])
            for skill in catalogue["skills"]
        }
        self._naming = {
            skill["name"]: [a["name"] for a in skill["arguments"] if a["name"] in NAMES]
            for skill in catalogue["skills"]
        }

    def refuse(self, step: Step, around: Surroundings) -> Refusal | None:
        """Why no robot of this world can execute the step, or None."""
        wanted = self._arguments.get(step.skill)
        if wanted is None:
            known = ", ".join(self._arguments)
            return Refusal("unknown_skill", "step.skill", f"is {step.skill}", f"Choose one of {known}.")
        if step.arguments.keys() != wanted:
            given = ", ".join(step.arguments) or "nothing"
            takes = f"{step.skill} takes {', '.join(sorted(wanted))}."
            return Refusal("wrong_arguments", "step.arguments", f"are {given}", takes)
        if step.skill in self._goals and not _is_in_frame(step.goal, around.frame_id):
            remedy = f"Send the believed pose in frame {around.frame_id}."
            return Refusal("no_goal", "step.goal", "is no pose in the map", remedy)
        if "cell" in wanted and not _is_cell(step.arguments["cell"], around.size):
            remedy = f"Send [column, row], each 0 to {around.size - 1}."
            return Refusal("wrong_cell", "step.arguments.cell", "is no cell of the grid", remedy)
        return self._unknown_name(step, around) or _unknown_camera(step, around)

    def _unknown_name(self, step: Step, around: Surroundings) -> Refusal | None:
        for name in self._naming[step.skill]:
            value = step.arguments[name]
            known = around.stations if name == "station" else around.entities
            if not isinstance(value, str) or value not in known:
                field, problem = f"step.arguments.{name}", f"{value!s:.80} is unknown here"
                return Refusal("unknown_name", field, problem, f"Choose one of {', '.join(known)}.")
        return None


def _is_in_frame(goal: Pose | None, frame_id: str) -> bool:
    return goal is not None and goal.frame_id == frame_id and all(map(math.isfinite, goal[:3]))


def _unknown_camera(step: Step, around: Surroundings) -> Refusal | None:
    unknown = [camera for camera in step.cameras if camera not in around.cameras]
    if not unknown:
        return None
    remedy = f"This world has {', '.join(around.cameras)}." if around.cameras else "This world has no camera."
    return Refusal("unknown_camera", "step.cameras", f"name {unknown[0]}", remedy)


def _is_cell(value: Any, size: int) -> bool:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return False
    return all(
        isinstance(part, (int, float)) and not isinstance(part, bool) and part in range(size)
        for part in value
    )
