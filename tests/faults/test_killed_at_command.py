"""Runners killed around commands to the bridge: what was sent is asked after, and never sent again."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.usecases.failpoints import NAMES
from tests.faults import test_killed_at_commit
from tests.faults.scene import check_survives_kills

POINTS = [
    "after-claim:1 after-hello:1 before-stop:1 before-release:1",
    "after-stop:1 after-release:1 before-ask:1 before-submit:1",
    "after-submit:1 before-submit:6 after-submit:6",
    "before-cancel:1",
    "after-cancel:1 before-goodbye:1",
    "before-renew:1",
]


@pytest.mark.parametrize("points", POINTS)
def test_the_mission_goes_on(points: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A short lease, so that it is renewed while the mission lasts.
    check_survives_kills(tmp_path / "home", points, monkeypatch, lease_s=0.9)


def test_every_named_point_is_killed_at() -> None:
    every = " ".join((*POINTS, *test_killed_at_commit.POINTS))

    assert {point.partition(":")[0] for point in every.split()} == set(NAMES)
