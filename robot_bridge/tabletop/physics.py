"""The simulated arm and things: what can be commanded, and what can be measured.

100 Hz; the arm is controlled at 20 Hz. Deterministic: the same commands give the same bytes on one machine.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from robot_bridge.simulation.keeping import Keeper
from robot_bridge.tabletop.grasping import Grasp
from robot_bridge.tabletop.kinematics import JOINTS, Joints, tool_of
from robot_bridge.tabletop.scene import compile_scene
from robot_bridge.tabletop.staging import Look, Stage
from robot_bridge.tabletop.values import Change, Layout, Pose, Snapshot
from robot_bridge.world import Tool

log = logging.getLogger(__name__)
# Else MuJoCo writes its warnings to a file in whatever folder it was started in.
mujoco.set_mju_user_warning(lambda message: log.warning("MuJoCo: %s", message))

SUBSTEPS = 5
CONTROL_S = 0.05
OPENING_M = 0.08
"""Between the pads of fingers that stand quite open."""
OPEN_M = 0.072
"""From here on the gripper counts as open: no thing is so wide."""
STILL_RAD_S, STILL_M_S = 0.02, 0.005
FINGERS = ("finger_left", "finger_right")
ARM = ("arm_", "finger_", "pad_")
"""How the names of its parts begin."""


class Physics:
    """Of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.model = compile_scene(layout)
        self.data = mujoco.MjData(self.model)
        model = self.model
        self._qpos = [int(model.joint(name).qposadr[0]) for name in (*JOINTS, *FINGERS)]
        self._dof = [int(model.joint(name).dofadr[0]) for name in (*JOINTS, *FINGERS)]
        self._ctrl = [model.actuator(name).id for name in (*JOINTS, *FINGERS)]
        self._arm = [geom for geom in range(model.ngeom) if model.geom(geom).name.startswith(ARM)]
        self._aim = np.zeros(len(JOINTS))
        self._site = model.site("tcp").id
        self._bodies = [(thing.name, model.body(thing.name).id) for thing in layout.things]
        self._caps = [
            (thing.name, int(model.joint(thing.name).qposadr[0]))
            for thing in layout.things
            if thing.kind == "button"
        ]
        self.stage = Stage(model, self.data, layout)
        self.grasp = Grasp(model, self.data, layout)
        self._keeper = Keeper(model, self.data)
        self._keeper.refresh()

    @property
    def grasped(self) -> str | None:
        return self.grasp.held

    def stand(self, joints: Joints, opening_m: float) -> None:
        """Put the arm there without passing through what lies between: for the beginning only."""
        self.data.qpos[self._qpos] = [*joints, opening_m / 2, opening_m / 2]
        self._aim = np.array(joints)
        self.data.ctrl[self._ctrl[:7]] = joints
        self.set_fingers(opening_m)
        self._keeper.refresh()

    def bend(self, joints: Joints) -> None:
        """The arm's set points at the end of the next period of control; they move there evenly."""
        self._aim = np.array(joints)

    def set_fingers(self, opening_m: float) -> None:
        self.data.ctrl[self._ctrl[7:]] = opening_m / 2

    def is_told_to_open(self) -> bool:
        return float(self.data.ctrl[self._ctrl[7]]) > OPENING_M / 4

    def freeze(self) -> None:
        """The arm stays where it is; what is held stays held."""
        self._aim = self.joints()
        self.data.ctrl[self._ctrl[:7]] = self._aim

    def change(self, changes: Sequence[Change]) -> None:
        """What the task does to things in the step to come; all else is as in the layout."""
        self.stage.set(changes)
        if self.grasped is not None and self.stage.is_moved(self.grasped):
            self.grasp.release()

    def advance(self) -> bool:
        """One period of control. False where the simulation broke down: all is as it was before, at rest."""
        arm = self._ctrl[:7]
        before = self.data.ctrl[arm].copy()
        for number in range(1, SUBSTEPS + 1):
            self.data.ctrl[arm] = before + (self._aim - before) * (number / SUBSTEPS)
            # mj_step in its two halves, the second one first: what is measured afterwards is of this moment.
            mujoco.mj_step2(self.model, self.data)
            self.stage.hold()
            mujoco.mj_step1(self.model, self.data)
        if self._keeper.is_broken():
            self._keeper.mend()
            return False
        self.grasp.update(self.is_told_to_open(), self.opening_m())
        self._keeper.keep()
        return True

    def joints(self) -> Joints:
        found: Joints = self.data.qpos[self._qpos[:7]].copy()
        return found

    def off_rad(self) -> float:
        """How far the joint that is furthest from its set point is from it."""
        off: NDArray[np.float64] = self._aim - self.data.qpos[self._qpos[:7]]
        return float(np.abs(off).max())

    def tool(self) -> Tool:
        return tool_of(self.data.site_xpos[self._site], self.data.site_xmat[self._site])

    def opening_m(self) -> float:
        return float(self.data.qpos[self._qpos[7:]].sum())

    def fingers_rest(self) -> bool:
        return float(np.abs(self.data.qvel[self._dof[7:]]).max()) < STILL_M_S

    def is_still(self) -> bool:
        return self.fingers_rest() and float(np.abs(self.data.qvel[self._dof[:7]]).max()) < STILL_RAD_S

    def speed_m_s(self) -> float:
        """Of the tool."""
        jacobian = np.zeros((3, self.model.nv))
        mujoco.mj_jacSite(self.model, self.data, jacobian, None, self._site)
        return float(np.linalg.norm(jacobian @ self.data.qvel))

    def poses(self) -> dict[str, Pose]:
        """Where the middle of each thing is."""
        places, turned = self.data.xpos.tolist(), self.data.xmat
        yaws = np.arctan2(turned[:, 3], turned[:, 0]).tolist()
        found = {}
        for name, body in self._bodies:
            x_m, y_m, z_m = places[body]
            found[name] = Pose(x_m, y_m, z_m, yaws[body])
        return found

    def snapshot(self, step: int) -> Snapshot:
        tool = self.tool()
        opening_m = self.opening_m()
        return Snapshot(
            step=step,
            tcp=tool[:3],
            rpy=tool[3:],
            opening_m=opening_m,
            fingers_open=opening_m >= OPEN_M,
            grasped=self.grasped,
            objects=self.poses(),
            buttons={name: float(self.data.qpos[at]) for name, at in self._caps},
        )

    def look(self, *, without_arm: bool = False) -> Look:
        """What the cameras would see now, small enough to be kept; `without_arm` nor what it holds."""
        look = self.stage.look()
        if without_arm:
            look.rgba[self._arm] = 0.0
            if self.grasped is not None:
                look.rgba[self.stage.geoms_of(self.grasped)] = 0.0
        return look

    def save(self) -> dict[str, Any]:
        return {
            "state": self._keeper.save(),
            "aim": self._aim.tolist(),
            "grasp": self.grasp.save(),
            "changes": [list(each) for each in self.stage.changes],
        }

    def restore(self, saved: dict[str, Any]) -> None:
        self.grasp.restore(saved["grasp"])
        self._aim = np.array(saved["aim"])
        self.stage.set(())
        self._keeper.restore(saved["state"])
        self.stage.set([_change(*each) for each in saved["changes"]])
        self._keeper.refresh()


def _change(name: str, pose: Sequence[float] | None, colour: str | None, gone: bool) -> Change:
    return Change(name, None if pose is None else Pose(*pose), colour, gone)
