"""Puts a ROS robot's world together: its file, the interpreter that has rospy, the child."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from robot_bridge.ros.config import read_robot
from robot_bridge.ros.places import RosMissing, find_ros
from robot_bridge.ros.process import Child
from robot_bridge.ros.wiring import child_configuration, ros_environment
from robot_bridge.ros.world import RosWorld


def ros_world(file: Path, home: Path, *, rate: float, seed: int, monotonic: Callable[[], float]) -> RosWorld:
    """Starts nothing yet. Raises ValueError in the operator's words."""
    robot = read_robot(file)
    try:
        place = find_ros(robot.ros.python, robot.ros.path)
    except RosMissing as error:
        raise ValueError(str(error)) from None
    child = Child(
        place,
        child_configuration(robot, file.parent, rate),
        ros_environment(robot, home),
        log_file=home / "ros.log",
        monotonic=monotonic,
    )
    return RosWorld(robot, child, monotonic, rate=rate, seed=seed)
