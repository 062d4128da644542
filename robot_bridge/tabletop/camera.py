"""The two cameras: colour, depth and calibration of any moment that was kept. Rendered without a display."""

from __future__ import annotations

import io
import math
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from robot_bridge.tabletop.catalogue import FRONT, WATCHED_PX
from robot_bridge.tabletop.staging import Look
from robot_bridge.world import Calibration, Frame

DEMONSTRATED_PX = 256
FARTHEST_M = 5.0
"""Past the table there is nothing: such a pixel has no depth."""
REMEDY = "Run: sudo apt-get install -y libegl1 libgl1-mesa-dri"
_SEEN_FROM = np.diag([1.0, -1.0, -1.0])
"""MuJoCo's camera looks along -z, y up; ours along z, y down."""


class Cameras:
    """Opens no renderer before it is asked for the first picture; draws looks with data of its own."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model, self._data = model, mujoco.MjData(model)
        self._rgba = model.geom_rgba.copy()
        self._renderers: dict[int, mujoco.Renderer] = {}

    def problem(self) -> str:
        """Why nothing can be rendered here; empty where it can."""
        if not self._renderers:
            try:
                self._rgb(FRONT, WATCHED_PX)
            except Exception as error:  # each of its backends raises what it likes
                self._renderers.clear()
                return f"cannot be seen, no renderer opens ({type(error).__name__}: {error!s:.200})"
        return ""

    def photograph(self, look: Look, camera: str, size_px: int = WATCHED_PX) -> bytes:
        """PNG of `size_px` a side. Ask for a `problem` first."""
        self._set(look)
        return _png(self._rgb(camera, size_px))

    def view(self, look: Look, camera: str, step: int, size_px: int = WATCHED_PX) -> Frame:
        """Colour, depth and calibration. Ask for a `problem` first."""
        self._set(look)
        rgb, depth_m = self._rgb(camera, size_px), self._depth(camera, size_px)
        millimetres = np.where(depth_m < FARTHEST_M, np.rint(depth_m * 1000), 0).astype(np.uint16)
        return Frame(camera, step, _png(rgb), _png(millimetres), self._calibration(camera, size_px))

    def rgb(self, look: Look, camera: str, size_px: int = WATCHED_PX) -> NDArray[np.uint8]:
        self._set(look)
        return self._rgb(camera, size_px)

    def depth_m(self, look: Look, camera: str, size_px: int = WATCHED_PX) -> NDArray[np.float32]:
        """Along the camera's z, of each pixel; infinite where there is nothing."""
        self._set(look)
        found = self._depth(camera, size_px)
        return np.where(found < FARTHEST_M, found, np.float32(math.inf))

    def calibration(self, look: Look, camera: str, size_px: int = WATCHED_PX) -> Calibration:
        self._set(look)
        return self._calibration(camera, size_px)

    def _set(self, look: Look) -> None:
        data = self._data
        data.qpos[:], data.mocap_pos[:], data.mocap_quat[:] = look.qpos, look.mocap_pos, look.mocap_quat
        mujoco.mj_kinematics(self._model, data)
        mujoco.mj_camlight(self._model, data)
        self._rgba = look.rgba

    def _rgb(self, camera: str, size_px: int) -> NDArray[np.uint8]:
        renderer = self._renderer(size_px)
        renderer.disable_depth_rendering()
        drawn: NDArray[np.uint8] = self._drawn(renderer, camera)
        return drawn

    def _depth(self, camera: str, size_px: int) -> NDArray[np.float32]:
        renderer = self._renderer(size_px)
        renderer.enable_depth_rendering()
        drawn: NDArray[np.float32] = self._drawn(renderer, camera)
        return drawn

    def _drawn(self, renderer: mujoco.Renderer, camera: str) -> NDArray[Any]:
        now = self._model.geom_rgba.copy()
        self._model.geom_rgba[:] = self._rgba
        renderer.update_scene(self._data, camera)
        self._model.geom_rgba[:] = now
        drawn: NDArray[Any] = renderer.render()
        return drawn

    def _renderer(self, size_px: int) -> mujoco.Renderer:
        """Raises whatever a backend raises; `problem` tells before."""
        if size_px not in self._renderers:
            self._renderers[size_px] = mujoco.Renderer(self._model, size_px, size_px)
        return self._renderers[size_px]

    def _calibration(self, camera: str, size_px: int) -> Calibration:
        """Pixels are counted from the middle of the first one."""
        index = self._model.camera(camera).id
        focal_px = size_px / 2 / math.tan(math.radians(float(self._model.cam_fovy[index])) / 2)
        middle_px = (size_px - 1) / 2
        pose = np.eye(4)
        pose[:3, :3] = self._data.cam_xmat[index].reshape(3, 3) @ _SEEN_FROM
        pose[:3, 3] = self._data.cam_xpos[index]
        row_by_row = tuple(round(float(each), 9) for each in pose.flatten())
        return Calibration(focal_px, focal_px, middle_px, middle_px, row_by_row)


def _png(image: NDArray[np.uint8] | NDArray[np.uint16]) -> bytes:
    file = io.BytesIO()
    Image.fromarray(image).save(file, "PNG", compress_level=1)
    return file.getvalue()
