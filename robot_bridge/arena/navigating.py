"""navigate and explore: to a collision-checked stand-off, round what is sensed on the way."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence

from robot_bridge.arena.paths import is_clear, way
from robot_bridge.arena.rover import Ending, Rover, Skill
from robot_bridge.arena.scenarios import Spot

STAND_OFF_M, NEAR_M = 0.50, 0.35
DIRECTIONS = 24
LOOK_AHEAD = 20
"""Periods of control between two looks at what has come into the way."""
TRIES = 3
BACK_M = 0.10

Leg = Generator[None, None, str]
"""How it ended: arrived, stuck, or in_the_way where something came to stand there."""


def go(rover: Rover, goals: Sequence[Spot], face: Spot | None, name: str) -> Skill:
    """To the nearest of `goals`, then turned to `face`."""
    tries = 0
    while tries < TRIES:
        corners = way(rover.costmap(), rover.spot(), goals)
        if corners is None:
            return Ending("failed", "unreachable", f"No way leads to {name}.")
        ended = yield from _follow(rover, corners)
        if ended == "dropped":
            return Ending("failed", "dropped", f"What was held fell at {words(rover.spot())}.")
        if ended == "arrived":
            if face is not None and not (yield from rover.turn_to(face)):
                return Ending("failed", "stuck", f"Cannot turn at {words(rover.spot())}.")
            return Ending("succeeded", "arrived", f"Arrived at {words(rover.spot())}.")
        if ended == "stuck":
            tries += 1
            yield from _back_off(rover)
    return Ending("failed", "blocked", f"The way is blocked at {words(rover.spot())}.")


def stand_offs(rover: Rover, spot: Spot) -> list[Spot]:
    """Where the base may stand to approach `spot` in a straight line."""
    costmap = rover.costmap()
    found = []
    for number in range(DIRECTIONS):
        angle_rad = math.tau * number / DIRECTIONS
        ahead = math.cos(angle_rad), math.sin(angle_rad)
        stand, near = ((spot[0] + d * ahead[0], spot[1] + d * ahead[1]) for d in (STAND_OFF_M, NEAR_M))
        if costmap.sees(stand, near):
            found.append(stand)
    return found


def words(spot: Spot) -> str:
    """The place as an operator reads it."""
    return f"({spot[0]:.2f}, {spot[1]:.2f}) m"


def _follow(rover: Rover, corners: Sequence[Spot]) -> Leg:
    held = rover.held
    for number, corner in enumerate(corners):
        drive = rover.drive_to(corner)
        periods = 0
        while True:
            try:
                next(drive)
            except StopIteration as ended:
                if not ended.value:
                    return "stuck"
                break
            yield
            periods += 1
            if rover.held != held:
                rover.physics.drive(0.0, 0.0)
                return "dropped"
            if periods % LOOK_AHEAD == 0 and not is_clear(rover.costmap(), rover.spot(), corners[number:]):
                rover.physics.drive(0.0, 0.0)
                return "in_the_way"
    return "arrived"


def _back_off(rover: Rover) -> Generator[None, None, None]:
    start = rover.spot()
    for _ in range(20):
        if math.dist(rover.spot(), start) >= BACK_M:
            break
        rover.physics.drive(-0.1, 0.0)
        yield
    rover.physics.drive(0.0, 0.0)
