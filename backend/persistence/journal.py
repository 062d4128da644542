"""The Journal port on a database: one append is one transaction, inbox and derived tables included."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import asdict
from sqlalchemy import Connection, Engine, bindparam, update

from backend.domain.command.intents import Settlement
from backend.domain.episode.events import Recorded
from backend.domain.episode.evolve import FoldError
from backend.domain.episode.state import State
from backend.persistence.codec import Encoded, encode
from backend.persistence.connect import now_s, utc_text, writing
from backend.persistence.derive import passages, write
from backend.persistence.errors import EventUnwritable
from backend.persistence.events import Position, every_entry, write_events
from backend.persistence.heads import locked_head
from backend.persistence.inbox import settle, undecided_stops
from backend.persistence.leases import Lease
from backend.persistence.projections import project
from backend.persistence.snapshots import keep, state_at
from backend.persistence.tables.journal import heads
from backend.usecases.append_guards import Head, dispatches, refuse_dispatch_over_stop, refuse_fenced_append
from backend.usecases.failpoints import failpoint
from backend.usecases.ports import LostLease, StopPending
from backend.usecases.reading import Entry

SNAPSHOT_EVERY = 100
SNAPSHOT_WEIGHT = 4
"""A snapshot weighs at most so many times what was journalled since the one before it. A state grows with its
log: without this, the snapshots of a long episode would grow with the square of its length."""

_MOVE_HEAD = (
    update(heads)
    .where(heads.c.episode == bindparam("this"))
    .values(seq=bindparam("seq"), chain=bindparam("chain"), content=bindparam("content"))
)


class SqlJournal:
    """The journal of one episode under a lease. Connects at the first call. For one thread at a time."""

    def __init__(self, engine: Engine, lease: Lease, *, snapshot_every: int = SNAPSHOT_EVERY) -> None:
        self._engine = engine
        self._lease = lease
        self._snapshot_every = snapshot_every
        self._state: State | None = None
        self._since_snapshot = 0

    def append(self, events: Sequence[Recorded], settled: Sequence[Settlement] = ()) -> None:
        """See `Journal.append`. What goes wrong on the way is a StorageFailure, and nothing was written."""
        if not events and not settled:
            return
        encoded = [encode(recorded) for recorded in events]
        with writing(self._engine) as connection:
            state = self._append(connection, encoded, settled)
        self._state = state

    def read(self, after: int = 0) -> Iterable[Recorded]:
        return (entry.recorded for entry in every_entry(self._engine, self._lease.episode, after=after))

    def _append(
        self, connection: Connection, encoded: Sequence[Encoded], settled: Sequence[Settlement]
    ) -> State | None:
        episode = self._lease.episode
        row = locked_head(connection, episode)
        clock_s = now_s(connection)
        events = [each.recorded for each in encoded]

        head = Head(seq=row["seq"], epoch=row["epoch"], expires_s=row["expires_s"])
        refusal = refuse_fenced_append(head, self._lease.epoch, events, clock_s)
        if refusal is not None:
            raise LostLease(str(refusal))
        settle(connection, episode, settled, seq=head.seq + len(events), clock_s=clock_s)
        stops = undecided_stops(connection, episode) if dispatches(events) else ()
        refusal = refuse_dispatch_over_stop(events, stops)
        if refusal is not None:
            raise StopPending(str(refusal))

        state = self._state_at(connection, head.seq)
        if not encoded:
            return state
        utc = utc_text(clock_s)
        position = Position(head.seq, row["chain"], row["content"])
        position = write_events(connection, episode, position, utc, encoded)
        connection.execute(_MOVE_HEAD, {"this": episode, **asdict(position)})
        state = _derive(connection, episode, state, encoded, utc)
        self._since_snapshot += sum(len(each.payload) for each in encoded)
        if head.seq // self._snapshot_every != position.seq // self._snapshot_every:
            most = SNAPSHOT_WEIGHT * self._since_snapshot
            self._since_snapshot *= not keep(connection, episode, state, most)
        failpoint("in-commit")
        return state

    def _state_at(self, connection: Connection, seq: int) -> State | None:
        """Folded once, then carried on from append to append."""
        if seq == 0:
            return None
        if self._state is None or self._state.seq != seq:
            self._state = state_at(connection, self._lease.episode, seq)
        return self._state


def write_whole(connection: Connection, episode: str, events: Sequence[Recorded]) -> str:
    """The journal of an episode that was played elsewhere, into its empty head; gives its content digest.

    What goes wrong is a StorageFailure, as with `append`.
    """
    encoded = [encode(recorded) for recorded in events]
    utc = utc_text(now_s(connection))
    position = write_events(connection, episode, Position(0, "", ""), utc, encoded)
    connection.execute(_MOVE_HEAD, {"this": episode, **asdict(position)})
    keep(connection, episode, _derive(connection, episode, None, encoded, utc))
    return position.content


def _derive(
    connection: Connection, episode: str, state: State | None, encoded: Sequence[Encoded], utc: str
) -> State:
    journal = [
        Entry(
            recorded=each.recorded, kind=each.kind, version=each.version, utc=utc, payload_digest=each.digest
        )
        for each in encoded
    ]
    try:
        steps = list(passages(episode, state, journal))
    except FoldError as error:
        raise EventUnwritable(f"The events cannot follow what is there: {error}", field="events") from error
    write(connection, project(steps))
    return steps[-1].after
