"""The grid robot's skills as data, and whether a step names one of them rightly."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from robot_bridge.checking import Checker, Surroundings
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
CHECKER = Checker(CATALOGUE)


def check(step: Step, entities: Collection[str], layout: Layout) -> Refusal | None:
    """Why no robot of this world can execute the step, or None."""
    return CHECKER.refuse(step, Surroundings(entities, layout.station_ids, (CAMERA,), layout.size, FRAME_ID))
