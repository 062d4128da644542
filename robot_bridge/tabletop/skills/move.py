"""`move`: the tool to a waypoint, and the gripper worked there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from robot_bridge.simulation.running import Ending, Skill
from robot_bridge.tabletop.arm import Arm, words
from robot_bridge.tabletop.planning import NoWay
from robot_bridge.world import Tool

NEAR_M = 0.01
"""Further off than this where it came to rest, something kept it."""


class Goal(NamedTuple):
    tool: Tool
    gripper: str = "keep"
    start_step: int | None = None
    arrive_step: int | None = None


def goal_of(arguments: Mapping[str, Any]) -> Goal:
    """Of arguments that were checked."""
    angles = (float(arguments.get(name) or 0.0) for name in ("roll_rad", "pitch_rad", "yaw_rad"))
    return Goal(
        Tool(float(arguments["x_m"]), float(arguments["y_m"]), float(arguments["z_m"]), *angles),
        arguments.get("gripper") or "keep",
        _step(arguments.get("start_step")),
        _step(arguments.get("arrive_step")),
    )


def move(arm: Arm, goal: Goal) -> Skill:
    """It is planned before anything moves; the arm stands still until it is to start."""
    begins = max(arm.step(), goal.start_step or 0)
    least_steps = 1 if goal.arrive_step is None else max(1, goal.arrive_step - begins)
    way = arm.plan(goal.tool, least_steps)
    if isinstance(way, NoWay):
        return unreachable(goal, way)
    while arm.step() < begins:
        yield
    yield from arm.follow(way)
    yield from arm.work_gripper(goal.gripper)
    return _ended(arm, goal)


def unreachable(goal: Goal, way: NoWay) -> Ending:
    return Ending("not_executed", "unreachable", f"{words(goal.tool)} was not reached for: {way.reason}.")


def _ended(arm: Arm, goal: Goal) -> Ending:
    here = arm.physics.tool()
    short_m = math.dist(here[:3], goal.tool[:3])
    if short_m > NEAR_M:
        return Ending("failed", "blocked", f"Came to rest at {words(here)}, {100 * short_m:.1f} cm short.")
    late = arm.step() - goal.arrive_step if goal.arrive_step is not None else 0
    told = f", {late} steps late" if late > 0 and goal.gripper == "keep" else ""
    return Ending("succeeded", "arrived", f"At {words(here)}{told}{_fingers(arm, goal.gripper)}.")


def _fingers(arm: Arm, command: str) -> str:
    if command == "keep":
        return ""
    held = arm.physics.grasped
    told = f"; fingers {100 * arm.physics.opening_m():.1f} cm apart"
    return f"{told}, on something" if held is not None else told


def _step(value: Any) -> int | None:
    return None if value is None else int(value)
