"""The Reader on a database. Every call is one read transaction, so what it returns belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from sqlalchemy import Engine, Table, select

from backend.domain.episode.state import State
from backend.persistence.connect import reading
from backend.persistence.errors import UnknownEpisode
from backend.persistence.events import entries
from backend.persistence.frames import FrameStore
from backend.persistence.heads import head_of
from backend.persistence.listing import summaries, summary
from backend.persistence.snapshots import state_at
from backend.persistence.tables import DERIVED
from backend.persistence.telemetry import samples
from backend.persistence.verify import verify
from backend.usecases.reading import Entry, EpisodeSummary, Fault, RowsOf, TelemetrySample

_TABLES: dict[str, Table] = {table.name: table for table in DERIVED if not table.info.get("current")}


class SqlReader:
    """Reads any episode. For any number of threads. With a frame store, `verify` checks frames too."""

    def __init__(self, engine: Engine, frames: FrameStore | None = None) -> None:
        self._engine = engine
        self._frames = frames

    def episodes(
        self,
        *,
        show: Literal["all", "need", "running", "ended"] = "all",
        search: str = "",
        limit: int = 100,
        offset: int = 0,
    ) -> list[EpisodeSummary]:
        with reading(self._engine) as connection:
            return summaries(connection, show=show, search=search, limit=limit, offset=offset)

    def episode(self, episode: str) -> EpisodeSummary:
        with reading(self._engine) as connection:
            return summary(connection, episode)

    def events(
        self,
        episode: str,
        *,
        after: int = 0,
        until: int | None = None,
        kinds: Sequence[str] = (),
        limit: int | None = 500,
    ) -> list[Entry]:
        with reading(self._engine) as connection:
            return entries(connection, episode, after=after, until=until, kinds=kinds, limit=limit)

    def state(self, episode: str, at: int | None = None) -> State:
        with reading(self._engine) as connection:
            head = head_of(connection, episode)["seq"]
            seq = head if at is None else at
            if not 1 <= seq <= head:
                raise UnknownEpisode(
                    f"Episode {episode} has events 1 to {head}, and none is {seq}."
                    if head
                    else f"Episode {episode} was ordered and has not begun.",
                    field="at",
                    remedy="Name one of its events." if head else "Wait for its runner.",
                )
            return state_at(connection, episode, seq)

    def rows(
        self,
        table: RowsOf,
        episode: str,
        *,
        until: int | None = None,
        after: int = 0,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[dict[str, Any]]:
        source = _TABLES[table]
        query = select(source).where(source.c.episode == episode, source.c.seq > after)
        if until is not None:
            query = query.where(source.c.seq <= until)
        order = [column.desc() if newest_first else column for column in source.primary_key]
        with reading(self._engine) as connection:
            found = connection.execute(query.order_by(*order).limit(limit)).mappings().all()
        json = [column.name for column in source.columns if column.info.get("json")]
        return [_decoded(dict(row), json) for row in found]

    def telemetry(
        self, episode: str, from_s: float, to_s: float, robot: str | None = None
    ) -> list[TelemetrySample]:
        with reading(self._engine) as connection:
            return samples(connection, episode, from_s, to_s, robot)

    def verify(self, episode: str) -> list[Fault]:
        return verify(self._engine, episode, self._frames)


def _decoded(row: dict[str, Any], json: Sequence[str]) -> dict[str, Any]:
    for name in json:
        if row[name] is not None:
            row[name] = msgspec.json.decode(row[name])
    return row
