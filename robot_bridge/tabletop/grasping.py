"""What the gripper holds: a thing that both pads press from two sides is held until the fingers open.

Contact gates it: nothing is held that does not stand between closed fingers. Held, it is welded to the hand
as it lay there, so that no friction that is simulated poorly decides an episode.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from robot_bridge.tabletop.scene import part_name
from robot_bridge.tabletop.shapes import FREE, parts_of
from robot_bridge.tabletop.values import Layout

PADS = {"pad_left": "left finger", "pad_right": "right finger"}
THINNEST_M = 0.008
"""Fingers less far apart hold nothing: they are closed on each other."""
FACING = 0.7
"""Cosine between a contact's normal and the way the fingers close."""


class Grasp:
    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, layout: Layout) -> None:
        self._model, self._data = model, data
        self._pads = {model.geom(name).id: words for name, words in PADS.items()}
        self._hand = model.body("hand").id
        self._owner = {
            model.geom(part_name(thing.name, number)).id: thing
            for thing in layout.things
            for number in range(len(parts_of(thing)))
        }
        self.held: str | None = None

    def update(self, is_told_to_open: bool, opening_m: float) -> None:
        """After each period of control."""
        if is_told_to_open:
            self.release()
        elif self.held is None and opening_m > THINNEST_M:
            name = self._pinched()
            if name is not None:
                self._hold(name)

    def release(self) -> None:
        if self.held is not None:
            self._data.eq_active[self._model.equality(self.held).id] = 0
            self.held = None

    def contacts(self) -> tuple[str, ...]:
        """Which fingers touch a thing, in words; no sensor tells which thing."""
        touching = {pad for pad, other, _ in self._touching() if other in self._owner}
        return tuple(sorted(f"{self._pads[pad]} on something" for pad in touching))

    def save(self) -> dict[str, Any]:
        weld = None if self.held is None else self._weld(self.held).tolist()
        return {"held": self.held, "weld": weld}

    def restore(self, saved: dict[str, Any]) -> None:
        """Whether the weld is on is part of the simulator's own state."""
        self.held = saved["held"]
        if self.held is not None:
            self._weld(self.held)[:] = saved["weld"]

    def _pinched(self) -> str | None:
        """The thing that both pads press, each from its side."""
        axis = self._data.xmat[self._hand].reshape(3, 3)[:, 1]
        touched: dict[str, set[int]] = {}
        for pad, other, normal in self._touching():
            thing = self._owner.get(other)
            if thing is not None and thing.kind in FREE and abs(float(normal @ axis)) > FACING:
                touched.setdefault(thing.name, set()).add(pad)
        return next((name for name, pads in touched.items() if len(pads) == len(PADS)), None)

    def _hold(self, name: str) -> None:
        """`eq_data` of a weld: its anchor on the second body, that body's pose in the first, how stiff."""
        data, body = self._data, self._model.body(name).id
        turned = data.xmat[self._hand].reshape(3, 3)
        backwards, quat = np.zeros(4), np.zeros(4)
        mujoco.mju_negQuat(backwards, data.xquat[self._hand])
        mujoco.mju_mulQuat(quat, backwards, data.xquat[body])
        weld = self._weld(name)
        weld[:3] = 0.0
        weld[3:6] = turned.T @ (data.xpos[body] - data.xpos[self._hand])
        weld[6:10] = quat
        weld[10] = 1.0
        data.eq_active[self._model.equality(name).id] = 1
        self.held = name

    def _weld(self, name: str) -> Any:
        return self._model.eq_data[self._model.equality(name).id]

    def _touching(self) -> list[tuple[int, int, Any]]:
        """Each pad with what it touches, by geom, and the normal between them."""
        contact = self._data.contact
        pairs, frames = contact.geom[: self._data.ncon].tolist(), contact.frame
        return [
            (pad, other, frames[number, :3])
            for number, (first, second) in enumerate(pairs)
            for pad, other in ((first, second), (second, first))
            if pad in self._pads
        ]
