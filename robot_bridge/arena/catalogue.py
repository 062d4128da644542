"""The arena robot's skills as data."""

from __future__ import annotations

from typing import Any

CAMERAS = ("overhead", "front")
"""One over the arena, and one on the robot."""


def _argument(name: str, types: list[str], description: str) -> dict[str, Any]:
    return {"name": name, "types": types, "required": True, "description": description, "choices": []}


def _skill(name: str, description: str, *arguments: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "description": description, "arguments": list(arguments), "may_watch": True}


CATALOGUE: dict[str, Any] = {
    "skills": [
        _skill(
            "navigate",
            "Drive to a collision-checked stand-off 0.5 m from a station or an entity's believed place.",
            _argument("to", ["entity", "station"], "Where to."),
        ),
        _skill(
            "approach",
            "Turn to face the entity, look for it, and drive to 0.35 m from it.",
            _argument("target", ["entity"], "What to face."),
        ),
        _skill(
            "grasp",
            "Close the gripper on a container in front of the robot and lift it. Needs an empty gripper.",
            _argument("target", ["entity"], "The container."),
        ),
        _skill(
            "deliver",
            "Drop the held container into the bin of the station that the robot stands at.",
            _argument("object", ["entity"], "The held container."),
            _argument("station", ["station"], "The station to deliver it to."),
        ),
        _skill(
            "verify",
            "Turn to where the entity is believed to be and look for it.",
            _argument("target", ["entity"], "What to look for."),
        ),
        _skill(
            "explore",
            "Drive to a cell to see what is there.",
            _argument("cell", ["cell"], "Column and row of the cell, counted from 0."),
        ),
    ],
    "cameras": list(CAMERAS),
}
