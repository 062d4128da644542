"""Whole missions of the grid through the one loop, written to a database: what is stored is what was live."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from backend.evaluation.arms import arm
from backend.evaluation.bare import play_into, play_whole
from backend.persistence.chain import content_digest
from backend.persistence.connect import reading
from backend.persistence.derive import rebuild
from backend.persistence.heads import head_of
from backend.persistence.inbox import SqlInbox
from backend.persistence.journal import SqlJournal
from backend.persistence.reader import SqlReader
from backend.persistence.snapshots import state_bytes
from backend.persistence.verify import verify
from backend.rig import grid_rig
from tests.persistence.episodes import claimed, new_episode


@pytest.mark.parametrize("scenario", ["s-6", "d-10", "reveal-5"])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_stored_is_what_was_live(engine: Engine, scenario: str, seed: int) -> None:
    episode = new_episode(engine, scenario)
    journal = SqlJournal(engine, claimed(engine, episode), snapshot_every=50)

    live = play_into(
        journal,
        SqlInbox(engine, episode),
        arm(scenario, "attention"),
        seed,
        *grid_rig(arm(scenario, "attention"), seed),
        episode=episode,
        render=True,
    )

    assert live.ending is not None
    assert state_bytes(SqlReader(engine).state(episode)) == state_bytes(live)
    assert verify(engine, episode) == []
    rebuild(engine, episode)
    assert verify(engine, episode) == []
    assert SqlReader(engine).episode(episode).delivered == len(live.delivered)


def test_the_same_seed_has_the_same_content_in_memory_and_on_a_database(engine: Engine) -> None:
    episode = new_episode(engine)
    journal = SqlJournal(engine, claimed(engine, episode))
    play_into(
        journal,
        SqlInbox(engine, episode),
        arm("s-6", "attention"),
        3,
        *grid_rig(arm("s-6", "attention"), 3),
        episode=episode,
        render=True,
        code_version="another",
    )
    _, bare = play_whole(arm("s-6", "attention"), 3, grid_rig, render=True)
    _, other = play_whole(arm("s-6", "attention"), 4, grid_rig, render=True)

    with reading(engine) as connection:
        stored = head_of(connection, episode)["content"]
    assert stored == content_digest("bare", bare)
    assert stored != content_digest("bare", other)
