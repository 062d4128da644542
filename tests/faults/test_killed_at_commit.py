"""Runners killed around their commits: either nothing of it is there, or another runner acts on all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.scene import check_survives_kills

POINTS = [
    "before-commit:1 in-commit:1 after-commit:1 before-acknowledge:1",
    "after-acknowledge:1 before-commit:9 in-commit:9 after-commit:9",
    "before-acknowledge:12 after-acknowledge:12",
    "in-commit:40",
]


@pytest.mark.parametrize("points", POINTS)
def test_the_mission_goes_on(points: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_survives_kills(tmp_path / "home", points, monkeypatch)
