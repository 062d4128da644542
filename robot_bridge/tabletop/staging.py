"""What a task does to things by itself: puts them somewhere, colours them, takes them away.

A thing that is put somewhere stands exactly there, touched by nothing and moving nothing; one that is gone is
neither seen nor felt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from robot_bridge.tabletop.colours import rgba
from robot_bridge.tabletop.scene import part_name, wxyz
from robot_bridge.tabletop.shapes import FREE, parts_of
from robot_bridge.tabletop.values import Change, Layout, Pose, Thing

INVISIBLE = (0.0, 0.0, 0.0, 0.0)


class Look(NamedTuple):
    """A moment as the cameras see it: MuJoCo's qpos and mocap poses, and the colour of each geom."""

    qpos: NDArray[np.float64]
    mocap_pos: NDArray[np.float64]
    mocap_quat: NDArray[np.float64]
    rgba: NDArray[np.float32]


class Stage:
    """`hold` after each step of physics keeps in place what is not physics' to move."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, layout: Layout) -> None:
        self._model, self._data = model, data
        self._things = {thing.name: thing for thing in layout.things}
        self._masks = model.geom_contype.copy(), model.geom_conaffinity.copy()
        self._rgba = model.geom_rgba.copy()
        self._geoms = {
            name: [model.geom(part_name(name, number)).id for number in range(len(parts_of(thing)))]
            for name, thing in self._things.items()
        }
        self._coloured = {name: self._in_own_colour(thing) for name, thing in self._things.items()}
        self.changes: tuple[Change, ...] = ()
        self._held: dict[str, NDArray[np.float64]] = {}

    def set(self, changes: Sequence[Change]) -> None:
        """These changes and no others from now on."""
        new = tuple(changes)
        if new == self.changes:
            return
        for name in {each.name for each in self.changes} | {each.name for each in new}:
            geoms = self._geoms[name]
            self._model.geom_contype[geoms] = self._masks[0][geoms]
            self._model.geom_conaffinity[geoms] = self._masks[1][geoms]
            self._model.geom_rgba[geoms] = self._rgba[geoms]
        self.changes, before, self._held = new, self._held, {}
        for change in new:
            self._apply(change, before)
        self.hold()

    def is_moved(self, name: str) -> bool:
        """Whether it is not physics' to move now."""
        return name in self._held

    def hold(self) -> None:
        for name, qpos in self._held.items():
            joint = self._model.joint(name)
            at, speed_at = int(joint.qposadr[0]), int(joint.dofadr[0])
            self._data.qpos[at : at + 7] = qpos
            self._data.qvel[speed_at : speed_at + 6] = 0.0

    def geoms_of(self, name: str) -> list[int]:
        return self._geoms[name]

    def look(self) -> Look:
        data = self._data
        return Look(
            data.qpos.copy(), data.mocap_pos.copy(), data.mocap_quat.copy(), self._model.geom_rgba.copy()
        )

    def _in_own_colour(self, thing: Thing) -> list[int]:
        geoms = self._geoms[thing.name]
        return [geoms[n] for n, part in enumerate(parts_of(thing)) if part.colour == thing.colour]

    def _apply(self, change: Change, before: Mapping[str, NDArray[np.float64]]) -> None:
        thing, geoms = self._things[change.name], self._geoms[change.name]
        if change.colour is not None:
            self._model.geom_rgba[self._coloured[thing.name]] = rgba(change.colour)
        if change.gone:
            self._model.geom_rgba[geoms] = INVISIBLE
        if change.gone or change.pose is not None:
            self._model.geom_contype[geoms] = self._model.geom_conaffinity[geoms] = 0
            self._put(thing, change.pose, before)

    def _put(self, thing: Thing, pose: Pose | None, before: Mapping[str, NDArray[np.float64]]) -> None:
        if thing.kind not in FREE:
            if pose is not None:
                body = int(self._model.body(thing.name).mocapid[0])
                self._data.mocap_pos[body] = pose[:3]
                self._data.mocap_quat[body] = wxyz(pose.yaw_rad)
            return
        at = int(self._model.joint(thing.name).qposadr[0])
        if pose is not None:
            self._held[thing.name] = np.array([*pose[:3], *wxyz(pose.yaw_rad)])
        else:
            self._held[thing.name] = before.get(thing.name, self._data.qpos[at : at + 7].copy())
