"""A runner killed around a commit: either nothing of it is there, or another runner acts on all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.scene import check_survives_a_kill

POINTS = [
    "before-commit:1",
    "in-commit:1",
    "after-commit:1",
    "before-commit:9",
    "in-commit:9",
    "after-commit:9",
    "in-commit:40",
    "before-acknowledge:1",
    "before-acknowledge:12",
    "after-acknowledge:1",
    "after-acknowledge:12",
]


@pytest.mark.parametrize("point", POINTS)
def test_the_mission_goes_on(point: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_survives_a_kill(tmp_path / "home", point, monkeypatch)
