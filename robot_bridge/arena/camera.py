"""The overhead camera: an orthographic view of the whole arena, rendered by MuJoCo without a display."""

from __future__ import annotations

import ctypes.util
import io
import os

import mujoco
from PIL import Image

from robot_bridge.arena.scenarios import LEAST_M, MOST_M
from robot_bridge.arena.scene import OVERHEAD, OVERHEAD_SPAN_M

SIZE_PX = 512


class NoRenderer(ValueError):
    """Nothing here can render; the text says what to install."""


def choose_gl() -> str:
    """EGL where it is, else OSMesa; before the first picture is made. Raises NoRenderer."""
    chosen = os.environ.get("MUJOCO_GL")
    if chosen:
        return chosen
    for name, library in (("egl", "EGL"), ("osmesa", "OSMesa")):
        if ctypes.util.find_library(library):
            os.environ["MUJOCO_GL"] = name
            return name
    raise NoRenderer(
        "Pictures cannot be rendered: neither EGL nor OSMesa is here."
        " Run: sudo apt-get install -y libegl1 libgl1-mesa-dri, or give the mission frames: off."
    )


def map_to_pixel() -> dict[str, list[float]]:
    """pixel = offset + scale · metre, for x and y; y grows upward in the map, downward in the picture."""
    scale, middle_m = SIZE_PX / OVERHEAD_SPAN_M, (LEAST_M + MOST_M) / 2
    return {
        "scale_px_per_m": [scale, -scale],
        "offset_px": [SIZE_PX / 2 - scale * middle_m, SIZE_PX / 2 + scale * middle_m],
    }


class Camera:
    """Opens no renderer before it is asked for the first picture."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._renderer: mujoco.Renderer | None = None

    def photograph(self, data: mujoco.MjData) -> bytes:
        """PNG of SIZE_PX × SIZE_PX. Raises NoRenderer."""
        if self._renderer is None:
            choose_gl()
            self._renderer = mujoco.Renderer(self._model, SIZE_PX, SIZE_PX)
        self._renderer.update_scene(data, OVERHEAD)
        file = io.BytesIO()
        Image.fromarray(self._renderer.render()).save(file, "PNG", compress_level=6)
        return file.getvalue()
