"""INSERT in three manners, each built once for a table. Two of them SQLAlchemy spells per dialect, though
both databases understand the same words."""

from __future__ import annotations

from functools import lru_cache

from sqlalchemy import Connection, Insert, Table, insert
from sqlalchemy.dialects import postgresql, sqlite


@lru_cache
def insert_new(table: Table) -> Insert:
    """INSERT that fails when a row of this key is there."""
    return insert(table)


def insert_missing(connection: Connection, table: Table) -> Insert:
    """INSERT that leaves a row that is already there as it is."""
    return _insert_missing(connection.dialect.name, table)


def upsert(connection: Connection, table: Table) -> Insert:
    """INSERT that replaces the row of the same primary key."""
    return _upsert(connection.dialect.name, table)


@lru_cache
def _insert_missing(dialect: str, table: Table) -> Insert:
    return _insert(dialect, table).on_conflict_do_nothing()


@lru_cache
def _upsert(dialect: str, table: Table) -> Insert:
    statement = _insert(dialect, table)
    rest = {
        column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key
    }
    return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=rest)


def _insert(dialect: str, table: Table) -> postgresql.Insert | sqlite.Insert:
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
