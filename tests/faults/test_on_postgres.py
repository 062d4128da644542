"""The same on Postgres: a runner killed inside a commit, and the next one goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.scene import check_survives_kills


def test_the_mission_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    check_survives_kills(tmp_path / "home", "in-commit:9", monkeypatch, database_url=postgres_url)
