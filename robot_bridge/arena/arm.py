"""Where the arm's joints must be for the grip to be somewhere, and how it gets there without a jerk."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from robot_bridge.arena.physics import CONTROL_S, Physics

LINK_M = 0.2
SHOULDER_AHEAD_M, SHOULDER_HEIGHT_M = 0.06, 0.19
GRIP_BELOW_WRIST_M = 0.075
REACH_M = 2 * LINK_M - 0.005
LARGEST_WAIST_RAD = 1.2
GRIP_SPEED_M_S = 0.25
SETTLE_S = 0.15


class Grip(NamedTuple):
    """The gripper, fingers down: `waist_rad` off straight ahead, `ahead_m` of the waist, `height_m` up."""

    waist_rad: float
    ahead_m: float
    height_m: float


STOWED = Grip(0.0, 0.10, 0.30)
"""Open fingers, or what they hold, then reach no further than the base is kept from the walls."""


def joints_for(grip: Grip) -> tuple[float, float, float, float] | None:
    """Waist, shoulder, elbow and wrist in radians, the elbow up; None where the arm does not reach."""
    ahead_m, above_m = grip.ahead_m, grip.height_m + GRIP_BELOW_WRIST_M - SHOULDER_HEIGHT_M
    span_m = math.hypot(ahead_m, above_m)
    if not 0.02 < span_m <= REACH_M or abs(grip.waist_rad) > LARGEST_WAIST_RAD:
        return None
    elbow = math.acos((span_m**2 - 2 * LINK_M**2) / (2 * LINK_M**2))
    shoulder = math.atan2(ahead_m, above_m) - elbow / 2
    return grip.waist_rad, shoulder, elbow, math.pi - shoulder - elbow


def grip_of(joints_rad: Sequence[float]) -> Grip:
    """The inverse of `joints_for`, for any posture."""
    waist, shoulder, elbow, _ = joints_rad
    ahead_m = LINK_M * (math.sin(shoulder) + math.sin(shoulder + elbow))
    above_m = LINK_M * (math.cos(shoulder) + math.cos(shoulder + elbow))
    return Grip(waist, ahead_m, above_m + SHOULDER_HEIGHT_M - GRIP_BELOW_WRIST_M)


def apart_m(one: Grip, other: Grip) -> float:
    """How far apart two grips are, over the plane of the arm and across it."""
    across_m = 2 * math.sin(abs(one.waist_rad - other.waist_rad) / 2) * min(one.ahead_m, other.ahead_m)
    return math.hypot(one.ahead_m - other.ahead_m, one.height_m - other.height_m, across_m)


def reach(physics: Physics, goal: Grip) -> Iterator[None]:
    """Along a straight line at GRIP_SPEED_M_S, a point of it each period. `goal` must be within reach."""
    here = grip_of(physics.joints_rad())
    way_m = math.hypot(goal.ahead_m - here.ahead_m, goal.height_m - here.height_m)
    way_m += 0.3 * abs(goal.waist_rad - here.waist_rad)
    periods = max(1, math.ceil(way_m / (GRIP_SPEED_M_S * CONTROL_S)))
    for period in range(1, periods + 1):
        share = period / periods
        between = Grip(*(a + share * (b - a) for a, b in zip(here, goal, strict=True)))
        joints = joints_for(between)
        if joints is not None:
            physics.bend(joints)
        yield
    yield from wait(SETTLE_S)


def wait(for_s: float) -> Iterator[None]:
    for _ in range(math.ceil(for_s / CONTROL_S)):
        yield
