"""Between the tuples of a world and the JSON of the contract."""

from __future__ import annotations

import base64
from typing import Any

from robot_bridge.world import Frame, Measured, Outcome, Pose, Sighting, Step


def step_from(message: dict[str, Any]) -> Step:
    """The step in a checked `submit`."""
    goal = message["goal"]
    return Step(
        skill=message["skill"],
        arguments=message["arguments"],
        goal=None if goal is None else pose_from(goal),
        watch=message["watch"],
        cameras=tuple(message["cameras"]),
    )


def pose_from(message: dict[str, Any]) -> Pose:
    return Pose(float(message["x_m"]), float(message["y_m"]), float(message["yaw_rad"]), message["frame_id"])


def pose(value: Pose) -> dict[str, Any]:
    return value._asdict()


def evidence(value: Sighting) -> dict[str, Any]:
    """A simulated world has no clock but the mission's."""
    told = {**value._asdict(), "pose": pose(value.pose)}
    del told["clocks"]
    if value.clocks is None:
        return told
    robot_s, utc_s = value.clocks
    return {**told, "clocks": {"robot_s": robot_s, "utc_s": utc_s}}


def measured(value: Measured) -> dict[str, Any]:
    """What no sensor of the robot measures is left out."""
    message = {**value._asdict(), "pose": pose(value.pose), "path": [list(place) for place in value.path]}
    if value.height_m is None:
        del message["height_m"]
    if value.opening_m is None:
        del message["opening_m"], message["touches"]
        return message
    return {**message, "touches": list(value.touches)}


def outcome(dispatch_id: str, value: Outcome) -> dict[str, Any]:
    return {
        **value._asdict(),
        "dispatch_id": dispatch_id,
        "measured": measured(value.measured),
        "frames": [frame(each) for each in value.frames],
    }


def frame(value: Frame) -> dict[str, Any]:
    return {
        "camera": value.camera,
        "step": value.step,
        "png_base64": base64.b64encode(value.png).decode("ascii"),
    }
