"""Alarms that were noticed and are not yet both over and acknowledged."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict
from sqlalchemy import Engine, and_, delete, select

from backend.domain.command.alarms import Alarm, Upkeep
from backend.persistence.connect import reading, writing
from backend.persistence.statements import upsert
from backend.persistence.tables.people import acknowledgements, alarms


class SqlAlarms:
    """For any number of threads and processes: each write is one that all of them would make."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def known(self) -> Sequence[Alarm]:
        """The oldest first, each with who has seen it."""
        seen = acknowledgements
        is_seen = and_(seen.c.episode == alarms.c.episode, seen.c.concern == alarms.c.key)
        query = (
            select(alarms, seen.c.by.label("seen_by"))
            .join_from(alarms, seen, is_seen, isouter=True)
            .order_by(alarms.c.raised_s, alarms.c.episode, alarms.c.key)
        )
        with reading(self._engine) as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(Alarm(**{**row, "seen_by": row["seen_by"] or ""}) for row in rows)

    def keep(self, changed: Upkeep) -> None:
        """An acknowledgement goes with the occurrence it was of, so that the next one, which may have the
        same key, such as a link lost twice within a step, asks anew."""
        if not changed.kept and not changed.forgotten:
            return
        seen = acknowledgements
        with writing(self._engine) as connection:
            for alarm in changed.forgotten:
                is_it = and_(alarms.c.episode == alarm.episode, alarms.c.key == alarm.key)
                connection.execute(delete(alarms).where(is_it))
                was_it = and_(seen.c.episode == alarm.episode, seen.c.concern == alarm.key)
                connection.execute(delete(seen).where(was_it))
            for alarm in changed.kept:
                values = {name: value for name, value in asdict(alarm).items() if name != "seen_by"}
                connection.execute(upsert(connection, alarms).values(values))
