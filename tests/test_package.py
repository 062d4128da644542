"""The wheel: what a person gets who installs Quarterdeck instead of cloning it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.support.checkout import ROOT, relative, tracked_files

SHIPPED = ("frontend/", "static/", "migrations/", "missions/", "alembic.ini")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's contents, as site-packages would hold them."""
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site-packages")
    return folder / "site-packages"


def test_the_wheel_carries_every_module_and_what_is_not_python(installed: Path) -> None:
    tracked = {relative(path) for path in tracked_files()}
    expected = {name for name in tracked if name.startswith(("backend/", "robot_bridge/"))} | {
        f"backend/_data/{name}" for name in tracked if name.startswith(SHIPPED)
    }

    assert {name for name in expected if not (installed / name).is_file()} == set()


def test_the_wheel_carries_no_tests_and_no_state(installed: Path) -> None:
    assert {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")} == {
        "backend", "robot_bridge"
    }  # fmt: skip


def test_an_installed_package_finds_its_own_files(installed: Path, tmp_path: Path) -> None:
    program = "from backend.assets import asset; print(asset('static'))"
    environment = os.environ | {"PYTHONPATH": str(installed)}

    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert Path(found.stdout.strip()) == installed / "backend" / "_data" / "static"


def test_a_missing_file_is_named_with_its_remedy() -> None:
    from backend.assets import asset

    with pytest.raises(FileNotFoundError, match=r"anchor is missing: reinstall Quarterdeck"):
        asset("anchor")
