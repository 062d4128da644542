"""approach, grasp, deliver and verify: at arm's length, by contact, and only as far as it is measured."""

from __future__ import annotations

import math
from collections.abc import Generator

from robot_bridge.arena import arm
from robot_bridge.arena.carrying_out import CLEAR_M, LETTING_GO_S, stow
from robot_bridge.arena.navigating import NEAR_M, STAND_OFF_M
from robot_bridge.arena.physics import CONTROL_S, OPEN_M
from robot_bridge.arena.rover import Rover, failed
from robot_bridge.arena.scenarios import Spot, words
from robot_bridge.arena.scene import HEIGHT_M
from robot_bridge.simulation.running import Ending, Skill

LOOKS_S = 3.0
"""How long a look lasts: the detector misses some."""
BELIEVED_WITHIN_M = 0.30
"""What is seen nearer than this to where it is believed is what was meant."""
IN_FRONT_M = 0.60
AT_STATION_M = 0.75
OVER_M, RELEASE_M = 0.30, 0.19
GRIP_FROM_TOP_M = 0.035
CLOSING_S = 0.6


def approach(rover: Rover, index: int, believed: Spot) -> Skill:
    """Turn to face it, then drive to 0.35 m: a differential drive cannot move sideways."""
    name = rover.floor.ids[index]
    fault = yield from rover.turn_to(believed)
    if fault is not None:
        return failed(fault)
    spot = yield from _look(rover, index, believed)
    if spot is None:
        return Ending("failed", "absent", f"{name} is not at {words(believed)}.")
    fault = yield from rover.stand_off(spot, NEAR_M)
    if fault is not None:
        return failed(fault)
    off_m = math.dist(rover.spot(), spot) - NEAR_M
    return Ending("succeeded", "lined_up", f"Faces {name} at {NEAR_M:.2f} m, {1000 * abs(off_m):.0f} mm off.")


def grasp(rover: Rover, index: int) -> Skill:
    """Over it, down, close; it counts as taken when both fingers touch it, before and after the lift."""
    name = rover.floor.ids[index]
    if rover.held is not None:
        return Ending("failed", "hands_full", f"The gripper holds {rover.floor.ids[rover.held]} already.")
    spot = yield from _look(rover, index, rover.spot(), IN_FRONT_M)
    if spot is None:
        return Ending("failed", "absent", f"{name} is not in front of the robot.")
    grip = _grip_at(rover, spot)
    rover.physics.set_fingers(OPEN_M)
    for height_m in (CLEAR_M, grip.height_m):
        fault = yield from rover.reach(grip._replace(height_m=height_m))
        if fault is not None:
            yield from stow(rover)
            return failed(fault._replace(message=f"{name} at {words(spot)}: {fault.message}"))
    rover.physics.set_fingers(0.0)
    yield from arm.wait(CLOSING_S)
    if rover.physics.pinched() == name:
        return (yield from _lift(rover, index))
    return (yield from _let_go(rover, name))


def _lift(rover: Rover, index: int) -> Skill:
    name = rover.floor.ids[index]
    yield from stow(rover)
    if rover.holds(index):
        return Ending("succeeded", "grasped", f"Holds {name}, fingers {_opening(rover)} apart.")
    rover.physics.set_fingers(OPEN_M)
    yield from arm.wait(LETTING_GO_S)
    return Ending("failed", "grasp_slipped", f"{name} slipped from the fingers in the lift.")


def _let_go(rover: Rover, name: str) -> Skill:
    """The fingers closed, and `name` is not between them."""
    pinched, closed = rover.physics.pinched(), _opening(rover)
    rover.physics.set_fingers(OPEN_M)
    yield from arm.wait(LETTING_GO_S)
    yield from stow(rover)
    if pinched is not None:
        return Ending("failed", "wrong_object", f"Closed on {pinched} in place of {name}; let go.")
    return Ending(
        "failed", "empty_grasp", f"The fingers closed to {closed} without touching {name} on both sides."
    )


def deliver(rover: Rover, index: int, station: str, spot: Spot) -> Skill:
    """Over the rim, let go, and look where it came to rest."""
    name = rover.floor.ids[index]
    if not rover.holds(index):
        return Ending("failed", "not_holding", f"The gripper does not hold {name}.")
    if math.dist(rover.spot(), spot) > AT_STATION_M:
        return Ending("failed", "not_at_station", f"Stands at {words(rover.spot())}, not at {station}.")
    fault = yield from rover.stand_off(spot, NEAR_M)
    if fault is not None:
        return failed(fault)
    if not rover.holds(index):
        return Ending("failed", "dropped", f"{name} fell from the fingers before {station}.")
    over = arm.Grip(0.0, NEAR_M - arm.SHOULDER_AHEAD_M, OVER_M)
    for height_m in (OVER_M, RELEASE_M):
        fault = yield from rover.reach(over._replace(height_m=height_m))
        if fault is not None and rover.holds(index):
            yield from stow(rover)
            return failed(fault._replace(message=f"Into {station}: {fault.message}"))
    was_held = rover.holds(index)
    rover.physics.set_fingers(OPEN_M)
    yield from arm.wait(LETTING_GO_S)
    fault = yield from rover.reach(over)
    fault = fault or (yield from stow(rover))
    if rover.holds(index):
        return Ending("failed", "place_failed", f"{name} did not come off the fingers.")
    if not rover.floor.is_in(index, spot):
        reason = "place_failed" if was_held else "dropped"
        return Ending("failed", reason, f"{name} came to rest beside {station}.")
    fault = fault or (yield from rover.stand_off(spot, STAND_OFF_M))
    left = "" if fault is None else f" Then: {fault.message}"
    return Ending("succeeded", "delivered", f"Delivered {name} to {station}.{left}")


def verify(rover: Rover, index: int, believed: Spot) -> Skill:
    fault = yield from rover.turn_to(believed)
    if fault is not None:
        return failed(fault)
    spot = yield from _look(rover, index, believed)
    seen = "not seen" if spot is None else f"seen at {words(spot)}"
    return Ending("succeeded", "looked", f"Looked for {rover.floor.ids[index]}: {seen}.")


def _look(
    rover: Rover, index: int, believed: Spot, within_m: float = BELIEVED_WITHIN_M
) -> Generator[None, None, Spot | None]:
    for _ in range(math.ceil(LOOKS_S / CONTROL_S)):
        spot = rover.sees(index)
        if spot is not None and math.dist(spot, believed) <= within_m:
            return spot
        yield
    return None


def _grip_at(rover: Rover, spot: Spot) -> arm.Grip:
    """The gripper round the upper part of what stands there."""
    away_m, bearing_rad = math.dist(rover.spot(), spot), rover.bearing_rad(spot)
    ahead_m = away_m * math.cos(bearing_rad) - arm.SHOULDER_AHEAD_M
    left_m = away_m * math.sin(bearing_rad)
    return arm.Grip(math.atan2(left_m, ahead_m), math.hypot(ahead_m, left_m), HEIGHT_M - GRIP_FROM_TOP_M)


def _opening(rover: Rover) -> str:
    return f"{1000 * rover.physics.opening_m():.0f} mm"
