"""The bench measures what it says: the same records found, the same loop timed."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine

from backend.persistence.verify import verify
from tests.bench import episodes, retrieval
from tests.bench.gating import gating
from tests.bench.seek import measured, store
from tests.bench.tabletop_speed import tabletop
from tests.bench.yardstick import yardstick
from tests.web.stand import prepared


def test_the_yardstick_does_the_same_work_every_time() -> None:
    assert yardstick() == yardstick() == 2827


def test_bare_numpy_finds_what_retrieval_finds() -> None:
    records = retrieval.made(3000)
    columns = retrieval.columns_of(records, retrieval.SETTINGS)

    found = retrieval.best(
        records, columns, retrieval.SETTINGS, retrieval.METRIC, retrieval.PLACE, retrieval.NOW_S, 8
    )

    assert [index for index, _ in found] == retrieval.bare_top_k(columns)


def test_whole_frames_compared_find_what_gating_finds() -> None:
    found = gating(rounds=1)

    assert (found.frames, found.edge_px) == (16, 512)
    assert 0 < found.withheld < 17


def test_the_table_is_timed_in_every_part() -> None:
    assert all(each > 0 for each in tabletop(steps=5, pictures=1))


def test_the_shares_are_of_one_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(episodes, "EPISODES_A_ROUND", 1)

    parts = episodes.shares("s-6", "attention")

    assert sum(parts) == pytest.approx(1.0)
    assert 0 < parts.retrieval < 1
    assert 0 < parts.arbitration < 1


def test_an_endless_mission_is_an_episode_like_any_other(sqlite_engine: Engine, tmp_path: Path) -> None:
    """Into its second lap: every row is what its journal gives, and any moment of it is served."""
    store(sqlite_engine, "long", 560)

    assert verify(sqlite_engine, "long") == []
    with prepared(sqlite_engine, tmp_path).client() as client:
        found = measured(client, "long", 560, count=3)
    assert found.worked_p95_ms > 0
