"""Finds whatever contradicts the journal, or the journal itself, and says where.

First the events, link by link; then, where they can be folded, every derived row and snapshot against the
fold; then frames against their names. It shows damage. It does not show a rewrite of the whole database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, Table, select
from sqlalchemy.engine import RowMapping

from backend.domain.digests import digest_of_text
from backend.domain.episode.evolve import FoldError
from backend.domain.episode.state import STATE_VERSION, State
from backend.persistence.chain import chained, content
from backend.persistence.connect import reading
from backend.persistence.derive import passages
from backend.persistence.errors import EventUnreadable, FrameDamaged, FrameMissing
from backend.persistence.events import Row, entry_of
from backend.persistence.frames import FrameStore
from backend.persistence.heads import head_of
from backend.persistence.plain import FRAME_REDACTED
from backend.persistence.projections import Derived, Values, project
from backend.persistence.snapshots import state_bytes
from backend.persistence.tables import DERIVED
from backend.persistence.tables.execution import frames as frames_table
from backend.persistence.tables.journal import events, snapshots
from backend.persistence.tables.plain import audit
from backend.usecases.reading import Entry, Fault


def verify(engine: Engine, episode: str, frames: FrameStore | None = None) -> list[Fault]:
    """Every fault found, empty when there is none. Raises UnknownEpisode."""
    with reading(engine) as connection:
        head = head_of(connection, episode)
        query = select(events).where(events.c.episode == episode).order_by(events.c.seq)
        rows = connection.execute(query).mappings().all()
        journal, faults = journal_of(head, rows)
        if not faults or journal is not None:
            faults += _derived(connection, episode, journal or [])
        if frames is not None:
            faults += _frames(connection, episode, frames)
    return faults


def journal_of(head: Row, rows: Sequence[Row]) -> tuple[list[Entry] | None, list[Fault]]:
    """The decoded events, None where they cannot be folded; and what is wrong with them."""
    faults: list[Fault] = []
    journal: list[Entry] = []
    seq, chain, running = 0, "", ""
    for row in rows:
        whole = row["seq"] == seq + 1
        if not whole:
            faults.append(_of_event(seq + 1, "", f"missing: event {row['seq']} follows event {seq}"))
        try:
            entry = entry_of(row)
            journal.append(entry)
            faults += _links(row, entry, chain if whole else None, running if whole else None)
        except EventUnreadable as error:
            faults.append(_of_event(row["seq"], "payload", error.message))
            faults += _payload(row)
        seq, chain, running = row["seq"], row["chain"], row["content"]
    found = {"seq": seq, "chain": chain, "content": running}
    faults += [
        Fault(
            table="heads",
            key=head["episode"],
            column=name,
            message=f"says {head[name]!r}, the last event {value!r}",
        )
        for name, value in found.items()
        if head[name] != value
    ]
    whole_journal = len(journal) == len(rows) and [entry.recorded.seq for entry in journal] == list(
        range(1, len(rows) + 1)
    )
    return (journal if whole_journal else None), faults


def _links(row: Row, entry: Entry, chain: str | None, running: str | None) -> Iterator[Fault]:
    yield from _payload(row)
    if chain is not None and chained(chain, dict(row)) != row["chain"]:
        yield _of_event(
            row["seq"], "chain", "actor, time, kind, meta or digest are not those that were chained"
        )
    if (
        running is not None
        and not row["redacted"]
        and content(running, dict(row), entry.recorded.event) != row["content"]
    ):
        yield _of_event(row["seq"], "content", "what happened is not what was digested")


def _payload(row: Row) -> Iterator[Fault]:
    if not row["redacted"] and digest_of_text(row["payload"]) != row["payload_digest"]:
        yield _of_event(row["seq"], "payload", "its bytes are not those that were hashed")


def _derived(connection: Connection, episode: str, journal: Sequence[Entry]) -> Iterator[Fault]:
    kept = {
        row.seq: row.state
        for row in connection.execute(
            select(snapshots.c.seq, snapshots.c.state).where(
                snapshots.c.episode == episode, snapshots.c.state_version == STATE_VERSION
            )
        )
    }
    steps = []
    try:
        for step in passages(episode, None, journal):
            steps.append(step)
            if step.after.seq in kept:
                yield from _snapshot(step.after, kept.pop(step.after.seq))
    except (FoldError, LookupError) as error:
        yield _of_event(len(steps) + 1, "", f"cannot be folded: {error}")
        return
    for seq in kept:
        yield Fault(table="snapshots", key=f"seq {seq}", column="seq", message="no such event")
    expected = project(steps)
    for table in DERIVED:
        yield from _table(connection, episode, table, expected)


def _snapshot(state: State, stored: str) -> Iterator[Fault]:
    if state_bytes(state).decode() != stored:
        key = f"seq {state.seq}"
        yield Fault(
            table="snapshots", key=key, column="state", message="is not the fold; deleting it is safe"
        )


def _table(connection: Connection, episode: str, table: Table, expected: Derived) -> Iterator[Fault]:
    missing = dict(expected.get(table, {}))
    for stored in connection.execute(select(table).where(table.c.episode == episode)).mappings():
        key = tuple(stored[column.name] for column in table.primary_key)
        values = missing.pop(key, None)
        if values is None:
            yield Fault(
                table=table.name,
                key=_key(table, stored),
                column="",
                message="nothing in the journal made this row",
            )
        else:
            yield from _cells(table, stored, values)
    for values in missing.values():
        yield Fault(table=table.name, key=_key(table, values), column="", message="the row is missing")


def _cells(table: Table, stored: RowMapping, values: Values) -> Iterator[Fault]:
    for name, value in values.items():
        if stored[name] != value:
            message = f"holds {stored[name]!r}, the journal says {value!r}"
            yield Fault(table=table.name, key=_key(table, stored), column=name, message=message)


def _frames(connection: Connection, episode: str, store: FrameStore) -> Iterator[Fault]:
    redacted = select(audit.c.subject).where(audit.c.action == FRAME_REDACTED)
    query = select(frames_table.c.sha256, frames_table.c.seq).where(
        frames_table.c.episode == episode, frames_table.c.sha256.not_in(redacted)
    )
    for sha256, seq in sorted({(row.sha256, row.seq) for row in connection.execute(query)}):
        try:
            store.get(sha256)
        except (FrameMissing, FrameDamaged) as error:
            yield Fault(table="frames", key=f"seq {seq}", column="sha256", message=error.message)


def _of_event(seq: int, column: str, message: str) -> Fault:
    return Fault(table="events", key=f"seq {seq}", column=column, message=message)


def _key(table: Table, row: RowMapping | dict[str, Any]) -> str:
    names = [column.name for column in table.primary_key if column.name != "episode"]
    return " ".join(f"{name} {row[name]}" for name in names)
