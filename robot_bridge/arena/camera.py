"""The cameras: an orthographic view of the whole arena, and the robot's own. Rendered without a display."""

from __future__ import annotations

import io

import mujoco
from PIL import Image

from robot_bridge.arena.scenarios import LEAST_M, MOST_M
from robot_bridge.arena.scene import OVERHEAD, OVERHEAD_SPAN_M

SIZE_PX = 512
REMEDY = "Run: sudo apt-get install -y libegl1 libgl1-mesa-dri; or give the mission's memory frames: off."


def map_to_pixel() -> dict[str, list[float]]:
    """Of the overhead view: pixel = offset + scale · metre, for x and y.

    y grows upward in the map, downward in the picture.
    """
    scale, middle_m = SIZE_PX / OVERHEAD_SPAN_M, (LEAST_M + MOST_M) / 2
    return {
        "scale_px_per_m": [scale, -scale],
        "offset_px": [SIZE_PX / 2 - scale * middle_m, SIZE_PX / 2 + scale * middle_m],
    }


class Cameras:
    """Opens no renderer before it is asked for the first picture."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._renderer: mujoco.Renderer | None = None

    def problem(self) -> str:
        """Why nothing can be rendered here; empty where it can.

        The first picture is taken here: it takes far longer than others, and no skill should wait for it.
        """
        if self._renderer is None:
            try:
                renderer = mujoco.Renderer(self._model, SIZE_PX, SIZE_PX)
                data = mujoco.MjData(self._model)
                mujoco.mj_forward(self._model, data)
                _png(renderer, data, OVERHEAD)
            except Exception as error:  # each of its backends raises what it likes
                return f"cannot be recorded, no renderer opens ({type(error).__name__}: {error!s:.200})"
            self._renderer = renderer
        return ""

    def photograph(self, data: mujoco.MjData, camera: str) -> bytes:
        """PNG of SIZE_PX × SIZE_PX. Ask for a `problem` first."""
        if problem := self.problem():
            raise RuntimeError(f"Pictures {problem}")
        assert self._renderer is not None
        return _png(self._renderer, data, camera)


def _png(renderer: mujoco.Renderer, data: mujoco.MjData, camera: str) -> bytes:
    renderer.update_scene(data, camera)
    file = io.BytesIO()
    Image.fromarray(renderer.render()).save(file, "PNG", compress_level=6)
    return file.getvalue()
