"""How long each source has been silent, read from the journal."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, update

from backend.persistence.connect import now_s, utc_text, writing
from backend.persistence.heard import sources_heard
from backend.persistence.tables.journal import events
from tests.persistence.episodes import fill, new_episode
from tests.support.drill import Drill


def test_each_source_by_its_newest_report(engine: Engine) -> None:
    """The third report is refused, and was heard nevertheless."""
    drill = Drill(new_episode(engine)).run((("evidence", 0), ("evidence", 2), ("evidence", 3)))
    fill(engine, drill.episode, drill.commits)
    with writing(engine) as connection:
        long_ago = utc_text(now_s(connection) - 1000.0)
        connection.execute(update(events).where(events.c.episode == drill.episode).values(utc=long_ago))
        [*_, last] = drill.commits
        seq = last.events[0].seq
        lately = utc_text(now_s(connection) - 40.0)
        connection.execute(
            update(events).where(events.c.episode == drill.episode, events.c.seq == seq).values(utc=lately)
        )

    heard = sources_heard(engine, drill.episode)

    assert heard == {"initial": pytest.approx(1000.0, abs=60.0), "aerial": pytest.approx(40.0, abs=39.0)}


def test_nothing_was_heard_of_what_has_not_begun(engine: Engine) -> None:
    assert sources_heard(engine, new_episode(engine)) == {}
