"""Event rows: linked into the chain as they are written, decoded as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Engine, insert, select
from sqlalchemy.engine import RowMapping

from backend.persistence.chain import chained, content
from backend.persistence.codec import Encoded, decode
from backend.persistence.connect import reading
from backend.persistence.tables.journal import events
from backend.usecases.reading import Entry

PAGE = 500

Row = RowMapping | Mapping[str, Any]
"""Of the table of events, from the database or from a bundle."""

_INSERT = insert(events)


class Position(Struct, frozen=True):
    """Where a journal stands: the last event's number and the two running digests."""

    seq: int
    chain: str
    content: str


def write_events(
    connection: Connection, episode: str, position: Position, utc: str, encoded: Sequence[Encoded]
) -> Position:
    """Adds the rows that follow `position`; the position after them."""
    rows = []
    chain, running = position.chain, position.content
    for each in encoded:
        recorded = each.recorded
        row = {
            "episode": episode,
            "seq": recorded.seq,
            "met_s": recorded.met_s,
            "kind": each.kind,
            "version": each.version,
            "actor": recorded.actor,
            "utc": utc,
            "meta": each.meta,
            "payload": each.payload,
            "payload_digest": each.digest,
        }
        chain, running = chained(chain, row), content(running, row, recorded.event)
        rows.append({**row, "chain": chain, "content": running})
    connection.execute(_INSERT, rows)
    return Position(encoded[-1].recorded.seq, chain, running)


def entries(
    connection: Connection,
    episode: str,
    *,
    after: int = 0,
    until: int | None = None,
    kinds: Sequence[str] = (),
    limit: int | None = None,
) -> list[Entry]:
    """Events with `after` < seq <= `until`, of these kinds or any, in order. Raises EventUnreadable."""
    query = select(events).where(events.c.episode == episode, events.c.seq > after).order_by(events.c.seq)
    if until is not None:
        query = query.where(events.c.seq <= until)
    if kinds:
        query = query.where(events.c.kind.in_(kinds))
    return [entry_of(row) for row in connection.execute(query.limit(limit)).mappings()]


def every_entry(engine: Engine, episode: str, *, after: int = 0, until: int | None = None) -> Iterator[Entry]:
    """The same without a limit, fetched page by page."""
    while True:
        with reading(engine) as connection:
            page = entries(connection, episode, after=after, until=until, limit=PAGE)
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].recorded.seq


def entry_of(row: Row) -> Entry:
    recorded = decode(
        row["seq"], row["met_s"], row["kind"], row["version"], row["actor"], row["payload"], row["meta"]
    )
    return Entry(
        recorded=recorded,
        kind=row["kind"],
        version=row["version"],
        utc=row["utc"],
        payload_digest=row["payload_digest"],
        redacted=row["redacted"],
    )
