"""The grid robot's skills as data, and whether a step names one of them rightly."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from robot_bridge.grid.layout import FRAME_ID, Layout
from robot_bridge.world import Refusal, Step

CAMERA = "overhead"


def _argument(name: str, types: list[str], description: str) -> dict[str, Any]:
    return {"name": name, "types": types, "required": True, "description": description, "choices": []}


def _skill(name: str, description: str, *arguments: dict[str, Any], may_watch: bool = True) -> dict[str, Any]:
    return {"name": name, "description": description, "arguments": list(arguments), "may_watch": may_watch}


CATALOGUE: dict[str, Any] = {
    "skills": [
        _skill(
            "navigate",
            "Drive to where an entity is believed to be, or to a station, cell or pose.",
            _argument("to", ["entity", "station", "cell", "pose"], "Where to."),
        ),
        _skill(
            "approach",
            "Line up with an entity in the robot's own cell. Takes no time.",
            _argument("target", ["entity"], "What to line up with."),
            may_watch=False,
        ),
        _skill(
            "grasp",
            "Pick up a container in the robot's own cell. Needs an empty gripper.",
            _argument("target", ["entity"], "The container."),
        ),
        _skill(
            "deliver",
            "Set the held container down at the station where the robot stands.",
            _argument("object", ["entity"], "The held container."),
            _argument("station", ["station"], "The station to set it down at."),
        ),
        _skill(
            "verify",
            "Look at the place where an entity is believed to be. Takes no time.",
            _argument("target", ["entity"], "What to look for."),
            may_watch=False,
        ),
        _skill(
            "explore",
            "Drive to a cell to see what is there.",
            _argument("cell", ["cell"], "Column and row of the cell, counted from 0."),
        ),
    ],
    "cameras": [CAMERA],
}
ARGUMENTS = {
    skill["name"]: frozenset(argument["name"] for argument in skill["arguments"])
    for skill in CATALOGUE["skills"]
}
NAMING = {
    skill["name"]: [a["name"] for a in skill["arguments"] if a["name"] in ("target", "object", "station")]
    for skill in CATALOGUE["skills"]
}
"""The arguments that name something which must be there."""


def check(step: Step, entities: Collection[str], layout: Layout) -> Refusal | None:
    """Why no robot of this world can execute the step, or None."""
    wanted = ARGUMENTS.get(step.skill)
    if wanted is None:
        return Refusal(
            "unknown_skill", "step.skill", f"is {step.skill}", f"Choose one of {', '.join(ARGUMENTS)}."
        )
    if step.arguments.keys() != wanted:
        given = ", ".join(step.arguments) or "nothing"
        return Refusal(
            "wrong_arguments",
            "step.arguments",
            f"are {given}",
            f"{step.skill} takes {', '.join(sorted(wanted))}.",
        )
    if step.skill == "navigate" and (step.goal is None or step.goal.frame_id != FRAME_ID):
        return Refusal(
            "no_goal", "step.goal", "is no pose in the map", f"Send the believed pose in frame {FRAME_ID}."
        )
    if step.skill == "explore" and not _is_cell(step.arguments["cell"], layout.size):
        return Refusal(
            "wrong_cell",
            "step.arguments.cell",
            "is no cell of the grid",
            f"Send [column, row], each 0 to {layout.size - 1}.",
        )
    for name in NAMING[step.skill]:
        known = layout.station_ids if name == "station" else entities
        if not _is_one_of(step.arguments[name], known):
            return Refusal(
                "unknown_name",
                f"step.arguments.{name}",
                f"{step.arguments[name]!s:.80} is unknown here",
                f"Choose one of {', '.join(known)}.",
            )
    unknown = [camera for camera in step.cameras if camera != CAMERA]
    if unknown:
        return Refusal("unknown_camera", "step.cameras", f"name {unknown[0]}", f"This world has {CAMERA}.")
    return None


def _is_cell(value: Any, size: int) -> bool:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return False
    return all(
        isinstance(part, (int, float)) and not isinstance(part, bool) and part in range(size)
        for part in value
    )


def _is_one_of(value: Any, known: Collection[str]) -> bool:
    return isinstance(value, str) and value in known
