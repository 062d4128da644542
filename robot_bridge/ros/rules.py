"""What a robot's file must not say although every key has the right type: (key, problem with its remedy)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from robot_bridge.ros.config import Robot, Skill

NAME = re.compile(r"~?/?[A-Za-z]\w*(/\w+)*")
TYPE = re.compile(r"[A-Za-z]\w*/[A-Za-z]\w*")
WORD = re.compile(r"[A-Za-z][\w.-]{0,99}")
POSES = ("$goal", "$cell")
"""Places a goal may hold, made of what memory or the map says."""

Problem = tuple[str, str]


def problems(robot: Robot) -> Iterator[Problem]:
    yield from _names(robot)
    yield from _numbers(robot)
    yield from _parts(robot)
    yield from _shared(robot)
    for name, skill in robot.skills.items():
        yield from _skill(robot, name, skill)
    yield from _site(robot)


def _names(robot: Robot) -> Iterator[Problem]:
    if not WORD.fullmatch(robot.name):
        yield "name", f"is {robot.name!r}. Write letters, digits, - and _."
    if robot.namespace and not re.fullmatch(r"(/\w+)+", robot.namespace):
        yield "namespace", f"is {robot.namespace!r}. Write one such as /rover_2, or leave it empty."
    if not re.fullmatch(r"[A-Za-z]\w*", robot.ros.node):
        yield "ros.node", f"is {robot.ros.node!r}. Write letters, digits and _, without a slash."
    for key, topic in _topics(robot):
        if not NAME.fullmatch(topic):
            yield key, f"is {topic!r}, no ROS name. Write one such as camera/image_raw or /tf."
    for key, kind in _types(robot):
        if kind and not TYPE.fullmatch(kind):
            yield key, f"is {kind!r}, no ROS type. Write one such as nav_msgs/Odometry."


def _topics(robot: Robot) -> Iterator[Problem]:
    for key in ("speed", "velocity", "occupancy", "joints", "battery"):
        stream = getattr(robot, key)
        if stream is not None:
            yield f"{key}.topic", stream.topic
    if robot.pose.topic:
        yield "pose.topic", robot.pose.topic
    for key in ("robots", "cameras", "detections"):
        for name, each in getattr(robot, key).items():
            yield f"{key}.{name}.topic", each.topic


def _types(robot: Robot) -> Iterator[Problem]:
    yield "pose.type", robot.pose.type
    for key in ("speed", "battery"):
        stream = getattr(robot, key)
        if stream is not None:
            yield f"{key}.type", stream.type
    for key in ("robots", "detections"):
        for name, each in getattr(robot, key).items():
            yield f"{key}.{name}.type", each.type
    for name, skill in robot.skills.items():
        yield f"skills.{name}.type", skill.type


def _numbers(robot: Robot) -> Iterator[Problem]:
    times, still = robot.times, robot.still
    positive: dict[str, float | None] = {
        "times.future_s": times.future_s,
        "times.jump_s": times.jump_s,
        "times.lost_s": times.lost_s,
        "times.server_wait_s": times.server_wait_s,
        "times.silent_s": times.silent_s,
        "still.speed_m_s": still.speed_m_s,
        "still.turn_rad_s": still.turn_rad_s,
        "pose.old_s": robot.pose.old_s,
        "limits.speed_m_s": robot.limits.speed_m_s,
        "site.cell_m": robot.site.cell_m,
        "site.metric.length_m": robot.site.metric.length_m,
        "site.budget_s": robot.site.budget_s,
        **{f"detections.{name}.old_s": each.old_s for name, each in robot.detections.items()},
        **{f"skills.{name}.timeout_s": each.timeout_s for name, each in robot.skills.items()},
    }
    for key, value in positive.items():
        if value is not None and not 0.0 < value < 1e6:
            yield key, f"is {value:g}. Give a number above 0."
    for name, each in robot.detections.items():
        if not 0.0 <= each.confidence <= 1.0:
            yield f"detections.{name}.confidence", f"is {each.confidence:g}. Give 0 to 1."


def _parts(robot: Robot) -> Iterator[Problem]:
    if robot.bag and not robot.shadow:
        yield "shadow", "is false, and nothing can be sent to a recording. Write shadow: true."
    if robot.pose.via == "topic" and not robot.pose.topic:
        yield "pose.topic", "is missing, and pose.via is topic. Name the topic of the robot's pose."
    workspace = robot.limits.workspace_m
    if workspace is not None and not (workspace[0] < workspace[2] and workspace[1] < workspace[3]):
        yield "limits.workspace_m", "is empty. Give [least x, least y, largest x, largest y] in metres."
    gripper = robot.gripper
    if gripper is not None and robot.joints is None:
        yield "joints", "is missing, and the gripper is read from it. Name the topic of the joint states."
    if gripper is not None and not gripper.holds_from < gripper.open_from:
        yield (
            "gripper.holds_from",
            f"is {gripper.holds_from:g}. Give less than open_from, {gripper.open_from:g}.",
        )
    if robot.skills and robot.velocity is None and not robot.shadow:
        yield (
            "velocity",
            "is missing. Name the topic that a stop publishes zero velocity on, or set shadow: true.",
        )


def _shared(robot: Robot) -> Iterator[Problem]:
    """Several skills may be one action's, which has one type."""
    types: dict[str, tuple[str, str]] = {}
    for name, skill in robot.skills.items():
        first, kind = types.setdefault(skill.action, (name, skill.type))
        if skill.action and kind != skill.type:
            yield (
                f"skills.{name}.type",
                f"is {skill.type}, and skills.{first} says {kind} of the same action. Give both one type.",
            )


def _skill(robot: Robot, name: str, skill: Skill) -> Iterator[Problem]:
    from robot_bridge.ros.config import STANDARD

    key = f"skills.{name}"
    ways = [way for way in ("action", "service", "topic") if getattr(skill, way)]
    if len(ways) != 1:
        yield key, f"names {' and '.join(ways) or 'nothing'}. Name exactly one of action, service and topic."
        return
    if not NAME.fullmatch(skill.name):
        yield f"{key}.{ways[0]}", f"is {skill.name!r}, no ROS name. Write one such as move_base."
    if not WORD.fullmatch(name):
        yield key, "is no name of a skill. Write letters, digits and _."
    if name not in STANDARD and not skill.description:
        yield f"{key}.description", "is missing. Say to the planner what the skill does."
    if ways == ["topic"] and skill.until is None:
        yield f"{key}.until", "is missing. Say what is measured once it is done: {joint, least, most}."
    if skill.feedback and ways != ["action"]:
        yield f"{key}.feedback", f"is given, and a {ways[0]} tells none. Leave it out, or name an action."
    if skill.until is not None and robot.joints is None:
        yield "joints", f"is missing, and {key}.until reads it. Name the topic of the joint states."
    if skill.measure and robot.gripper is None:
        yield "gripper", f"is missing, and {key}.measure needs it. Describe the gripper."
    known = {f"${argument}" for argument in arguments_of(name, skill)} | set(POSES)
    known |= {"$speed"} if robot.limits.speed_m_s is not None else set()
    for where, text in references(skill.goal):
        if text not in known:
            yield f"{key}.goal.{where}", f"is {text}. Choose of {', '.join(sorted(known))}."
    yield from _speeds(robot, key, skill)


def _speeds(robot: Robot, key: str, skill: Skill) -> Iterator[Problem]:
    from robot_bridge.ros.goals import field_of

    most = robot.limits.speed_m_s
    if skill.speeds and most is None:
        yield "limits.speed_m_s", f"is missing, and {key}.speeds needs it. Give the most metres a second."
        return
    for path in skill.speeds:
        value = field_of(skill.goal, path)
        if value is None:
            yield f"{key}.speeds", f"names {path}, which the goal has not. Name a field of {key}.goal."
        elif isinstance(value, (int, float)) and most is not None and not abs(value) <= most:
            yield f"{key}.goal.{path}", f"is {value:g}, more than limits.speed_m_s. Give {most:g} at most."


def arguments_of(name: str, skill: Skill) -> list[str]:
    from robot_bridge.ros.config import STANDARD

    if skill.arguments or name not in STANDARD:
        return [argument.name for argument in skill.arguments]
    return [argument["name"] for argument in STANDARD[name]["arguments"]]


def references(goal: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for name, value in goal.items():
        where = f"{path}.{name}".lstrip(".")
        if isinstance(value, Mapping):
            yield from references(value, where)
        elif isinstance(value, str) and value.startswith("$"):
            yield where, value


def _site(robot: Robot) -> Iterator[Problem]:
    site = robot.site
    if robot.occupancy is None and site.size_m is None and not site.map_file:
        yield (
            "site.size_m",
            "is missing. Give [width, height] in metres, or a map: occupancy or site.map_file.",
        )
    ids = [station.id for station in site.stations]
    for station_id in ids:
        if ids.count(station_id) > 1:
            yield "site.stations", f"name {station_id} twice. Give each an id of its own."
            return
    for number, station in enumerate(site.stations):
        if not all(math.isfinite(each) for each in (station.x_m, station.y_m, station.yaw_rad)):
            yield f"site.stations[{number}]", "has a place that is no number. Give finite metres."
    for number, region in enumerate(site.regions):
        if len(region.polygon_m) < 3:
            yield f"site.regions[{number}].polygon_m", "has fewer than 3 corners. Give at least 3."
