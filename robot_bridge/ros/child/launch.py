"""Started by path with any interpreter: makes `robot_bridge` importable from its folder, and no more.

The folder may lie among the packages of another Python, which must not be found. With QUARTERDECK_TETHER set
to its parent's process id, it is ended when the parent is gone, however that went.
"""

import ctypes
import os
import runpy
import signal
import sys
import types
from pathlib import Path

TETHER = "QUARTERDECK_TETHER"
PR_SET_PDEATHSIG = 1
CHILD = Path(__file__).resolve().parent


def main() -> None:
    if TETHER in os.environ and sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != int(os.environ[TETHER]):
            sys.exit("The parent is gone already.")
    sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != CHILD]
    for name, folder in (("robot_bridge", CHILD.parents[1]), ("robot_bridge.ros", CHILD.parent)):
        package = types.ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    module = sys.argv[1]
    sys.argv[:] = sys.argv[1:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
