"""Where the arm's joints must be for the tool to be somewhere: damped least squares, joint limits kept.

S. R. Buss, Introduction to inverse kinematics with Jacobian transpose, pseudoinverse and damped least squares
methods (2004), equation 11; what the task leaves free draws the elbow to its usual posture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray

from robot_bridge.world import Tool

Joints = NDArray[np.float64]
"""Seven angles, base to wrist, in radians."""

JOINTS = tuple(f"joint{number}" for number in range(1, 8))
HOME: tuple[float, ...] = (0.0, math.pi / 8, 0.0, -5 * math.pi / 8, 0.0, 3 * math.pi / 4, math.pi / 4)
BASE_X_M = -0.5
WITHIN_M, WITHIN_RAD = 0.0005, 0.005
MOST_ROUNDS = 60
_DAMPING = 0.02
_LONGEST_RAD = 0.3
"""Of a round, in any joint."""
_DOWN = np.diag([1.0, -1.0, -1.0])


class Kinematics:
    """Of one model. It computes on data of its own: nothing that moves is touched."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model, self._data = model, mujoco.MjData(model)
        self._site = model.site("tcp").id
        self._at = [int(model.joint(name).qposadr[0]) for name in JOINTS]
        self._dof = [int(model.joint(name).dofadr[0]) for name in JOINTS]
        ranges = np.array([model.joint(name).range for name in JOINTS])
        self._least, self._most = ranges[:, 0] + 0.01, ranges[:, 1] - 0.01
        self._jacobian = np.zeros((6, model.nv))

    def tool(self, joints: Joints) -> Tool:
        """Where the tool is with the joints so."""
        self._place(joints)
        return tool_of(self._data.site_xpos[self._site], self._data.site_xmat[self._site])

    def joints_for(self, tool: Tool, start: Joints, *, near: bool = False) -> Joints | None:
        """The posture near `start` that puts the tool there; None where none is found within the limits.

        `near`: none is looked for from anywhere else.
        """
        usual = np.array((math.atan2(tool.y_m, tool.x_m - BASE_X_M), *HOME[1:]))
        goal_m, turned = np.array(tool[:3]), rotation_of(tool)
        for seed in (start,) if near else (start, usual):
            found = self._descend(goal_m, turned, seed.copy(), usual)
            if found is not None:
                return found
        return None

    def _descend(
        self, goal_m: NDArray[np.float64], turned: NDArray[np.float64], joints: Joints, usual: Joints
    ) -> Joints | None:
        identity = np.eye(len(JOINTS))
        for _ in range(MOST_ROUNDS):
            jacobian, error = self._error(goal_m, turned, joints)
            if np.linalg.norm(error[:3]) < WITHIN_M and np.linalg.norm(error[3:]) < WITHIN_RAD:
                return joints
            square = jacobian @ jacobian.T + _DAMPING**2 * np.eye(6)
            inverse = jacobian.T @ np.linalg.inv(square)
            step = inverse @ error + (identity - inverse @ jacobian) @ (0.1 * (usual - joints))
            longest = float(np.abs(step).max())
            if longest > _LONGEST_RAD:
                step *= _LONGEST_RAD / longest
            joints = np.clip(joints + step, self._least, self._most)
        return None

    def _error(
        self, goal_m: NDArray[np.float64], turned: NDArray[np.float64], joints: Joints
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The 6 × 7 Jacobian, and how far the tool is off: metres, then radians about each axis."""
        self._place(joints)
        mujoco.mj_jacSite(self._model, self._data, self._jacobian[:3], self._jacobian[3:], self._site)
        away_m = goal_m - self._data.site_xpos[self._site]
        missing = turned @ self._data.site_xmat[self._site].reshape(3, 3).T
        return self._jacobian[:, self._dof], np.concatenate([away_m, _axis_angle(missing)])

    def _place(self, joints: Joints) -> None:
        self._data.qpos[self._at] = joints
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_comPos(self._model, self._data)


def rotation_of(tool: Tool) -> NDArray[np.float64]:
    """map_from_tool, 3 × 3: straight down, then rolled, pitched and turned about the map's axes."""
    return _about(2, tool.yaw_rad) @ _about(1, tool.pitch_rad) @ _about(0, tool.roll_rad) @ _DOWN


def tool_of(place_m: Sequence[float] | NDArray[np.float64], turned: NDArray[np.float64]) -> Tool:
    """The inverse of `rotation_of`. `turned`: map_from_tool, nine numbers row by row."""
    r = turned.reshape(3, 3) @ _DOWN
    pitch_rad = math.asin(max(-1.0, min(1.0, -float(r[2, 0]))))
    roll_rad, yaw_rad = math.atan2(r[2, 1], r[2, 2]), math.atan2(r[1, 0], r[0, 0])
    x_m, y_m, z_m = (float(each) for each in place_m)
    return Tool(x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad)


def _about(axis: int, angle_rad: float) -> NDArray[np.float64]:
    cos, sin = math.cos(angle_rad), math.sin(angle_rad)
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[first, first] = matrix[second, second] = cos
    matrix[first, second], matrix[second, first] = -sin, sin
    return matrix


def _axis_angle(rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rotation vector, radians."""
    axis = np.array(
        [rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]]
    )
    sin = float(np.linalg.norm(axis)) / 2
    angle_rad = math.atan2(sin, (float(np.trace(rotation)) - 1) / 2)
    if sin < 1e-9:
        return np.zeros(3) if angle_rad < 1.0 else np.array([math.pi, 0.0, 0.0])
    return axis * (angle_rad / (2 * sin))
