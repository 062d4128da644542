"""Letting episodes go on both databases: what was shown goes, whole; all else stays, with its pictures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sqlalchemy import Engine, func, select, update

from backend.domain.annotations.annotation import Annotation, Draft
from backend.domain.refusal import Refusal
from backend.domain.retention.rules import Rules
from backend.domain.retention.told import Gone, Preview, Usage
from backend.persistence.annotations import SqlAnnotations
from backend.persistence.connect import reading, writing
from backend.persistence.frames import FrameStore
from backend.persistence.leases import claim, release
from backend.persistence.plain import audit_trail
from backend.persistence.reader import SqlReader
from backend.persistence.retention.letting_go import let_go, preview, sweep
from backend.persistence.retention.usage import usage
from backend.persistence.search.indexing import catch_up
from backend.persistence.tables import metadata
from backend.persistence.tables.episodes import episodes, orders
from backend.persistence.tables.journal import heads
from backend.persistence.verify import verify
from backend.usecases.reading import Fault
from tests.persistence.episodes import fill, new_episode
from tests.support.drill import Drill
from tests.support.sent import stored

RULES = Rules(keep_days=30, keep_failed=False)


@pytest.fixture
def store(tmp_path: Path) -> FrameStore:
    return FrameStore(str(tmp_path / "frames"))


def old(engine: Engine, episode: str, utc: str = "2020-01-01T00:00:00.000Z") -> str:
    with writing(engine) as connection:
        this = update(episodes).where(episodes.c.episode == episode)
        connection.execute(this.values(updated_utc=utc))
        connection.execute(update(orders).where(orders.c.episode == episode).values(utc=utc))
    return episode


def amiss(engine: Engine, episode: str, store: FrameStore) -> list[Fault]:
    """But for the date, which `old` has set."""
    return [each for each in verify(engine, episode, store) if each.column != "updated_utc"]


def age_pictures(store: FrameStore) -> None:
    for path in Path(store._root).rglob("*"):
        if path.is_file():
            os.utime(path, (1e9, 1e9))


def shown(engine: Engine, store: FrameStore, rules: Rules = RULES) -> Preview:
    found = preview(engine, store, rules)
    assert isinstance(found, Preview)
    return found


def went(engine: Engine, store: FrameStore, rules: Rules = RULES) -> Gone:
    done = let_go(engine, store, rules, shown(engine, store, rules).digest, "root")
    assert isinstance(done, Gone), done
    return done


def rows_of(engine: Engine, episode: str) -> dict[str, int]:
    with reading(engine) as connection:
        counts = {
            table.name: connection.execute(
                select(func.count()).select_from(table).where(table.c.episode == episode)
            ).scalar_one()
            for table in metadata.sorted_tables
            if "episode" in table.c and table.name not in ("robots",)
        }
    return {name: count for name, count in counts.items() if count}


def test_what_is_old_goes_with_all_its_rows_and_what_is_kept_stays_whole(
    engine: Engine, store: FrameStore
) -> None:
    goes, stays, said = old(engine, stored(engine, store)), stored(engine, store), stored(engine, store)
    shared = store.put(f"picture 0 of {goes}".encode())
    old(engine, said)
    kept = SqlAnnotations(engine).add(said, Draft(seq=2, text="Keep"), "ada", "operator")
    assert isinstance(kept, Annotation)
    catch_up(engine)
    age_pictures(store)

    found = shown(engine, store)
    done = went(engine, store)

    ruled = {each.candidate.episode: each for each in found.rulings}
    assert (ruled[goes].goes, ruled[stays].goes, ruled[said].reason) == (True, False, "annotated")
    assert (found.episodes, found.pictures) == (1, 2)
    assert found.bytes == done.bytes > ruled[goes].candidate.bytes > 1000
    assert (done.episodes, done.pictures, done.pictures_wait) == ((goes,), 2, False)
    assert rows_of(engine, goes) == {}
    assert not store.has(shared)
    assert amiss(engine, stays, store) == [] == amiss(engine, said, store)
    trail = [each for each in audit_trail(engine, limit=3) if each.subject == goes]
    assert [(each.action, each.actor, each.before["outcome"]) for each in trail] == [
        ("episode.deleted", "root", "aborted")
    ]
    assert audit_trail(engine, limit=1)[0].action == "retention.applied"


def test_what_was_not_shown_does_not_go(engine: Engine, store: FrameStore) -> None:
    first = old(engine, stored(engine, store))
    digest = shown(engine, store).digest
    second = old(engine, stored(engine, store))

    late = let_go(engine, store, RULES, digest, "root")

    assert isinstance(late, Refusal)
    assert late.code == "digest"
    assert rows_of(engine, first)
    assert set(went(engine, store).episodes) == {first, second}


def test_what_runs_stays_whatever_the_rules(engine: Engine, store: FrameStore) -> None:
    running, open_, ordered = stored(engine, store), new_episode(engine), old(engine, new_episode(engine))
    old(engine, running)
    fill(engine, open_, Drill(open_).run((("evidence", 0),)).commits)
    old(engine, open_)
    lease = claim(engine, running, ["a robot of it"], "runner", ttl_s=600.0)
    ended = old(engine, stored(engine, store))
    age_pictures(store)
    pictures = len(store.listing())

    ruled = {each.candidate.episode: each.reason for each in shown(engine, store).rulings}
    done = went(engine, store)

    assert (ruled[running], ruled[open_], ruled[ordered]) == ("is running", "is running", "has not ended")
    assert (done.episodes, done.pictures, done.pictures_wait) == ((ended,), 0, True)
    assert len(store.listing()) == pictures
    with writing(engine) as connection:
        connection.execute(update(heads).values(expires_s=0.0))
    release(engine, lease)
    assert sweep(engine, store) == (2, len(f"picture 0 of {ended}") * 2)
    assert amiss(engine, running, store) == []
    assert set(went(engine, store).episodes) == {running}


def test_a_picture_that_another_episode_shows_stays(engine: Engine, store: FrameStore) -> None:
    goes = old(engine, stored(engine, store))
    young = store.put(b"just stored, not named yet")
    hashes = {each.sha256 for each in store.listing()}
    with reading(engine) as connection:
        assert sweep(engine, FrameStore(store._root + "-none")) == (0, 0)
        del connection

    assert young in hashes
    assert goes in went(engine, store).episodes
    assert store.has(young)


def test_what_is_stored_is_told_by_kind_and_by_mission(
    engine: Engine, store: FrameStore, tmp_path: Path
) -> None:
    episode = stored(engine, store)
    lost = store.put(b"of nobody")

    found = usage(engine, store, tmp_path)

    assert isinstance(found, Usage)
    kinds = dict(found.kinds)
    assert kinds["Pictures"] == sum(each.bytes for each in store.listing())
    assert kinds["Journals"] > 0
    assert found.unnamed == (1, len(b"of nobody"))
    mission = SqlReader(engine).episode(episode).mission
    [row] = [each for each in found.missions if each.mission == mission]
    assert row.bytes > 1000
    assert row.picture_bytes >= len(f"picture 0 of {episode}") * 2
    assert found.room.total_bytes > found.room.free_bytes > 0
    assert store.has(lost)
