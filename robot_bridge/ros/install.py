"""Fetches Debian's ROS 1 packages into a folder of this environment; the system stays as it is.

The packages are downloaded by apt and unpacked by dpkg, never installed: no package script runs, and no
rights are needed. Where apt's own lists are missing, as in a fresh container, lists of our own are fetched
beside the packages.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from robot_bridge.ros.places import PACKAGES_UNDER, RosPlace, imports_rospy, pythons

PACKAGES = (
    "python3-rospy", "python3-rosmaster", "python3-rosgraph", "python3-rosgraph-msgs", "python3-roslib",
    "python3-roscpp-msg", "python3-genpy", "python3-genmsg", "python3-empy", "python3-rospkg",
    "python3-catkin", "python3-catkin-pkg", "python3-dateutil", "python3-pyparsing", "python3-six",
    "python3-yaml", "python3-defusedxml", "python3-std-msgs", "python3-std-srvs", "python3-geometry-msgs",
    "python3-nav-msgs", "python3-sensor-msgs", "python3-actionlib-msgs", "python3-tf2-msgs",
    "python3-diagnostic-msgs",
)  # fmt: skip
"""What rospy and the standard messages need to be imported, 5 MB. Not python3-actionlib, which pulls in
160 MB of headers: the bridge speaks actionlib's protocol itself."""
MARK = "packages.txt"
TIMEOUT_S = 300.0

Tell = Callable[[str], None]


class InstallError(Exception):
    """The packages cannot be had here; the text says why and what to do."""


def is_installed(folder: Path) -> bool:
    """Whether the folder holds this version's packages."""
    mark = folder / MARK
    return mark.is_file() and mark.read_text("ascii").split() == list(PACKAGES)


def install(folder: Path, tell: Tell = lambda line: None) -> None:
    """Fill `folder` with the packages; the folder is replaced whole or not at all. Raises InstallError."""
    for program in ("apt-get", "apt-cache", "dpkg"):
        if shutil.which(program) is None:
            raise InstallError(
                f"This machine has no {program}, and the packages are Debian's. On Debian 12 nothing more is"
                " needed; on Ubuntu 20.04 install ros-noetic-ros-base, which is found by itself."
            )
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".ros-", dir=folder.parent) as scratch:
            _fetch(Path(scratch), tell)
            root = Path(scratch) / "root"
            for package in sorted((Path(scratch) / "debs").glob("*.deb")):
                _run(["dpkg", "-x", str(package), str(root)], Path(scratch))
            _check(root)
            (root / MARK).write_text("\n".join(PACKAGES) + "\n", "ascii")
            shutil.rmtree(folder, ignore_errors=True)
            root.rename(folder)
    except OSError as error:
        raise InstallError(
            f"{folder} cannot be written: {error.strerror or error}. Make it writable."
        ) from None


def _fetch(scratch: Path, tell: Tell) -> None:
    debs = scratch / "debs"
    debs.mkdir()
    options: list[str] = []
    if not _offers(options):
        tell("apt knows no ROS packages yet: its lists are fetched")
        options = _own_lists(scratch)
        _run(["apt-get", *options, "update"], debs)
    if not _offers(options):
        raise InstallError(
            "Debian's ROS packages are in none of apt's sources. They are part of Debian 12 (bookworm, main);"
            " add that source, or install ROS another way and name it under ros.python in the robot's file."
        )
    tell(f"{len(PACKAGES)} packages are downloaded")
    _run(["apt-get", *options, "-o", "Acquire::Retries=3", "download", *PACKAGES], debs)


def _offers(options: Sequence[str]) -> bool:
    asked = subprocess.run(
        ["apt-cache", *options, "show", "--no-all-versions", *PACKAGES],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    offered = {line.partition(": ")[2] for line in asked.stdout.splitlines() if line.startswith("Package: ")}
    return offered.issuperset(PACKAGES)


def _own_lists(scratch: Path) -> list[str]:
    """Options that keep apt's lists and cache within `scratch`, so that no rights are needed."""
    for name in ("lists/partial", "archives/partial"):
        (scratch / name).mkdir(parents=True)
    options = {
        "Dir::State::lists": scratch / "lists",
        "Dir::Cache": scratch,
        "Dir::Cache::archives": scratch / "archives",
        "Debug::NoLocking": "1",
        "Acquire::Retries": "3",
    }
    if os.geteuid() == 0:
        options["APT::Sandbox::User"] = "root"
    return [part for name, value in options.items() for part in ("-o", f"{name}={value}")]


def _run(command: Sequence[str], folder: Path) -> None:
    try:
        ran = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InstallError(
            f"{command[0]} took longer than {TIMEOUT_S:g} s. Look at the network, and try again."
        ) from None
    if ran.returncode != 0:
        said = [line for line in ran.stderr.splitlines() if line.startswith("E:")] or ran.stderr.splitlines()
        raise InstallError(
            f"{command[0]} failed: {' '.join(said[-2:]) or ran.returncode}. Mend that, and try again."
        )


def _check(root: Path) -> None:
    packages = (str(root / PACKAGES_UNDER),)
    if not any(imports_rospy(RosPlace(python, packages)) for python in pythons()):
        raise InstallError(
            f"The packages are here, and none of {', '.join(pythons())} can import rospy from them: they are"
            " made for Debian 12's Python 3.11. Install python3.11, or name another ROS in the robot's file."
        )
