"""A way for the arm to a waypoint, a set point for each control step; or why there is none.

It goes straight where the arm reaches all along the line, else as the joints turn evenly; it starts and ends
slowly, and no faster than a bounded speed.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from robot_bridge.tabletop.kinematics import BASE_X_M, Joints, Kinematics, rotation_of
from robot_bridge.world import Tool

STEP_M, STEP_RAD = 0.016, 0.08
"""Of the tool in a control step, on average: 0.32 m/s and 1.6 rad/s."""
JOINT_STEP_RAD = 0.06
LARGEST_JUMP_RAD = 0.3
"""Between two set points of a straight way; past that the arm would have to turn over on it."""
FINGERTIP_M = 0.009
"""Below the tool, in the direction that the fingers point."""
LOWEST_M = -0.001
"""Of the fingertips: they may touch the table, not go into it."""


class Way(NamedTuple):
    """One posture a control step; the last is where it ends."""

    postures: tuple[Joints, ...]


class NoWay(NamedTuple):
    reason: str


def plan(kinematics: Kinematics, start: Joints, goal: Tool, least_steps: int = 1) -> Way | NoWay:
    """From posture `start`, in `least_steps` control steps or as many more as its length takes."""
    tip_m = _lowest_m(goal)
    if tip_m < LOWEST_M:
        return NoWay(f"the fingertips would be {-100 * tip_m:.1f} cm in the table")
    end = kinematics.joints_for(goal, start)
    if end is None:
        goal = goal._replace(yaw_rad=_other_way_round(goal.yaw_rad))
        end = kinematics.joints_for(goal, start)
    if end is None:
        away_m = math.hypot(goal.x_m - BASE_X_M, goal.y_m)
        return NoWay(
            f"no posture of the arm reaches it, {away_m:.2f} m from its base and {goal.z_m:.2f} m high"
        )
    here = kinematics.tool(start)
    straight = _straight(kinematics, start, here, goal, least_steps)
    if straight is not None:
        return Way(straight)
    turning = _turning(start, end, least_steps)
    if any(_lowest_m(kinematics.tool(each)) < LOWEST_M for each in turning):
        return NoWay("every way that was tried leads through the table")
    return Way(turning)


def _straight(
    kinematics: Kinematics, start: Joints, here: Tool, goal: Tool, least_steps: int
) -> tuple[Joints, ...] | None:
    """Along a line, turning evenly; None where the arm cannot follow it."""
    turn_rad = _angle_between(here, goal)
    steps = max(
        least_steps, math.ceil(math.dist(here[:3], goal[:3]) / STEP_M), math.ceil(turn_rad / STEP_RAD), 1
    )
    postures: list[Joints] = []
    last = start
    for number in range(1, steps + 1):
        between = _between(here, goal, _eased(number / steps))
        found = kinematics.joints_for(between, last, near=True)
        if found is None or float(np.abs(found - last).max()) > LARGEST_JUMP_RAD:
            return None
        postures.append(found)
        last = found
    return tuple(postures)


def _turning(start: Joints, end: Joints, least_steps: int) -> tuple[Joints, ...]:
    longest_rad = float(np.abs(end - start).max())
    steps = max(least_steps, math.ceil(longest_rad / JOINT_STEP_RAD), 1)
    return tuple(start + (end - start) * _eased(number / steps) for number in range(1, steps + 1))


def _between(here: Tool, goal: Tool, share: float) -> Tool:
    """Angles are interpolated the short way round, each by itself."""
    return Tool(
        *(a + share * (b - a) for a, b in zip(here[:3], goal[:3], strict=True)),
        *(a + share * _short(b - a) for a, b in zip(here[3:], goal[3:], strict=True)),
    )


def _eased(share: float) -> float:
    """From rest to rest."""
    return share * share * (3.0 - 2.0 * share)


def _short(angle_rad: float) -> float:
    return math.remainder(angle_rad, math.tau)


def _other_way_round(yaw_rad: float) -> float:
    """The gripper is the same turned by half a turn."""
    return yaw_rad - math.pi if yaw_rad > 0.0 else yaw_rad + math.pi


def _angle_between(one: Tool, other: Tool) -> float:
    cosine = (float(np.trace(rotation_of(one).T @ rotation_of(other))) - 1.0) / 2.0
    return math.acos(max(-1.0, min(1.0, cosine)))


def _lowest_m(tool: Tool) -> float:
    """Of the fingertips, over the table."""
    return tool.z_m + FINGERTIP_M * float(rotation_of(tool)[2, 2])
