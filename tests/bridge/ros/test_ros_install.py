"""ROS is installed beside the system, and where it cannot be, the operator is told what to do."""

from pathlib import Path

import pytest

from robot_bridge.ros import install as installing
from robot_bridge.ros.install import MARK, PACKAGES, InstallError, install, is_installed
from robot_bridge.ros.places import RosMissing, RosPlace, find_ros

APT_CACHE = f"""#!/bin/sh
for name in {" ".join(PACKAGES)}; do echo "Package: $name"; done
"""


def programs(folder: Path, monkeypatch: pytest.MonkeyPatch, **scripts: str) -> None:
    """Nothing else is found in PATH."""
    folder.mkdir()
    for name, text in scripts.items():
        file = folder / name.replace("_", "-")
        file.write_text(text)
        file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}")


def test_without_apt_it_says_what_to_do_instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs(tmp_path / "bin", monkeypatch)

    with pytest.raises(InstallError, match=r"no apt-get.*on Ubuntu 20\.04 install ros-noetic-ros-base"):
        install(tmp_path / "ros")


def test_what_apt_says_is_passed_on_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = "#!/bin/sh\necho 'E: Failed to fetch, 404' >&2\nexit 100\n"
    programs(tmp_path / "bin", monkeypatch, apt_get=failing, apt_cache=APT_CACHE, dpkg=failing)

    with pytest.raises(InstallError, match="apt-get failed: E: Failed to fetch, 404"):
        install(tmp_path / "ros")

    assert [path.name for path in tmp_path.iterdir()] == ["bin"]


def test_packages_that_no_source_has_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = "#!/bin/sh\nexit 0\n"
    programs(tmp_path / "bin", monkeypatch, apt_get=quiet, apt_cache=quiet, dpkg=quiet)

    with pytest.raises(InstallError, match="in none of apt's sources"):
        install(tmp_path / "ros")


def test_packages_that_no_python_can_use_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = "#!/bin/sh\nexit 0\n"
    programs(tmp_path / "bin", monkeypatch, apt_get=quiet, apt_cache=APT_CACHE, dpkg=quiet)
    monkeypatch.setattr(installing, "imports_rospy", lambda place: False)

    with pytest.raises(InstallError, match=r"can import rospy from them"):
        install(tmp_path / "ros")


def test_it_is_done_once(tmp_path: Path) -> None:
    assert not is_installed(tmp_path)

    (tmp_path / MARK).write_text("\n".join(PACKAGES))

    assert is_installed(tmp_path)


def test_an_interpreter_that_a_file_names_is_the_only_one_tried(tmp_path: Path) -> None:
    with pytest.raises(RosMissing, match=r"cannot import rospy from .*Mend ros.python and ros.path"):
        find_ros("/usr/bin/env", [str(tmp_path)])


def test_the_ros_side_finds_no_package_of_this_environment(
    ros_place: RosPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("PYTHONSTARTUP", "/somewhere")

    environment = ros_place.environment()

    assert environment["PYTHONPATH"] == ":".join(ros_place.path)
    assert "PYTHONSTARTUP" not in environment
