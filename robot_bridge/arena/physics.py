"""The simulated bodies: what can be commanded of the robot, and what can be measured of everything.

120 Hz; the robot is controlled at 20 Hz. Deterministic: the same commands give the same bytes on one machine.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any

import mujoco

from robot_bridge.arena.scenarios import Spot
from robot_bridge.arena.scene import HEIGHT_M
from robot_bridge.simulation.keeping import Keeper
from robot_bridge.world import Pose

log = logging.getLogger(__name__)
# Else MuJoCo writes its warnings to a file in whatever folder it was started in.
mujoco.set_mju_user_warning(lambda message: log.warning("MuJoCo: %s", message))

SUBSTEPS = 6
CONTROL_S = SUBSTEPS / 120
TRACK_M, WHEEL_M = 0.24, 0.04
"""Between the wheels, and a wheel's radius."""

ARM = ("waist", "shoulder", "elbow", "wrist")
FINGERS = ("finger_left", "finger_right")
WHEELS = ("wheel_left", "wheel_right")
SIDES = {
    "finger_left": "left finger", "finger_right": "right finger",
    "wheel_left": "left wheel", "wheel_right": "right wheel",
}  # fmt: skip

OPEN_M = 0.095
"""Between the pads of open fingers."""
LETS_GO_M = 0.08
"""Fingers so far apart hold neither kind of container: they count as open."""
FIXED = {"": "a bin", "wall": "a wall", "obstacle": "an obstacle", "floor": "the floor"}
"""What does not move, by how its parts' names begin."""

STILL_M_S, STILL_RAD_S = 0.01, 0.05
AT_LIMIT_RAD = 0.02


class Physics:
    """`containers`: the names of the free bodies that may be grasped."""

    def __init__(self, model: mujoco.MjModel, containers: Sequence[str]) -> None:
        self.model, self.data = model, mujoco.MjData(model)
        self._rover, self._grip = model.body("rover").id, model.site("grip").id
        self._bodies = {name: model.body(name).id for name in containers}
        self._geoms = {model.geom(name).id: name for name in containers}
        self._pads = {model.geom(name).id: SIDES[name] for name in FINGERS}
        self._qpos = {
            name: int(model.joint(name).qposadr[0]) for name in (*ARM, *FINGERS, "rover", *containers)
        }
        moving = (*WHEELS, *ARM, *FINGERS, "rover", *containers)
        self._qvel = {name: int(model.joint(name).dofadr[0]) for name in moving}
        self._ctrl = {name: model.actuator(name).id for name in (*WHEELS, *ARM, *FINGERS)}
        self._keeper = Keeper(model, self.data)
        self._keeper.refresh()

    def advance(self) -> bool:
        """One period of control. False where the simulation broke down: all is as it was before, at rest."""
        for _ in range(SUBSTEPS):
            # mj_step in its two halves, the second one first: what is measured afterwards is of this moment.
            mujoco.mj_step2(self.model, self.data)
            mujoco.mj_step1(self.model, self.data)
        if self._keeper.is_broken():
            self._keeper.mend()
            return False
        self._keeper.keep()
        return True

    def drive(self, speed_m_s: float, turn_rad_s: float) -> None:
        across_m_s = turn_rad_s * TRACK_M / 2
        self.data.ctrl[self._ctrl["wheel_left"]] = (speed_m_s - across_m_s) / WHEEL_M
        self.data.ctrl[self._ctrl["wheel_right"]] = (speed_m_s + across_m_s) / WHEEL_M

    def bend(self, joints_rad: Sequence[float]) -> None:
        """The arm's set points, waist to wrist."""
        for name, angle_rad in zip(ARM, joints_rad, strict=True):
            self.data.ctrl[self._ctrl[name]] = angle_rad

    def pose_arm(self, joints_rad: Sequence[float], opening_m: float) -> None:
        """Put the arm there without passing through what lies between: for the beginning only."""
        for name, angle_rad in zip(ARM, joints_rad, strict=True):
            self.data.qpos[self._qpos[name]] = angle_rad
        for name in FINGERS:
            self.data.qpos[self._qpos[name]] = opening_m / 2
        self.bend(joints_rad)
        self.set_fingers(opening_m)
        self._keeper.refresh()

    def set_fingers(self, opening_m: float) -> None:
        """`opening_m` between the pads."""
        for name in FINGERS:
            self.data.ctrl[self._ctrl[name]] = opening_m / 2

    def freeze(self, *, keeps_grip: bool) -> None:
        """Wheels to a stop, arm and fingers where they are; `keeps_grip`: fingers go on pressing."""
        self.drive(0.0, 0.0)
        self.bend(self.joints_rad())
        for name in () if keeps_grip else FINGERS:
            self.data.ctrl[self._ctrl[name]] = self.data.qpos[self._qpos[name]]

    def pose(self) -> Pose:
        x_m, y_m = self.data.xpos[self._rover, :2].tolist()
        rotation = self.data.xmat[self._rover]
        return Pose(x_m, y_m, math.atan2(rotation[3], rotation[0]))

    def joints_rad(self) -> list[float]:
        return [float(self.data.qpos[self._qpos[name]]) for name in ARM]

    def opening_m(self) -> float:
        return float(sum(self.data.qpos[self._qpos[name]] for name in FINGERS))

    def is_open(self) -> bool:
        return self.opening_m() >= LETS_GO_M

    def wheels_rad_s(self) -> list[tuple[float, float]]:
        """How fast each wheel was told to turn, and how fast it does, whichever way round."""
        told = [abs(float(self.data.ctrl[self._ctrl[wheel]])) for wheel in WHEELS]
        return list(zip(told, map(self._rate, WHEELS), strict=True))

    def short_of(self) -> tuple[str, float, bool]:
        """The arm's joint furthest from its set point, by how many radians, and whether at its limit."""
        off_rad = {name: self._off_rad(name) for name in ARM}
        name = max(ARM, key=lambda each: abs(off_rad[each]))
        least_rad, most_rad = self.model.joint(name).range.tolist()
        angle_rad = float(self.data.qpos[self._qpos[name]])
        at_limit = not least_rad + AT_LIMIT_RAD < angle_rad < most_rad - AT_LIMIT_RAD
        return name, abs(off_rad[name]), at_limit

    def speed_m_s(self) -> float:
        at = self._qvel["rover"]
        return math.hypot(*self.data.qvel[at : at + 2].tolist())

    def is_still(self) -> bool:
        at = self._qvel["rover"]
        turning = abs(float(self.data.qvel[at + 5]))
        arm = max(self._rate(name) for name in ARM)
        fingers = max(self._rate(name) for name in FINGERS)
        return max(self.speed_m_s(), fingers) < STILL_M_S and max(turning, arm) < STILL_RAD_S

    def place(self, container: str) -> tuple[float, float, float]:
        """Its middle, (x_m, y_m, z_m)."""
        x_m, y_m, z_m = self.data.xpos[self._bodies[container]].tolist()
        return x_m, y_m, z_m

    def from_grip_m(self, container: str) -> float:
        """From the container's middle to the middle of the grip."""
        return math.dist(
            self.data.xpos[self._bodies[container]].tolist(), self.data.site_xpos[self._grip].tolist()
        )

    def pinched(self) -> str | None:
        """The container that both pads touch."""
        touched: dict[str, set[int]] = {}
        for pad, other in self._touching():
            if other in self._geoms:
                touched.setdefault(self._geoms[other], set()).add(pad)
        return next((name for name, pads in touched.items() if len(pads) == len(FINGERS)), None)

    def is_touching(self) -> bool:
        """Whether a finger touches a container."""
        return any(other in self._geoms for _, other in self._touching())

    def contacts(self) -> tuple[str, ...]:
        """What each finger touches, in words."""
        told = {f"{self._pads[pad]} on {self._name(other)}" for pad, other in self._touching()}
        return tuple(sorted(told))

    def set_down(self, container: str, spot: Spot) -> None:
        """Somebody else put it there: upright, at rest."""
        at, speed_at = self._qpos[container], self._qvel[container]
        self.data.qpos[at : at + 7] = [*spot, HEIGHT_M / 2, 1.0, 0.0, 0.0, 0.0]
        self.data.qvel[speed_at : speed_at + 6] = 0.0
        self._keeper.refresh()

    def save(self) -> dict[str, Any]:
        return {"state": self._keeper.save()}

    def restore(self, saved: dict[str, Any]) -> None:
        self._keeper.restore(saved["state"])

    def _touching(self) -> list[tuple[int, int]]:
        """Pairs of a pad and what it touches, by geom."""
        pairs = self.data.contact.geom[: self.data.ncon].tolist()
        both = [pair for first, second in pairs for pair in ((first, second), (second, first))]
        return [(pad, other) for pad, other in both if pad in self._pads]

    def _name(self, geom: int) -> str:
        name: str = self.model.geom(geom).name
        return FIXED.get(name.partition("_")[0], name)

    def _rate(self, joint: str) -> float:
        return abs(float(self.data.qvel[self._qvel[joint]]))

    def _off_rad(self, joint: str) -> float:
        return float(self.data.ctrl[self._ctrl[joint]] - self.data.qpos[self._qpos[joint]])
