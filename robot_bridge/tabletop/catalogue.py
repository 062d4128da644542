"""The arm's skills as data, one catalogue for each executor, and the words that a learned one takes.

`direct`: the planner gives waypoints. `delegate`: it gives phrases, and an executor carries them out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from robot_bridge.contract import MOST_MOVES

Executor = Literal["direct", "delegate"]

FRONT, WRIST = "front", "wrist"
CAMERAS = (FRONT, WRIST)
WATCHED_PX = 512
"""Longer side of the picture that pixels are given in."""
GRIPPER = ("open", "close", "keep")
MOST_CHUNKS = 8
CHUNK_STEPS = 16
EPISODE_STEPS = 1300


def _argument(
    name: str, kind: str, description: str, *, required: bool = True, choices: tuple[str, ...] = ()
) -> dict[str, Any]:
    return {
        "name": name,
        "types": [kind],
        "required": required,
        "description": description,
        "choices": list(choices),
    }


def _skill(name: str, description: str, *arguments: dict[str, Any], may_watch: bool = True) -> dict[str, Any]:
    return {"name": name, "description": description, "arguments": list(arguments), "may_watch": may_watch}


LOCATE = _skill(
    "locate",
    "Find the points in space that pixels show, in metres in frame map, z over the table top. Nothing moves.",
    _argument("camera", "phrase", "Whose present view the pixels are in.", choices=CAMERAS),
    _argument("pixel", "pixel", f"Column and row in the view of {WATCHED_PX} px, counted from the top left."),
    *(_argument(f"pixel_{n}", "pixel", "Another pixel of the same view.", required=False) for n in (2, 3, 4)),
    _argument(
        "height_m",
        "number",
        "Cut each pixel's ray at this height over the table instead of using the measured depth.",
        required=False,
    ),
    may_watch=False,
)
MOVE = _skill(
    "move",
    "Move the point between the fingertips to a waypoint, then work the gripper there.",
    _argument("x_m", "number", "Away from the arm's base."),
    _argument("y_m", "number", "To the left as the arm looks."),
    _argument("z_m", "number", "Height over the table top."),
    _argument("roll_rad", "number", "0 if left out; fingers point down at 0, 0, 0.", required=False),
    _argument("pitch_rad", "number", "0 if left out.", required=False),
    _argument("yaw_rad", "number", "0 if left out: the fingers close along y.", required=False),
    _argument("gripper", "phrase", "keep if left out. It works on arrival.", required=False, choices=GRIPPER),
    _argument("start_step", "integer", "Wait until this step of the world first.", required=False),
    _argument(
        "arrive_step", "integer", "Go so slowly as to arrive at this step of the world.", required=False
    ),
)
WAIT = _skill(
    "wait",
    "Stay where the arm is while the world goes on.",
    _argument("steps", "integer", f"1 to {EPISODE_STEPS}; a second has 20."),
)
SEQUENCE = _skill(
    "sequence",
    f"Up to {MOST_MOVES} moves and waits, one after the other. It stops where a check does not hold.",
    _argument("moves", "moves", "Each a move or wait, with an optional check on what is measured after it."),
)
PHRASES: Mapping[str, re.Pattern[str]] = {
    "pick": re.compile(r"pick up the (?P<what>[a-z][a-z ]{0,40})"),
    "place": re.compile(r"place it on the (?P<what>[a-z][a-z ]{0,40})"),
    "bin": re.compile(r"put it into the bin"),
    "drop": re.compile(r"put it down"),
    "press": re.compile(r"press the (?P<what>[a-z ]{0,40}button)"),
    "move": re.compile(r"move to the (?P<what>[a-z][a-z ]{0,40})"),
    "push": re.compile(r"push the (?P<what>[a-z][a-z ]{0,40})"),
    "hook": re.compile(r"hook the (?P<what>[a-z][a-z ]{0,40})"),
    "insert": re.compile(r"insert the peg from the (?P<what>left|right)"),
    "circle": re.compile(r"go round the stick on the (?P<what>left|right)"),
}
"""What a delegated subgoal may say; the pixel says which one is meant."""
VOCABULARY = (
    "pick up the <colour> cube, pick up the container; place it on the target; put it into the bin; put it"
    " down; press the button; move to the right target, move to the node; push the cube, hook the cube to"
    " the target; insert the peg from the left; go round the stick on the right"
)
DELEGATE = _skill(
    "delegate",
    f"Have the executor follow one short phrase for some chunks of {CHUNK_STEPS} steps each.",
    _argument("phrase", "phrase", f"One of: {VOCABULARY}."),
    _argument("pixel", "pixel", f"What is meant, in the front view of {WATCHED_PX} px."),
    _argument("chunks", "integer", f"1 to {MOST_CHUNKS}."),
)

CATALOGUES: Mapping[Executor, dict[str, Any]] = {
    "direct": {"skills": [LOCATE, MOVE, WAIT, SEQUENCE], "cameras": list(CAMERAS)},
    "delegate": {"skills": [LOCATE, WAIT, DELEGATE], "cameras": list(CAMERAS)},
}
