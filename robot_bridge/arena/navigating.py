"""navigate and explore: to a collision-checked stand-off, round what is sensed on the way."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence

from robot_bridge.arena.paths import is_clear, way
from robot_bridge.arena.rover import Fault, Motion, Rover, failed
from robot_bridge.arena.scenarios import Spot, words
from robot_bridge.simulation.running import Ending, Skill

STAND_OFF_M, NEAR_M = 0.50, 0.35
DIRECTIONS = 24
LOOK_AHEAD = 20
"""Periods of control between two looks at what has come into the way."""
TRIES = 3
WAYS = 12
"""Ways planned for one drive. Six containers come into sight on it, and one of them may be moved."""
BACK_M = 0.10
IN_THE_WAY = Fault("blocked", "Something came to stand in the way.")


def navigate(rover: Rover, goal: Spot) -> Skill:
    return (yield from _go(rover, stand_offs(rover, goal), goal, words(goal)))


def explore(rover: Rover, middle: Spot, name: str) -> Skill:
    return (yield from _go(rover, [middle], None, name))


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


def _go(rover: Rover, goals: Sequence[Spot], face: Spot | None, name: str) -> Skill:
    """To the nearest of `goals`, then turned to `face`."""
    faults = 0
    for _ in range(WAYS):
        corners = way(rover.costmap(), rover.spot(), goals)
        if corners is None:
            return Ending("failed", "unreachable", f"No way leads to {name}.")
        fault = yield from _follow(rover, corners)
        if fault is None and face is not None:
            fault = yield from rover.turn_to(face)
        if fault is None:
            return Ending("succeeded", "arrived", f"Arrived at {words(rover.spot())}.")
        if fault is IN_THE_WAY:
            continue
        faults += 1
        if faults == TRIES:
            return failed(fault._replace(message=f"{fault.message} Tried {TRIES} times."))
        yield from _back_off(rover)
    return Ending(
        "failed", "blocked", f"The way is blocked at {words(rover.spot())}, {WAYS} ways were tried."
    )


def _follow(rover: Rover, corners: Sequence[Spot]) -> Motion:
    for number, corner in enumerate(corners):
        drive = rover.drive_to(corner)
        periods = 0
        while True:
            try:
                next(drive)
            except StopIteration as ended:
                if ended.value is not None:
                    fault: Fault = ended.value
                    return fault
                break
            yield
            periods += 1
            if periods % LOOK_AHEAD == 0 and not _is_clear_ahead(rover, corners[number:]):
                rover.physics.drive(0.0, 0.0)
                return IN_THE_WAY
    return None


def _is_clear_ahead(rover: Rover, corners: Sequence[Spot]) -> bool:
    """From where it is; where that is too near to something already, from the corner it leaves that for."""
    costmap, here = rover.costmap(), rover.spot()
    if costmap.is_free(here):
        return is_clear(costmap, here, corners)
    return costmap.is_free(corners[0]) and is_clear(costmap, corners[0], corners[1:])


def _back_off(rover: Rover) -> Generator[None, None, None]:
    start = rover.spot()
    for _ in range(20):
        if math.dist(rover.spot(), start) >= BACK_M:
            break
        rover.physics.drive(-0.1, 0.0)
        yield
    rover.physics.drive(0.0, 0.0)
