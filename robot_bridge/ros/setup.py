"""Puts a ROS robot's world together: its file, the interpreter that has rospy, the child."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robot_bridge.ros.config import Robot, read_robot
from robot_bridge.ros.mapfile import read_map
from robot_bridge.ros.places import RosMissing, find_ros
from robot_bridge.ros.process import Child
from robot_bridge.ros.sitemap import empty_map, site_map
from robot_bridge.ros.wiring import child_configuration, ros_environment
from robot_bridge.ros.world import RosWorld

if TYPE_CHECKING:
    from robot_bridge.ros.bag.player import BagChild


def ros_world(file: Path, home: Path, *, rate: float, seed: int, monotonic: Callable[[], float]) -> RosWorld:
    """Starts nothing yet. Raises ValueError in the operator's words."""
    robot = read_robot(file)
    if robot.bag:
        return RosWorld(
            robot,
            _played(robot, file, rate, monotonic),
            monotonic,
            rate=rate,
            seed=seed,
            floor=floor_of(robot, file.parent),
        )
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
    return RosWorld(robot, child, monotonic, rate=rate, seed=seed, floor=floor_of(robot, file.parent))


def _played(robot: Robot, file: Path, rate: float, monotonic: Callable[[], float]) -> BagChild:
    """Only here: a robot that is no recording needs no reader of them. Raises BagError."""
    from robot_bridge.ros.bag.player import BagChild

    return BagChild(
        file.parent / robot.bag, child_configuration(robot, file.parent, rate), monotonic=monotonic
    )


def floor_of(robot: Robot, folder: Path) -> dict[str, Any] | None:
    """The map that the robot's file gives; None where the robot publishes it. Raises MapError."""
    site = robot.site
    if site.map_file:
        return site_map(read_map(folder / site.map_file), site.cell_m)
    if robot.occupancy is None and site.size_m is not None:
        return empty_map(site.size_m, site.cell_m)
    return None
