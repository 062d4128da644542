"""Acknowledgements of what needs a person, and each person's preferences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Engine, select

from backend.persistence.connect import now_s, reading, writing
from backend.persistence.statements import insert_missing, upsert
from backend.persistence.tables.people import acknowledgements, preferences


class SqlAcknowledgements:
    """For any number of threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, episodes: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """By episode and concern, who saw it."""
        table = acknowledgements
        query = select(table.c.episode, table.c.concern, table.c.by).where(table.c.episode.in_(episodes))
        found: dict[str, dict[str, str]] = {}
        with reading(self._engine) as connection:
            for episode, concern, by in connection.execute(query):
                found.setdefault(episode, {})[concern] = by
        return found

    def acknowledge(self, episode: str, concern: str, by: str) -> None:
        """Who saw it first stays on record."""
        with writing(self._engine) as connection:
            values = {"episode": episode, "concern": concern, "by": by, "at_s": now_s(connection)}
            connection.execute(insert_missing(connection, acknowledgements).values(values))


class SqlPreferences:
    """For any number of threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, user: str) -> Mapping[str, str]:
        query = select(preferences.c.name, preferences.c.value).where(preferences.c.user == user)
        with reading(self._engine) as connection:
            return {row.name: row.value for row in connection.execute(query)}

    def put(self, user: str, name: str, value: str) -> None:
        with writing(self._engine) as connection:
            values = {"user": user, "name": name, "value": value}
            connection.execute(upsert(connection, preferences).values(values))
