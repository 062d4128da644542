"""The simulator's whole state as numbers: kept, put back to the byte, and put right where it broke down."""

from __future__ import annotations

import base64

import mujoco
import numpy as np
from numpy.typing import NDArray

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION
_BROKEN = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
    mujoco.mjtWarning.mjWARN_BADCTRL,
)
"""Where MuJoCo finds such a number it starts the whole scene anew, or drops a command, and only counts it."""


class Keeper:
    """Of `data` it keeps the last state that was sound.

    Between two calls `data` stands as mj_step1 leaves it: what can be measured belongs to the same moment as
    positions and velocities, so that a state that was put back measures what the one that went on does.
    """

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self._model, self._data = model, data
        self._sound: NDArray[np.float64] = np.empty(mujoco.mj_stateSize(model, _STATE))

    def refresh(self) -> None:
        """Measure anew, and keep that: something was moved from outside."""
        mujoco.mj_step1(self._model, self._data)
        self.keep()

    def keep(self) -> None:
        mujoco.mj_getState(self._model, self._data, self._sound, _STATE)

    def is_broken(self) -> bool:
        warnings = self._data.warning
        return any(warnings[kind].number for kind in _BROKEN)

    def mend(self) -> None:
        """The last sound state again, at rest: nothing is where it never was."""
        for kind in _BROKEN:
            self._data.warning[kind].number = 0
        mujoco.mj_setState(self._model, self._data, self._sound, _STATE)
        self._data.qvel[:] = 0.0
        self._data.qacc_warmstart[:] = 0.0
        self.refresh()

    def save(self) -> str:
        state = np.empty_like(self._sound)
        mujoco.mj_getState(self._model, self._data, state, _STATE)
        return base64.b64encode(state.tobytes()).decode()

    def restore(self, saved: str) -> None:
        state = np.frombuffer(base64.b64decode(saved))
        mujoco.mj_setState(self._model, self._data, state, _STATE)
        self.refresh()
