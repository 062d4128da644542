"""Derived tables: rows written beside their events, and made again from the journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, Engine, delete

from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.persistence.connect import writing
from backend.persistence.events import entries
from backend.persistence.heads import locked_head
from backend.persistence.projections import Derived, Passage, project
from backend.persistence.statements import insert_new, upsert
from backend.persistence.tables import DERIVED
from backend.persistence.tables.journal import snapshots
from backend.persistence.tables.search import search_heads, search_moments
from backend.usecases.reading import Entry


def passages(episode: str, state: State | None, journal: Iterable[Entry]) -> Iterator[Passage]:
    """The fold, step by step, from `state` on. Raises FoldError."""
    for entry in journal:
        after = evolve(state, entry.recorded)
        yield Passage(episode, state, entry.recorded, after, entry.utc)
        state = after


def write(connection: Connection, derived: Derived) -> None:
    """A table of current values takes the new one; in every other a row is written once."""
    for table, rows in derived.items():
        statement = upsert(connection, table) if table.info.get("current") else insert_new(table)
        connection.execute(statement, list(rows.values()))


def rebuild(engine: Engine, episode: str) -> None:
    """Throws the episode's derived rows, snapshots and search index away and makes the rows again from its
    journal; the index is made when somebody searches."""
    with writing(engine) as connection:
        locked_head(connection, episode)
        rebuilt(connection, episode)


def rebuilt(connection: Connection, episode: str) -> None:
    """The same, within a transaction that holds the head."""
    for table in (*DERIVED, snapshots, search_moments, search_heads):
        connection.execute(delete(table).where(table.c.episode == episode))
    write(connection, project(passages(episode, None, entries(connection, episode))))
