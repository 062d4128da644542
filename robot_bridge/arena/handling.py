"""approach, grasp, deliver and verify: at arm's length, by contact, and only as far as it is measured."""

from __future__ import annotations

import math
from collections.abc import Generator

from robot_bridge.arena import arm
from robot_bridge.arena.floor import DELIVERED, FLOOR
from robot_bridge.arena.navigating import NEAR_M, STAND_OFF_M, words
from robot_bridge.arena.physics import CONTROL_S
from robot_bridge.arena.rover import Ending, Rover, Skill
from robot_bridge.arena.scenarios import Spot
from robot_bridge.arena.scene import BIN_HALF_M, HEIGHT_M

LOOKS_S = 3.0
"""How long a look lasts: the detector misses some."""
BELIEVED_WITHIN_M = 0.30
"""What is seen nearer than this to where it is believed is what was meant."""
IN_FRONT_M = 0.60
AT_STATION_M = 0.75
OPEN_M = 0.095
OVER_M, ABOVE_M, RELEASE_M = 0.30, 0.20, 0.19
GRIP_FROM_TOP_M = 0.035
CLOSING_S, LETTING_GO_S = 0.6, 0.4


def approach(rover: Rover, index: int, believed: Spot) -> Skill:
    """Turn to face it, then drive to 0.35 m: a differential drive cannot move sideways."""
    name = rover.floor.ids[index]
    if not (yield from rover.turn_to(believed)):
        return Ending("failed", "stuck", f"Cannot turn at {words(rover.spot())}.")
    spot = yield from _look(rover, index, believed)
    if spot is None:
        return Ending("failed", "absent", f"{name} is not at {words(believed)}.")
    if not (yield from rover.stand_off(spot, NEAR_M)):
        return Ending("failed", "blocked", f"Something stands between the robot and {name}.")
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
    if not (yield from rover.reach(grip._replace(height_m=ABOVE_M))):
        yield from _stow(rover)
        return Ending("failed", "out_of_reach", f"The arm does not reach {name} at {words(spot)}.")
    yield from rover.reach(grip)
    rover.physics.set_fingers(0.0)
    yield from arm.wait(CLOSING_S)
    pinched = rover.physics.pinched()
    if pinched == name:
        yield from rover.reach(grip._replace(height_m=ABOVE_M))
        yield from _stow(rover)
        if rover.holds(index):
            return Ending("succeeded", "grasped", f"Holds {name}, fingers {_opening(rover)} apart.")
        rover.physics.set_fingers(OPEN_M)
        return Ending("failed", "grasp_slipped", f"{name} slipped from the fingers in the lift.")
    closed = _opening(rover)
    rover.physics.set_fingers(OPEN_M)
    yield from arm.wait(LETTING_GO_S)
    yield from rover.reach(grip._replace(height_m=ABOVE_M))
    yield from _stow(rover)
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
    if not (yield from rover.stand_off(spot, NEAR_M)):
        return Ending("failed", "blocked", f"Something stands between the robot and {station}.")
    over = arm.Grip(0.0, NEAR_M - arm.SHOULDER_AHEAD_M, OVER_M)
    for height_m in (OVER_M, RELEASE_M):
        if not (yield from rover.reach(over._replace(height_m=height_m))):
            yield from _stow(rover)
            return Ending("failed", "out_of_reach", f"The arm does not reach into {station}.")
    if not rover.holds(index):
        yield from _stow(rover)
        return Ending("failed", "dropped", f"{name} fell beside {station}.")
    rover.physics.set_fingers(OPEN_M)
    yield from arm.wait(LETTING_GO_S)
    yield from rover.reach(over)
    yield from _stow(rover)
    if rover.holds(index):
        return Ending("failed", "place_failed", f"{name} did not come off the fingers.")
    x_m, y_m, z_m = rover.physics.place(name)
    is_in = max(abs(x_m - spot[0]), abs(y_m - spot[1])) <= BIN_HALF_M and z_m <= 2 * HEIGHT_M
    rover.floor.states[index] = DELIVERED if is_in else FLOOR
    if not is_in:
        return Ending("failed", "place_failed", f"{name} came to rest beside {station}.")
    yield from rover.stand_off(spot, STAND_OFF_M)
    return Ending("succeeded", "delivered", f"Delivered {name} to {station}.")


def verify(rover: Rover, index: int, believed: Spot) -> Skill:
    yield from rover.turn_to(believed)
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


def _stow(rover: Rover) -> Generator[None, None, bool]:
    return (yield from rover.reach(arm.STOWED))


def _opening(rover: Rover) -> str:
    return f"{1000 * rover.physics.opening_m():.0f} mm"
