"""`verify` finds every kind of damage and says where; `rebuild` mends what can be mended."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, Table, delete, insert, select, update

from backend.domain.digests import digest_of_text
from backend.persistence.connect import reading, writing
from backend.persistence.derive import rebuild
from backend.persistence.errors import UnknownEpisode
from backend.persistence.frames import FrameStore
from backend.persistence.heads import order_episode
from backend.persistence.tables import DERIVED
from backend.persistence.tables.execution import execution_log, notes
from backend.persistence.tables.execution import frames as frames_table
from backend.persistence.tables.journal import events, heads, snapshots
from backend.persistence.tables.memory import entity_records
from backend.persistence.verify import verify
from tests.persistence.episodes import fill, new_episode, stored_whole
from tests.support.drill import Drill, whole

Damage = Callable[[Connection, str], object]


@dataclass(frozen=True)
class Case:
    """`damage` is done behind the journal's back; `found` lists each (table, key, column) to be named."""

    damage: Damage
    found: set[tuple[str, str, str]]
    mended_by_rebuild: bool = False


def cell(table: Table, column: str, value: Any, **where: Any) -> Damage:
    def damage(connection: Connection, episode: str) -> None:
        statement = update(table).where(table.c.episode == episode)
        for name, wanted in where.items():
            statement = statement.where(table.c[name] == wanted)
        assert connection.execute(statement.values({column: value})).rowcount == 1

    return damage


def missing(table: Table, **where: Any) -> Damage:
    def damage(connection: Connection, episode: str) -> None:
        statement = delete(table).where(table.c.episode == episode)
        for name, wanted in where.items():
            statement = statement.where(table.c[name] == wanted)
        assert connection.execute(statement).rowcount == 1

    return damage


def payload_byte(seq: int, old: str, new: str) -> Damage:
    def damage(connection: Connection, episode: str) -> None:
        this = (events.c.episode == episode) & (events.c.seq == seq)
        payload = connection.execute(select(events.c.payload).where(this)).scalar_one()
        assert old in payload
        connection.execute(update(events).where(this).values(payload=payload.replace(old, new, 1)))

    return damage


def payload_with_its_digest(seq: int, old: str, new: str) -> Damage:
    def damage(connection: Connection, episode: str) -> None:
        payload_byte(seq, old, new)(connection, episode)
        this = (events.c.episode == episode) & (events.c.seq == seq)
        payload = connection.execute(select(events.c.payload).where(this)).scalar_one()
        digested = update(events).where(this).values(payload_digest=digest_of_text(payload))
        connection.execute(digested)

    return damage


def last_event_gone(connection: Connection, episode: str) -> None:
    last = select(heads.c.seq).where(heads.c.episode == episode).scalar_subquery()
    assert (
        connection.execute(delete(events).where(events.c.episode == episode, events.c.seq == last)).rowcount
        == 1
    )


def foreign_row(connection: Connection, episode: str) -> None:
    values = {"episode": episode, "seq": 1, "met_s": 0.0, "decision": 1, "author": "x", "text": "x"}
    connection.execute(insert(notes).values(values))


LOG_LINE = {"line": 1}
CASES = {
    "nothing": Case(lambda connection, episode: None, set()),
    "cell of a derived row": Case(
        cell(execution_log, "result", "failed", **LOG_LINE), {("execution_log", "seq 14", "result")}, True
    ),
    "cell of a current row": Case(
        cell(entity_records, "x_m", 6.5, entity="can_1"), {("entity_records", "entity can_1", "x_m")}, True
    ),
    "derived row gone": Case(missing(execution_log, **LOG_LINE), {("execution_log", "seq 14", "")}, True),
    "row that no event made": Case(foreign_row, {("notes", "seq 1", "")}, True),
    "snapshot": Case(cell(snapshots, "state", "{}", seq=60), {("snapshots", "seq 60", "state")}, True),
    "payload byte": Case(
        payload_byte(14, '"moves":1', '"moves":3'),
        {
            ("events", "seq 14", "payload"),
            ("execution_log", "seq 14", "measured"),
            ("episodes", "", "steps"),
        },
    ),
    "payload byte that breaks the JSON": Case(
        payload_byte(14, "{", "["), {("events", "seq 14", "payload")}
    ),
    "payload and its digest": Case(
        payload_with_its_digest(5, '"x_m":1.0', '"x_m":4.0'),
        {
            ("events", "seq 5", "chain"),
            ("events", "seq 5", "content"),
            ("entity_records", "entity can_1", "x_m"),
        },
    ),
    "who did it": Case(cell(events, "actor", "operator:eve", seq=14), {("events", "seq 14", "chain")}),
    "wall clock": Case(cell(events, "utc", "1970-01-01", seq=7), {("events", "seq 7", "chain")}),
    "meta": Case(cell(events, "meta", '{"latency_s":9.9}', seq=8), {("events", "seq 8", "chain")}),
    "link": Case(
        cell(events, "chain", "0" * 64, seq=8),
        {("events", "seq 8", "chain"), ("events", "seq 9", "chain")},
    ),
    "content": Case(
        cell(events, "content", "0" * 64, seq=8),
        {("events", "seq 8", "content"), ("events", "seq 9", "content")},
    ),
    "event in the middle": Case(missing(events, seq=14), {("events", "seq 14", "")}),
    "first event": Case(missing(events, seq=1), {("events", "seq 1", "")}),
    "last event": Case(last_event_gone, {("heads", "", name) for name in ("seq", "chain", "content")}),
    "head": Case(cell(heads, "chain", "0" * 64), {("heads", "", "chain")}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_damage_is_found_and_named(engine: Engine, case: Case) -> None:
    drill = stored_whole(engine)
    with writing(engine) as connection:
        case.damage(connection, drill.episode)

    faults = verify(engine, drill.episode)

    assert (not faults) is (not case.found)
    for table, key, column in case.found:
        assert any(
            fault.table == table and key in (fault.key, "") and column in (fault.column, "")
            for fault in faults
        ), [str(fault) for fault in faults]
    if case.mended_by_rebuild:
        rebuild(engine, drill.episode)
        assert verify(engine, drill.episode) == []


def test_rebuilding_from_the_journal_gives_the_same_rows(engine: Engine) -> None:
    drill = stored_whole(engine)
    before = all_rows(engine, drill.episode)
    assert all(before[table.name] for table in DERIVED), "the episode has something of everything"

    rebuild(engine, drill.episode)

    assert all_rows(engine, drill.episode) == before


def test_every_table_and_column_that_is_derived_is_looked_at(engine: Engine) -> None:
    """A column added to a table must be compared too, so each of them is spoilt in turn."""
    drill = stored_whole(engine)
    for table in DERIVED:
        keys = {column.name for column in table.primary_key}
        for column in table.columns:
            if column.name not in keys:
                assert spoilt_is_found(engine, table, column.name, drill), f"{table.name}.{column.name}"


def test_frames_are_looked_at_where_there_is_a_store(
    engine: Engine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("frames")
    store, drill = FrameStore(str(root)), stored_whole(engine)
    missing_frames = verify(engine, drill.episode, store)
    assert {fault.table for fault in missing_frames} == {"frames"}

    sha256 = store.put(b"a picture")
    with writing(engine) as connection:
        connection.execute(
            update(frames_table).where(frames_table.c.episode == drill.episode).values(sha256=sha256)
        )
    assert not [
        fault for fault in verify(engine, drill.episode, store) if "not in the store" in fault.message
    ]

    (root / sha256[:2] / sha256).write_bytes(b"another")
    assert any("not what was stored" in fault.message for fault in verify(engine, drill.episode, store))


def test_a_journal_that_is_being_written_has_no_faults(engine: Engine) -> None:
    """Events and rows are looked at as of one moment, whatever is committed meanwhile."""
    drill = whole(new_episode(engine))
    with ThreadPoolExecutor(1) as pool:
        writer = pool.submit(fill, engine, drill.episode, drill.commits, snapshot_every=5)
        while not writer.done():
            assert verify(engine, drill.episode) == []
        writer.result()


def test_an_episode_that_was_only_ordered_has_no_faults(engine: Engine) -> None:
    assert verify(engine, new_episode(engine)) == []


def test_an_unknown_episode_is_said_to_be_unknown(engine: Engine) -> None:
    with pytest.raises(UnknownEpisode, match=r"no episode nowhere.*quarterdeck episodes list"):
        verify(engine, "nowhere")


def test_ordering_an_episode_twice_changes_nothing(engine: Engine) -> None:
    episode = new_episode(engine)

    assert not order_episode(engine, episode, {"other": True}, "bob")


def spoilt_is_found(engine: Engine, table: Table, column: str, drill: Drill) -> bool:
    mine = table.c.episode == drill.episode
    with writing(engine) as connection:
        query = select(table).where(mine).order_by(*table.primary_key)
        row = connection.execute(query).mappings().first()
        assert row is not None
        this = [key == row[key.name] for key in table.primary_key]
        original = row[column]
        spoilt = {str: "spoilt", bool: not original, type(None): "1"}.get(type(original), 12345)
        connection.execute(update(table).where(*this).values({column: spoilt}))
    found = any(
        fault.table == table.name and fault.column == column for fault in verify(engine, drill.episode)
    )
    with writing(engine) as connection:
        connection.execute(update(table).where(*this).values({column: original}))
    return found


def all_rows(engine: Engine, episode: str) -> dict[str, list[dict[str, Any]]]:
    with reading(engine) as connection:
        return {
            table.name: [
                dict(row)
                for row in connection.execute(
                    select(table).where(table.c.episode == episode).order_by(*table.primary_key)
                ).mappings()
            ]
            for table in DERIVED
        }
