"""Finds moments by words and fields: FTS5 on SQLite, a GIN index on Postgres, and the same answer from both.

Threat: what is asked is a stranger's. Words reach the index as letters, digits and § alone, quoted, bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Select,
    and_,
    bindparam,
    func,
    literal,
    not_,
    or_,
    select,
    text,
)
from sqlalchemy.engine import RowMapping

from backend.domain.search.query import Filter, Query, Term
from backend.persistence.connect import reading
from backend.persistence.errors import DatabaseLocked, StorageFull
from backend.persistence.search.indexing import behind, catch_up
from backend.persistence.tables.episodes import episodes, orders
from backend.persistence.tables.search import search_moments

_OF_EPISODE = {
    "mission": episodes.c.mission,
    "planner": episodes.c.planner,
    "memory": episodes.c.memory,
    "world": episodes.c.world,
    "robot": episodes.c.robot,
    "episode": episodes.c.episode,
}


class Hit(Struct, frozen=True, kw_only=True):
    """A moment, and the episode that it is in. `outcome`: empty while that goes on. `text`: in full."""

    episode: str
    title: str
    mission: str
    planner: str
    outcome: str
    ordered_by: str
    ordered_utc: str
    seq: int
    met_s: float
    kind: str
    author: str
    text: str


class SqlSearch:
    """For any number of threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find(self, query: Query, *, limit: int, offset: int = 0) -> list[Hit]:
        """Of the newest episodes first, each in order."""
        with reading(self._engine) as connection:
            rows = connection.execute(_asked(connection, query).limit(limit).offset(offset)).mappings()
            return [_hit(row) for row in rows]

    def catch_up(self, is_over: Callable[[], bool]) -> int:
        """Indexes what is not, until `is_over()`; how many episodes are left. Where nothing can be written,
        such as on a full disk, what is indexed is searched all the same.
        """
        try:
            return catch_up(self._engine, is_over)
        except (StorageFull, DatabaseLocked):
            return len(behind(self._engine))


def _asked(connection: Connection, query: Query) -> Select[Any]:
    asked = (
        select(
            search_moments.c.episode,
            search_moments.c.seq,
            search_moments.c.met_s,
            search_moments.c.kind,
            search_moments.c.author,
            search_moments.c.text,
            episodes.c.title,
            episodes.c.mission,
            episodes.c.planner,
            episodes.c.outcome,
            orders.c.ordered_by,
            orders.c.utc.label("ordered_utc"),
        )
        .join(episodes, episodes.c.episode == search_moments.c.episode)
        .join(orders, orders.c.episode == search_moments.c.episode)
        .where(*map(_of_episode, query.filters))
    )
    found = _on_sqlite if connection.dialect.name == "sqlite" else _on_postgres
    for term in query.terms:
        holds = found(term)
        asked = asked.where(not_(holds) if term.is_excluded else holds)
    if query.is_about_episodes:
        over = and_(search_moments.c.kind == "ending", episodes.c.outcome.isnot(None))
        asked = asked.where(or_(over, and_(search_moments.c.kind == "episode", episodes.c.outcome.is_(None))))
    return asked.order_by(
        orders.c.utc.desc(), search_moments.c.episode, search_moments.c.seq, search_moments.c.id
    )


def _on_sqlite(term: Term) -> ColumnElement[bool]:
    """An FTS5 phrase, whose last word may be a beginning."""
    phrase = f'"{" ".join(term.words)}"{" *" if term.is_prefix else ""}'
    rows = text("SELECT rowid FROM search_words WHERE search_words MATCH :phrase")
    return search_moments.c.id.in_(
        rows.bindparams(bindparam("phrase", phrase, unique=True)).columns(search_moments.c.id)
    )


def _on_postgres(term: Term) -> ColumnElement[bool]:
    """The words, by the index; that they follow each other, by the text of those that have them."""
    quoted = [f"'{word}'" for word in term.words]
    quoted[-1] += ":*" if term.is_prefix else ""
    asked: BindParameter[str] = bindparam("asked", " & ".join(quoted), unique=True)
    vector = func.array_to_tsvector(func.string_to_array(search_moments.c.words, text("' '")))
    has = vector.op("@@", is_comparison=True)(text("CAST(:asked AS tsquery)").bindparams(asked))
    if len(term.words) == 1:
        return has
    row = literal(" ") + search_moments.c.words + literal(" ")
    return and_(has, row.contains(f" {' '.join(term.words)}{'' if term.is_prefix else ' '}", autoescape=True))


def _of_episode(asked: Filter) -> ColumnElement[bool]:
    if asked.field == "operator":
        holds: ColumnElement[bool] = or_(
            _is(orders.c.ordered_by, asked.value), func.coalesce(_is(episodes.c.conn, asked.value), False)
        )
    elif asked.field == "outcome" and asked.value.casefold() == "running":
        holds = episodes.c.outcome.is_(None)
    elif asked.field == "outcome":
        holds = func.coalesce(_is(episodes.c.outcome, asked.value), False)
    else:
        holds = _is(_OF_EPISODE[asked.field], asked.value)
    return not_(holds) if asked.is_excluded else holds


def _is(column: Any, value: str) -> ColumnElement[bool]:
    small = func.lower(column)
    if value.endswith("*"):
        return small.startswith(value[:-1].lower(), autoescape=True)
    return small == value.lower()


def _hit(row: RowMapping) -> Hit:
    return Hit(**{**row, "outcome": row["outcome"] or ""})
