"""Connections. `reading` and `writing` are the only ways to a transaction; both tell failures plainly.

On SQLite a writer takes the write lock as it begins, so two of them queue up rather than deadlock half way.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from backend.persistence.errors import DatabaseUrlWrong
from backend.persistence.failures import told_plainly

BUSY_S = 10
CONNECT_S = 10

_CLOCK = {
    "sqlite": text("SELECT (julianday('now') - 2440587.5) * 86400.0"),
    "postgresql": text("SELECT extract(epoch FROM clock_timestamp())::float8"),
}


def sqlite_url(file: Path) -> str:
    return URL.create("sqlite", database=str(file)).render_as_string(hide_password=False)


def open_database(url: str) -> Engine:
    """An engine for `sqlite:///FILE` or `postgresql://…`, not connected yet. Raises DatabaseUrlWrong."""
    remedy = "Write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE."
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
            return _sqlite(parsed)
        if parsed.get_backend_name() == "postgresql":
            return _postgres(parsed)
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise DatabaseUrlWrong(
            "The database URL cannot be read.", field="database_url", remedy=remedy
        ) from error
    shown = parsed.render_as_string(hide_password=True)
    raise DatabaseUrlWrong(f"Not a database we can use: {shown}.", field="database_url", remedy=remedy)


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One moment of the database, however many statements look at it; nothing written in it is kept."""
    with told_plainly(), engine.connect() as plain:
        # SQLite's transactions see one moment anyway.
        moment = "REPEATABLE READ" if plain.dialect.name == "postgresql" else "SERIALIZABLE"
        yield plain.execution_options(isolation_level=moment)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction: committed as a whole when the block ends, rolled back when it raises."""
    with told_plainly(), engine.connect() as plain:
        connection = plain.execution_options(quarterdeck_writes=True)
        with connection.begin():
            yield connection


def now_s(connection: Connection) -> float:
    """The database's clock in epoch seconds: the one clock that all processes share."""
    return float(connection.execute(_CLOCK[connection.dialect.name]).scalar_one())


def utc_text(epoch_s: float) -> str:
    """ISO 8601 with milliseconds, for display and sorting."""
    return datetime.fromtimestamp(epoch_s, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_S}, pool_size=20, max_overflow=40)

    def prepare(connection: Any, _record: object) -> None:
        # Transactions are begun below, not by the driver's guess.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("quarterdeck_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine


def _postgres(url: URL) -> Engine:
    # A runner stopped inside a transaction must not keep its successor out for ever.
    bounds = f"-c lock_timeout={BUSY_S}s -c idle_in_transaction_session_timeout={BUSY_S}s"
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        connect_args={"connect_timeout": CONNECT_S, "options": bounds},
        pool_size=10,
        max_overflow=20,
        pool_pre_ping=True,
    )
