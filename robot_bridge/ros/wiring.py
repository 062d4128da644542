"""What the child is told of its robot: plain values, every name absolute, every default filled in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from robot_bridge.ros.config import Robot, RobotFileError, Skill

LOCAL_MASTER = "http://127.0.0.1:11311"


def child_configuration(robot: Robot, folder: Path, rate: float) -> dict[str, Any]:
    """`folder`: where the robot's file lies; `rate`: ROS seconds a second. Raises RobotFileError."""
    values: dict[str, Any] = msgspec.to_builtins(robot)
    for key in ("speed", "velocity", "occupancy", "joints", "battery"):
        if values[key] is not None:
            values[key] = _stream(robot, values[key], DEFAULT_TYPES[key])
    for key in ("robots", "cameras", "detections"):
        values[key] = {name: _stream(robot, each, "") for name, each in values[key].items()}
    if robot.pose.via == "topic":
        values["pose"] = _stream(robot, values["pose"], "")
    return {
        "master": master_of(robot),
        "node": robot.ros.node,
        "rate": rate,
        "shadow": robot.shadow,
        **{
            key: values[key]
            for key in (
                "pose", "speed", "still", "velocity", "occupancy", "joints", "battery", "robots", "cameras",
                "detections", "times",
            )
        },
        "skills": {name: _skill(robot, skill) for name, skill in robot.skills.items()},
        "definitions": dict(_definition(robot, folder / name) for name in robot.definitions),
    }  # fmt: skip


DEFAULT_TYPES = {
    "speed": "nav_msgs/Odometry",
    "velocity": "geometry_msgs/Twist",
    "occupancy": "nav_msgs/OccupancyGrid",
    "joints": "sensor_msgs/JointState",
    "battery": "sensor_msgs/BatteryState",
}


def master_of(robot: Robot) -> str:
    return robot.ros.master or os.environ.get("ROS_MASTER_URI") or LOCAL_MASTER


def ros_environment(robot: Robot, home: Path) -> dict[str, str]:
    """Where the child's node is reached, and where it keeps its logs."""
    master = master_of(robot)
    is_local = any(host in master for host in ("//127.", "//localhost", "//[::1]"))
    ip = robot.ros.ip or os.environ.get("ROS_IP") or ("127.0.0.1" if is_local else "")
    environment = {"ROS_MASTER_URI": master, "ROS_HOME": str(home / "ros")}
    return {**environment, "ROS_IP": ip} if ip else environment


def absolute(robot: Robot, name: str) -> str:
    return name if name.startswith("/") else f"{robot.namespace}/{name}"


def _stream(robot: Robot, values: dict[str, Any], default_type: str) -> dict[str, Any]:
    filled = {**values, "topic": absolute(robot, values["topic"])}
    return {**filled, "type": values["type"] or default_type} if "type" in values else filled


def _skill(robot: Robot, skill: Skill) -> dict[str, Any]:
    return {
        "via": skill.via,
        "name": absolute(robot, skill.name),
        "type": skill.type,
        "timeout_s": skill.timeout_s,
        "feedback": skill.feedback,
        "until": None if skill.until is None else msgspec.to_builtins(skill.until),
    }


def _definition(robot: Robot, path: Path) -> tuple[str, str]:
    try:
        return f"{robot.package}/{path.stem}", path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RobotFileError(f"definitions: {path} cannot be read: {error}. Mend the path.") from None
