"""A step made into the fields of a goal, and why a step cannot be taken by this robot. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from robot_bridge.ros.config import STANDARD, Robot, Skill
from robot_bridge.ros.guards import refuse_out_of_workspace, refuse_too_fast, refuse_watched
from robot_bridge.ros.rules import arguments_of, references
from robot_bridge.world import Pose, Refusal, Step


def refusal_of(robot: Robot, step: Step, floor: Mapping[str, Any] | None = None) -> Refusal | None:
    """Why the step can never be executed here, or None. `floor`: the contract's map, where it is known."""
    watched = refuse_watched(robot.shadow)
    if watched is not None:
        return watched
    skill = robot.skills.get(step.skill)
    if skill is None:
        known = ", ".join(robot.skills) or "none"
        return Refusal("unknown_skill", "step.skill", f"is {step.skill}", f"Choose one of {known}.")
    wanted = arguments_of(step.skill, skill)
    if set(step.arguments) != set(wanted):
        given = ", ".join(step.arguments) or "nothing"
        takes = ", ".join(sorted(wanted)) or "nothing"
        return Refusal("wrong_arguments", "step.arguments", f"are {given}", f"{step.skill} takes {takes}.")
    unknown = [camera for camera in step.cameras if camera not in robot.cameras]
    if unknown:
        has = ", ".join(robot.cameras) or "none"
        return Refusal("unknown_camera", "step.cameras", f"name {unknown[0]}", f"This robot has {has}.")
    return (
        _name_refusal(robot, step, wanted)
        or (_cell_refusal(robot, step, floor) if "cell" in wanted else None)
        or _place_refusal(robot, step, skill)
        or refuse_too_fast(robot.limits.speed_m_s, speeds_asked(robot, step, skill))
    )


def _name_refusal(robot: Robot, step: Step, wanted: list[str]) -> Refusal | None:
    goes_by_goal = any(
        text.partition(".")[0] == "$goal" for _, text in references(robot.skills[step.skill].goal)
    )
    if "station" in wanted and not (goes_by_goal and step.goal is not None):
        stations = [station.id for station in robot.site.stations]
        if step.arguments["station"] not in stations:
            return Refusal(
                "unknown_name",
                "step.arguments.station",
                f"{step.arguments['station']!s:.80} is unknown here",
                f"Choose one of {', '.join(stations)}.",
            )
    return None


def _cell_refusal(robot: Robot, step: Step, floor: Mapping[str, Any] | None) -> Refusal | None:
    field, problem = "step.arguments.cell", "is no cell of the map"
    if cell_pose(robot, step) is None:
        return Refusal("wrong_cell", field, problem, "Send [column, row], two numbers.")
    if floor is None:
        return None
    (x, y), (x0, y0) = step.arguments["cell"], floor.get("first", (0, 0))
    x1, y1 = x0 + floor["width"] - 1, y0 + floor["height"] - 1
    if x0 <= x <= x1 and y0 <= y <= y1:
        return None
    return Refusal("wrong_cell", field, problem, f"Send a column from {x0} to {x1}, a row from {y0} to {y1}.")


def _place_refusal(robot: Robot, step: Step, skill: Skill) -> Refusal | None:
    """A place is in the map and in the workspace before anything is sent."""
    named = {text.partition(".")[0] for _, text in references(skill.goal)}
    places = {"step.goal": step.goal if "$goal" in named else None}
    if "$goal" in named and (step.goal is None or step.goal.frame_id != robot.pose.map):
        return Refusal(
            "no_goal",
            "step.goal",
            "is no pose in the map",
            f"Send the believed pose in frame {robot.pose.map}.",
        )
    if "$cell" in named:
        places["step.arguments.cell"] = cell_pose(robot, step)
    for field, place in places.items():
        refusal = refuse_out_of_workspace(robot.limits.workspace_m, place, field)
        if refusal is not None:
            return refusal
    return None


def speeds_asked(robot: Robot, step: Step, skill: Skill) -> dict[str, Any]:
    """Field -> what the goal of this step would ask for there; numbers that came as text are numbers."""
    values = goal_values(robot, step)
    return {path: as_number(field_of(values, path)) for path in skill.speeds}


def field_of(values: Mapping[str, Any], path: str) -> Any:
    """None where there is no such field."""
    at: Any = values
    for name in path.split("."):
        at = at.get(name) if isinstance(at, Mapping) else None
    return at


def as_number(value: Any) -> Any:
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def cell_pose(robot: Robot, step: Step) -> Pose | None:
    """The middle of the step's cell; None where it names none."""
    cell = step.arguments.get("cell")
    if not isinstance(cell, (list, tuple)) or len(cell) != 2:
        return None
    if not all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in cell):
        return None
    return Pose(float(cell[0]) * robot.site.cell_m, float(cell[1]) * robot.site.cell_m, 0.0, robot.pose.map)


def goal_values(robot: Robot, step: Step) -> dict[str, Any]:
    """The goal's fields, with every reference replaced."""
    known: dict[str, Any] = {f"${name}": _text(value) for name, value in step.arguments.items()}
    if step.goal is not None:
        known["$goal"] = stamped(step.goal)
    cell = cell_pose(robot, step)
    if cell is not None:
        known["$cell"] = stamped(cell)
    if robot.limits.speed_m_s is not None:
        known["$speed"] = robot.limits.speed_m_s
    filled: dict[str, Any] = _filled(robot.skills[step.skill].goal, known)
    return filled


def stamped(pose: Pose) -> dict[str, Any]:
    """A geometry_msgs/PoseStamped as plain values; `now` is put in by whoever sends it."""
    turn = {"x": 0.0, "y": 0.0, "z": math.sin(pose.yaw_rad / 2), "w": math.cos(pose.yaw_rad / 2)}
    return {
        "header": {"frame_id": pose.frame_id, "stamp": "now"},
        "pose": {"position": {"x": pose.x_m, "y": pose.y_m, "z": 0.0}, "orientation": turn},
    }


def catalogue_of(robot: Robot) -> dict[str, Any]:
    """The contract's CATALOGUE."""
    return {
        "skills": [_described(name, skill, bool(robot.cameras)) for name, skill in robot.skills.items()],
        "cameras": list(robot.cameras),
    }


def _described(name: str, skill: Skill, has_cameras: bool) -> dict[str, Any]:
    standard = STANDARD.get(name)
    if standard is not None and not skill.arguments:
        return {**standard, "description": skill.description or standard["description"]}
    arguments = [
        {
            "name": each.name,
            "types": list(each.types),
            "required": True,
            "description": each.description,
            "choices": [],
        }
        for each in skill.arguments
    ]
    return {"name": name, "description": skill.description, "arguments": arguments, "may_watch": has_cameras}


def _filled(value: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(value, Mapping):
        return {name: _filled(inner, known) for name, inner in value.items()}
    if isinstance(value, str) and value.startswith("$"):
        name, *fields = value.split(".")
        found = known.get(name, "")
        for field in fields:
            found = found[field] if isinstance(found, Mapping) and field in found else ""
        return found
    return value


def _text(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, bool)) else str(value)
