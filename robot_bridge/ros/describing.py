"""A ROS robot in the contract's words: what `hello` is answered with, and telemetry."""

from __future__ import annotations

from typing import Any

from robot_bridge import wire
from robot_bridge.ros.config import Robot
from robot_bridge.ros.goals import catalogue_of
from robot_bridge.ros.sitemap import site_of
from robot_bridge.world import Measured, Pose

LONGEST_TROUBLE = 600


def hello_of(
    robot: Robot, described: dict[str, Any], pose: Pose, others: list[tuple[str, Pose]]
) -> dict[str, Any]:
    """`described`: seed and initial sightings, fixed once the robot was first described, and the floor."""
    return {
        "robot": robot.name,
        "world": "ros",
        "scenario": robot.site.name,
        "seed": described["seed"],
        "catalogue": catalogue_of(robot),
        "site": site_of(robot, described["floor"]),
        "robots": [
            {"name": robot.name, "kind": "ground", "pose": wire.pose(pose)},
            *[{"name": name, "kind": robot.robots[name].kind, "pose": wire.pose(at)} for name, at in others],
        ],
        "initial": [wire.evidence(each) for each in described["initial"]],
        "cameras": [],
        "budget_s": robot.site.budget_s,
        "total": robot.site.total,
    }


def telemetry_of(
    robot: Robot,
    measured: Measured,
    speed_m_s: float,
    battery: float | None,
    doing: str,
    progress: str,
    troubles: list[str],
    others: list[tuple[str, Pose]],
) -> list[dict[str, Any]]:
    now: dict[str, Any] = {
        "name": robot.name,
        "pose": wire.pose(measured.pose),
        "speed_m_s": speed_m_s,
        "gripper": {"open": measured.gripper_open, "held": measured.held},
        "battery": battery,
        "doing": doing,
        "progress": progress,
        "trouble": " ".join(troubles)[:LONGEST_TROUBLE],
    }
    return [now] + [
        {
            "name": name,
            "pose": wire.pose(pose),
            "speed_m_s": 0.0,
            "gripper": None,
            "battery": None,
            "doing": "",
            "trouble": "",
        }
        for name, pose in others
    ]
