"""The robot as its skills see it: where it is, what it holds, and the motions that skills are made of.

A motion is a generator that commands the wheels or the arm and yields once for each period of control; what
it returns is the fault, as measured, that kept it from its end. Nothing moves unless somebody asks for the
next period.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from robot_bridge.arena import arm
from robot_bridge.arena.floor import Floor
from robot_bridge.arena.paths import Box, Costmap, Disc
from robot_bridge.arena.physics import CONTROL_S, SIDES, WHEELS, Physics
from robot_bridge.arena.scenarios import CELL_M, STATION_CELLS, Cell, Spot, spot_of, words
from robot_bridge.arena.scene import BIN_HALF_M, BIN_WALL_M, RADII_M
from robot_bridge.simulation.running import Ending
from robot_bridge.world import Pose

SPEED_M_S = 0.25
TURN_RAD_S = 1.2
ACCELERATION_M_S2 = 0.5
STUCK_S = 2.0
"""Commanded for so long without coming nearer, it is stuck."""
PROGRESS_M = 0.02
STALLED = 0.2
"""A wheel that turned by less than this share of what it was told was stalled."""
SENSED_M = 1.0
"""How far the robot senses what stands in its way, whatever it is."""
FACING_RAD = 0.03
HERE_M = 0.05
"""What is nearer than this to the base's middle lies in no direction."""
LIFTED_M = 0.10
"""The middle of what was lifted is higher than this; standing, it is at 0.06."""
GRIPPED_M = 0.06
"""What is further than this from the middle of the grip is not in it. Contact alone flickers in a turn."""
STEP_M = 0.1
"""The path is told in steps of this length."""

ARRIVED_M = 0.03
"""The grip is where it was to be."""


class Fault(NamedTuple):
    """What physics kept a motion from, as the outcome's reason and words."""

    reason: str
    message: str


Motion = Generator[None, None, Fault | None]
"""None where it came to its end."""


def failed(fault: Fault) -> Ending:
    return Ending("failed", *fault)


class Rover:
    """`second`: the world's time in whole seconds. `held`: the container in the gripper, by index."""

    def __init__(
        self, physics: Physics, floor: Floor, obstacles: tuple[Cell, ...], second: Callable[[], int]
    ) -> None:
        self.physics, self.floor, self.second = physics, floor, second
        self.held: int | None = None
        boxes = [Box(spot_of(cell), CELL_M / 2) for cell in obstacles]
        self._boxes = boxes + [Box(spot_of(cell), BIN_HALF_M + BIN_WALL_M) for cell in STATION_CELLS]

    def pose(self) -> Pose:
        return self.physics.pose()

    def spot(self) -> Spot:
        pose = self.physics.pose()
        return pose.x_m, pose.y_m

    def costmap(self) -> Costmap:
        """What is known to stand in the way: obstacles and bins, and the containers near by."""
        here = self.spot()
        near = [
            index for index in self.floor.on_floor() if math.dist(self.floor.spot(index), here) < SENSED_M
        ]
        return Costmap(self._boxes, [Disc(self.floor.spot(i), RADII_M[self.floor.classes[i]]) for i in near])

    def sees(self, index: int) -> Spot | None:
        """Where its own detector makes it out now, reflections included."""
        made_out = self.floor.seen(self.second(), index, self.pose())
        return None if made_out is None else made_out[0]

    def holds(self, index: int) -> bool:
        return self.held == index

    def feel(self) -> None:
        """What is held is measured, whatever the skill that moves the hand makes of it.

        Taken once both fingers touch it and it is off the floor, lost once it is no longer between them.
        """
        if self.held is not None:
            if self.physics.from_grip_m(self.floor.ids[self.held]) > GRIPPED_M:
                self.held = None
        else:
            name = self.physics.pinched()
            if name is not None and self.physics.place(name)[2] > LIFTED_M:
                self.held = self.floor.ids.index(name)
        self.floor.settle(self.held)

    def freeze(self) -> None:
        """Base, arm and fingers stop; fingers that have something between them go on pressing."""
        self.physics.freeze(keeps_grip=self.held is not None or self.physics.pinched() is not None)

    def bearing_rad(self, spot: Spot) -> float:
        """From straight ahead, positive to the left, -π to π."""
        pose = self.pose()
        return math.remainder(math.atan2(spot[1] - pose.y_m, spot[0] - pose.x_m) - pose.yaw_rad, math.tau)

    def turn_to(self, spot: Spot) -> Motion:
        if math.dist(self.spot(), spot) < HERE_M:
            return None
        progress = Progress(self.physics, PROGRESS_M)
        while abs(off_rad := self.bearing_rad(spot)) > FACING_RAD:
            if progress.is_stuck(abs(off_rad)):
                return self._stuck(progress.stalled())
            self.physics.drive(0.0, _limited(2.5 * off_rad, TURN_RAD_S))
            yield
        self.physics.drive(0.0, 0.0)
        yield
        return None

    def drive_to(self, spot: Spot, within_m: float = 0.04) -> Motion:
        """Turn towards it and go; slower near the end."""
        speed_m_s, progress = 0.0, Progress(self.physics, PROGRESS_M)
        while (away_m := math.dist(self.spot(), spot)) > within_m:
            off_rad = self.bearing_rad(spot)
            if progress.is_stuck(away_m + abs(off_rad)):
                return self._stuck(progress.stalled())
            wanted_m_s = 0.0 if abs(off_rad) > 0.35 else min(SPEED_M_S, away_m + 0.04) * math.cos(off_rad)
            speed_m_s = _ramped(speed_m_s, wanted_m_s)
            self.physics.drive(speed_m_s, _limited(2.5 * off_rad, TURN_RAD_S))
            yield
        self.physics.drive(0.0, 0.0)
        return None

    def stand_off(self, spot: Spot, distance_m: float) -> Motion:
        """Face it at that distance, forward or backward."""
        progress = Progress(self.physics, PROGRESS_M / 4)
        while True:
            off_m, off_rad = math.dist(self.spot(), spot) - distance_m, self.bearing_rad(spot)
            if abs(off_m) < 0.008 and abs(off_rad) < FACING_RAD:
                break
            if progress.is_stuck(abs(off_m) + 0.2 * abs(off_rad)):
                return self._stuck(progress.stalled())
            speed_m_s = 0.0 if abs(off_rad) > 0.35 else _limited(1.5 * off_m, 0.15)
            self.physics.drive(speed_m_s, _limited(2.5 * off_rad, TURN_RAD_S))
            yield
        self.physics.drive(0.0, 0.0)
        yield
        return None

    def grip(self) -> arm.Grip:
        return arm.grip_of(self.physics.joints_rad())

    def reach(self, grip: arm.Grip) -> Motion:
        if arm.joints_for(grip) is None:
            return Fault("out_of_reach", f"The arm does not reach {grip.ahead_m:.2f} m ahead of it.")
        yield from arm.reach(self.physics, grip)
        return None if arm.apart_m(self.grip(), grip) < ARRIVED_M else self._short()

    def _stuck(self, stalled: Sequence[str]) -> Fault:
        """Wheels that stood though they were driven, or wheels that turned and brought it nowhere."""
        here = words(self.spot())
        self.physics.drive(0.0, 0.0)
        if not stalled:
            touches = "".join(f", {each}" for each in self.physics.contacts())
            return Fault("blocked", f"The wheels turn at {here} and the robot comes no nearer{touches}.")
        names = " and ".join(SIDES[wheel] for wheel in stalled)
        verb = "does" if len(stalled) == 1 else "do"
        return Fault("stuck", f"The {names} {verb} not turn at {here}, though driven.")

    def _short(self) -> Fault:
        """A joint that stands at its limit, or one that something keeps from where it was to be."""
        joint, off_rad, at_limit = self.physics.short_of()
        if at_limit:
            return Fault("joint_limit", f"The {joint} stands at its limit, {off_rad:.2f} rad short.")
        return Fault("arm_blocked", f"The {joint} stops {off_rad:.2f} rad short of where it was to be.")


class Progress:
    """Whether what is to become small still does, and what the wheels did since it last did."""

    def __init__(self, physics: Physics, least: float) -> None:
        self._physics, self._least = physics, least
        self._best = math.inf
        self._since_s = 0.0
        self._told_rad, self._turned_rad = [0.0, 0.0], [0.0, 0.0]

    def is_stuck(self, left: float) -> bool:
        if left < self._best - self._least:
            self._best, self._since_s = left, 0.0
            self._told_rad, self._turned_rad = [0.0, 0.0], [0.0, 0.0]
        else:
            self._since_s += CONTROL_S
            for wheel, (told_rad_s, turned_rad_s) in enumerate(self._physics.wheels_rad_s()):
                self._told_rad[wheel] += told_rad_s * CONTROL_S
                self._turned_rad[wheel] += turned_rad_s * CONTROL_S
        return self._since_s > STUCK_S

    def stalled(self) -> list[str]:
        """The wheels that did not do what they were told."""
        return [
            wheel
            for wheel, told_rad, turned_rad in zip(WHEELS, self._told_rad, self._turned_rad, strict=True)
            if turned_rad < STALLED * told_rad
        ]


def _limited(value: float, most: float) -> float:
    return max(-most, min(most, value))


def _ramped(now_m_s: float, wanted_m_s: float) -> float:
    most_m_s = ACCELERATION_M_S2 * CONTROL_S
    return now_m_s + _limited(wanted_m_s - now_m_s, most_m_s)
