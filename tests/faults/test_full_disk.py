"""A disk that fills up under way: the runner says so and exits, and another goes on once there is room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from backend import bootstrap
from backend.processes import runner as runner_module
from backend.processes.exits import Exit
from tests.cli.golden import wait_ready
from tests.faults.scene import Scene, mission_at

ROOM_PAGES = 12


def test_nothing_of_the_episode_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(tmp_path / "home", mission_at("recycling-s6", clock="waits"))
    for name, value in scene.settings.environment().items():
        monkeypatch.setenv(name, value)
    keeper = scene.keeper()
    keeper.bridge.start()
    try:
        wait_ready(keeper)
        with monkeypatch.context() as full:
            full.setattr(bootstrap, "open_engine", small_disk(bootstrap.open_engine, ROOM_PAGES))
            ended, told = runner_module._run(scene.episode, "first")
        assert ended is Exit.STORAGE
        assert told.startswith("The disk is full. Free some space there, then start again")
        stopped_at = scene.summary()
        assert 0 < stopped_at.delivered < stopped_at.total

        assert runner_module._run(scene.episode, "first") == (Exit.OK, "")
    finally:
        keeper.end()

    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()
    scene.check_the_record_is_whole()


def small_disk(open_engine: Any, room_pages: int) -> Any:
    """Engines whose database may grow by so many pages, and then is told by SQLite that the disk is full."""

    def opened(settings: Any) -> Engine:
        engine: Engine = open_engine(settings)

        def bound(connection: Any, _: object) -> None:
            [used] = connection.execute("PRAGMA page_count").fetchone()
            limit = limits.setdefault("pages", used + room_pages)
            connection.execute(f"PRAGMA max_page_count = {limit}")

        event.listen(engine, "connect", bound)
        return engine

    limits: dict[str, int] = {}
    return opened
