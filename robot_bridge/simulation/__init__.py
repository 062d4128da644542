"""What the simulated worlds with physics share."""

import ctypes.util
import os


def choose_renderer() -> None:
    """EGL where it is, else OSMesa; MUJOCO_GL says otherwise.

    MuJoCo settles how it renders when it is first imported: call this before any module that imports it.
    """
    for name, library in (("egl", "EGL"), ("osmesa", "OSMesa")):
        if ctypes.util.find_library(library):
            os.environ.setdefault("MUJOCO_GL", name)
            return
    os.environ.setdefault("MUJOCO_GL", "disabled")
