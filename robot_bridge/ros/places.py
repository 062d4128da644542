"""Where rospy is on this machine: which interpreter runs the ROS side, and with which folders.

Looked for in this order: what a robot's file names, the folder that `quarterdeck ros install` fills, the
system's own packages, and the distributions under /opt/ros.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

PROBE = "import sys; assert sys.version_info >= (3, 8); import rospy, rosmaster, genpy; print(rospy.__file__)"
PROBE_S = 30.0
SYSTEM_PYTHON = "/usr/bin/python3"
PACKAGES_UNDER = "usr/lib/python3/dist-packages"


class RosMissing(Exception):
    """No interpreter here can import rospy; the text says what to do."""


class RosPlace(NamedTuple):
    """`python` imports rospy when its PYTHONPATH is `path`, and that alone."""

    python: str
    path: tuple[str, ...] = ()
    what: str = ""

    def environment(self) -> dict[str, str]:
        """This process's environment without what would let another interpreter's packages in."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return {**kept, "PYTHONPATH": os.pathsep.join(self.path), "PYTHONNOUSERSITE": "1"}


def overlay() -> Path:
    """The folder that `quarterdeck ros install` fills: within this environment, so that it goes with it."""
    return Path(sys.prefix) / "ros"


def find_ros(python: str | None = None, path: Sequence[str] = ()) -> RosPlace:
    """Raises RosMissing. `python` and `path`: what a robot's file names; nothing else is tried then."""
    if python is not None or path:
        named = RosPlace(python or SYSTEM_PYTHON, tuple(path), "as the robot's file says")
        if not imports_rospy(named):
            raise RosMissing(
                f"{named.python} cannot import rospy from {', '.join(named.path) or 'its own packages'}."
                " Mend ros.python and ros.path in the robot's file, or leave them out."
            )
        return named
    for place in candidates():
        if imports_rospy(place):
            return place
    raise RosMissing("No rospy is installed here. Run: quarterdeck ros install")


def candidates() -> Iterator[RosPlace]:
    packages = overlay() / PACKAGES_UNDER
    if packages.is_dir():
        for python in pythons():
            yield RosPlace(python, (str(packages),), f"in {overlay()}")
    if Path(SYSTEM_PYTHON).exists():
        yield RosPlace(SYSTEM_PYTHON, (), "the system's packages")
        for folder in sorted(Path("/opt/ros").glob("*/lib/python3/dist-packages"), reverse=True):
            yield RosPlace(SYSTEM_PYTHON, (str(folder),), f"in {folder.parents[2]}")


def pythons() -> list[str]:
    """Debian's own first: its packages are made for it. Else the one that this environment was made of."""
    base = getattr(sys, "_base_executable", sys.executable)
    return [SYSTEM_PYTHON, base] if Path(SYSTEM_PYTHON).exists() else [base]


def imports_rospy(place: RosPlace) -> bool:
    try:
        tried = subprocess.run(
            [place.python, "-c", PROBE],
            env=place.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0
