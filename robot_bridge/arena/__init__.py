"""The rigid-body arena: contact, gravity and collision under the same memory, planner and runner.

MuJoCo settles how it renders when it is first imported, so that is chosen here, before any module of the
package: EGL where it is, else OSMesa; MUJOCO_GL says otherwise.
"""

import ctypes.util
import os

for _name, _library in (("egl", "EGL"), ("osmesa", "OSMesa")):
    if ctypes.util.find_library(_library):
        os.environ.setdefault("MUJOCO_GL", _name)
        break
else:
    os.environ.setdefault("MUJOCO_GL", "disabled")
