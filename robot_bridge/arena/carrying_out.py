"""What is common to all skills: the hand is made ready before, and what is carried is watched throughout."""

from __future__ import annotations

from robot_bridge.arena import arm
from robot_bridge.arena.physics import OPEN_M
from robot_bridge.arena.rover import Fault, Motion, Rover, failed
from robot_bridge.arena.scenarios import words
from robot_bridge.arena.scene import HEIGHT_M
from robot_bridge.simulation.running import Ending, Skill

CLEAR_M = 0.20
"""The grip is raised to here before it moves sideways or back: above what stands on the floor."""
STOWED_WITHIN_M = 0.05
LETTING_GO_S = 0.4


def carried_out(rover: Rover, motion: Skill, *, lets_go: bool) -> Skill:
    """`motion` with the hand made ready first. It ends where what is carried falls, unless it `lets_go`."""
    fault = yield from ready(rover)
    if fault is not None:
        return failed(fault)
    carried = rover.held
    while True:
        try:
            next(motion)
        except StopIteration as ended:
            ending: Ending = ended.value
            return ending
        yield
        if carried is not None and rover.held != carried and not lets_go:
            motion.close()
            rover.physics.drive(0.0, 0.0)
            name = rover.floor.ids[carried]
            return failed(Fault("dropped", f"{name} fell from the fingers at {words(rover.spot())}."))


def ready(rover: Rover) -> Motion:
    """Whatever a stop left: what was caught and never taken stands on the floor again, the arm is folded.

    Takes no time where that is so already. What is held stays held.
    """
    if rover.held is None and rover.physics.is_touching():
        yield from _put_back(rover)
    if arm.apart_m(rover.grip(), arm.STOWED) < STOWED_WITHIN_M:
        return None
    return (yield from stow(rover))


def stow(rover: Rover) -> Motion:
    """Up first, so that nothing is swept over, then back."""
    grip = rover.grip()
    raised = grip._replace(height_m=CLEAR_M)
    if grip.height_m < CLEAR_M and arm.joints_for(raised) is not None:
        fault = yield from rover.reach(raised)
        if fault is not None:
            return fault
    return (yield from rover.reach(arm.STOWED))


def _put_back(rover: Rover) -> Motion:
    """As far down as what is between the fingers is off the floor, then open."""
    name = rover.physics.pinched()
    if name is not None:
        above_m = rover.physics.place(name)[2] - HEIGHT_M / 2
        grip = rover.grip()
        lowered = grip._replace(height_m=grip.height_m - above_m)
        if above_m > 0.0 and arm.joints_for(lowered) is not None:
            yield from rover.reach(lowered)
    rover.physics.set_fingers(OPEN_M)
    yield from arm.wait(LETTING_GO_S)
    return None
