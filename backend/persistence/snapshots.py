"""State at a cursor: the nearest snapshot at or before it, and the fold from there. They only save time."""

from __future__ import annotations

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import Connection, select

from backend.domain.episode.evolve import FoldError, fold
from backend.domain.episode.state import STATE_VERSION, State
from backend.persistence.errors import UnknownEpisode
from backend.persistence.events import entries
from backend.persistence.statements import insert_missing
from backend.persistence.tables.journal import snapshots

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(State)


def state_bytes(state: State) -> bytes:
    """The one byte form of a state: mappings in the order that the fold gives, sets sorted."""
    unordered = {name: value for name, value in asdict(state).items() if isinstance(value, frozenset)}
    return _encoder.encode(replace(state, **{name: sorted(value) for name, value in unordered.items()}))


def state_at(connection: Connection, episode: str, seq: int) -> State:
    """The state after event `seq`. Raises UnknownEpisode where nothing was journalled, EventUnreadable."""
    start = _nearest(connection, episode, seq)
    events = entries(connection, episode, after=start.seq if start else 0, until=seq)
    try:
        return fold((entry.recorded for entry in events), start)
    except FoldError as error:
        raise UnknownEpisode(
            f"Episode {episode} has no state at {seq}: {error}",
            field="at",
            remedy="Name a sequence number from 1 to the episode's last.",
        ) from error


def keep(connection: Connection, episode: str, state: State, most: int | None = None) -> bool:
    """False, and nothing is kept, where the state weighs more than `most` bytes."""
    text = state_bytes(state).decode()
    if most is not None and len(text) > most:
        return False
    values = {"episode": episode, "seq": state.seq, "state_version": STATE_VERSION, "state": text}
    connection.execute(insert_missing(connection, snapshots), values)
    return True


def _nearest(connection: Connection, episode: str, seq: int) -> State | None:
    query = (
        select(snapshots.c.state)
        .where(
            snapshots.c.episode == episode, snapshots.c.seq <= seq, snapshots.c.state_version == STATE_VERSION
        )
        .order_by(snapshots.c.seq.desc())
        .limit(1)
    )
    found = connection.execute(query).scalar_one_or_none()
    return None if found is None else _decoder.decode(found)
