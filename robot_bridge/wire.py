"""Between the tuples of a world and the JSON of the contract."""

from __future__ import annotations

import base64
from typing import Any

from robot_bridge.world import Frame, Measured, Outcome, Pose, Sighting, Step, Subgoal


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
    message: dict[str, Any] = {
        "pose": pose(value.pose),
        "held": value.held,
        "gripper_open": value.gripper_open,
        "path": [list(place) for place in value.path],
        "moves": value.moves,
    }
    if value.opening_m is not None:
        message |= {"opening_m": value.opening_m, "touches": list(value.touches)}
    if value.height_m is not None:
        message["height_m"] = value.height_m
    if value.tool is not None:
        message["tool"] = value.tool._asdict()
    if value.points_m:
        message["points_m"] = [None if point is None else list(point) for point in value.points_m]
    if value.trace:
        message["trace"] = [each._asdict() for each in value.trace]
    return message


def outcome(dispatch_id: str, value: Outcome) -> dict[str, Any]:
    message = {
        **value._asdict(),
        "dispatch_id": dispatch_id,
        "measured": measured(value.measured),
        "frames": [frame(each) for each in value.frames],
        "views": [frame(each) for each in value.views],
        "verdict": None if value.verdict is None else value.verdict._asdict(),
        "subgoal": None if value.subgoal is None else subgoal(value.subgoal),
    }
    for name in ("views", "verdict", "subgoal"):
        if not message[name]:
            del message[name]
    return message


def subgoal(value: Subgoal) -> dict[str, Any]:
    return {"phrase": value.phrase, "pixel": list(value.pixel)}


def frame(value: Frame) -> dict[str, Any]:
    message: dict[str, Any] = {"camera": value.camera, "step": value.step, "png_base64": _base64(value.png)}
    if value.depth_png is not None:
        message["depth_png_base64"] = _base64(value.depth_png)
    if value.calibration is not None:
        told = value.calibration._asdict()
        message["calibration"] = {**told, "map_from_camera": list(value.calibration.map_from_camera)}
    return message


def _base64(png: bytes) -> str:
    return base64.b64encode(png).decode("ascii")
