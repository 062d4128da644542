"""The simulated bodies: what can be commanded of the robot, and what can be measured of everything.

120 Hz; the robot is controlled at 20 Hz. Deterministic: the same commands give the same bytes on one machine.
"""

from __future__ import annotations

import base64
import logging
import math
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from robot_bridge.arena.scenarios import Spot
from robot_bridge.arena.scene import HEIGHT_M
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

STILL_M_S, STILL_RAD_S = 0.01, 0.05
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class Physics:
    """`containers`: the names of the free bodies that may be grasped."""

    def __init__(self, model: mujoco.MjModel, containers: Sequence[str]) -> None:
        self.model, self.data = model, mujoco.MjData(model)
        self._rover, self._grip = model.body("rover").id, model.site("grip").id
        self._bodies = {name: model.body(name).id for name in containers}
        self._geoms = {model.geom(name).id: name for name in containers}
        self._pads = {model.geom(name).id: name for name in FINGERS}
        self._qpos = {
            name: int(model.joint(name).qposadr[0]) for name in (*ARM, *FINGERS, "rover", *containers)
        }
        self._qvel = {name: int(model.joint(name).dofadr[0]) for name in (*ARM, "rover", *containers)}
        self._ctrl = {name: model.actuator(name).id for name in (*WHEELS, *ARM, *FINGERS)}
        mujoco.mj_forward(model, self.data)

    def advance(self) -> None:
        """One period of control."""
        mujoco.mj_step(self.model, self.data, SUBSTEPS)

    def drive(self, speed_m_s: float, turn_rad_s: float) -> None:
        across_m_s = turn_rad_s * TRACK_M / 2
        self.data.ctrl[self._ctrl["wheel_left"]] = (speed_m_s - across_m_s) / WHEEL_M
        self.data.ctrl[self._ctrl["wheel_right"]] = (speed_m_s + across_m_s) / WHEEL_M

    def bend(self, joints_rad: Sequence[float]) -> None:
        """The arm's set points, waist to wrist."""
        for name, angle_rad in zip(ARM, joints_rad, strict=True):
            self.data.ctrl[self._ctrl[name]] = angle_rad

    def pose_arm(self, joints_rad: Sequence[float]) -> None:
        """Put the arm there without passing through what lies between: for the beginning only."""
        for name, angle_rad in zip(ARM, joints_rad, strict=True):
            self.data.qpos[self._qpos[name]] = angle_rad
        self.bend(joints_rad)
        mujoco.mj_forward(self.model, self.data)

    def set_fingers(self, opening_m: float) -> None:
        """`opening_m` between the pads."""
        for name in FINGERS:
            self.data.ctrl[self._ctrl[name]] = opening_m / 2

    def freeze(self) -> None:
        """Wheels to a stop, the arm where it is; the fingers keep what they hold."""
        self.drive(0.0, 0.0)
        self.bend(self.joints_rad())

    def pose(self) -> Pose:
        x_m, y_m = self.data.xpos[self._rover, :2].tolist()
        rotation = self.data.xmat[self._rover]
        return Pose(x_m, y_m, math.atan2(rotation[3], rotation[0]))

    def joints_rad(self) -> list[float]:
        return [float(self.data.qpos[self._qpos[name]]) for name in ARM]

    def opening_m(self) -> float:
        return float(sum(self.data.qpos[self._qpos[name]] for name in FINGERS))

    def speed_m_s(self) -> float:
        at = self._qvel["rover"]
        return float(np.hypot(*self.data.qvel[at : at + 2]))

    def is_still(self) -> bool:
        at = self._qvel["rover"]
        turning = abs(float(self.data.qvel[at + 5]))
        arm = max(abs(float(self.data.qvel[self._qvel[name]])) for name in ARM)
        return self.speed_m_s() < STILL_M_S and max(turning, arm) < STILL_RAD_S

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
        touched: dict[str, set[str]] = {}
        for first, second in self.data.contact.geom[: self.data.ncon].tolist():
            for pad, other in ((first, second), (second, first)):
                if pad in self._pads and other in self._geoms:
                    touched.setdefault(self._geoms[other], set()).add(self._pads[pad])
        return next((name for name, pads in touched.items() if len(pads) == len(FINGERS)), None)

    def contacts(self) -> list[str]:
        """What each pad touches, in words."""
        pairs = self.data.contact.geom[: self.data.ncon].tolist()
        told = {
            f"{self._pads[pad]} on {self.model.geom(other).name or 'a bin'}"
            for first, second in pairs
            for pad, other in ((first, second), (second, first))
            if pad in self._pads
        }
        return sorted(told)

    def set_down(self, container: str, spot: Spot) -> None:
        """Somebody else put it there: upright, at rest."""
        at, speed_at = self._qpos[container], self._qvel[container]
        self.data.qpos[at : at + 7] = [*spot, HEIGHT_M / 2, 1.0, 0.0, 0.0, 0.0]
        self.data.qvel[speed_at : speed_at + 6] = 0.0
        mujoco.mj_forward(self.model, self.data)

    def save(self) -> dict[str, Any]:
        state = np.empty(mujoco.mj_stateSize(self.model, _STATE))
        mujoco.mj_getState(self.model, self.data, state, _STATE)
        return {"state": base64.b64encode(state.tobytes()).decode()}

    def restore(self, saved: dict[str, Any]) -> None:
        state = np.frombuffer(base64.b64decode(saved["state"]))
        mujoco.mj_setState(self.model, self.data, state, _STATE)
        mujoco.mj_forward(self.model, self.data)
