"""What a driver's error means: SQLite's words and Postgres's states, each as one error of ours."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from backend.persistence.errors import (
    DatabaseDamaged,
    DatabaseLocked,
    DatabaseOutdated,
    DatabaseRefused,
    DatabaseUnreachable,
    PersistenceError,
    StorageFull,
)


class Meaning(NamedTuple):
    """`sign`: words in SQLite's message, or the beginning of Postgres's SQLSTATE."""

    sign: str
    error: type[PersistenceError]
    message: str
    remedy: str


FREE_SPACE = "Free some space there, then start again: every episode goes on from what was committed."
UPGRADE = "Run: quarterdeck db upgrade"
WHO_HOLDS = "Try again; if it lasts, find and end the process that holds it."
LOCKED = "The database is held by another process."
CHECK_ADDRESS = "Check that it runs, and host and port in the database URL."

SQLITE = (
    Meaning("disk is full", StorageFull, "The disk is full.", FREE_SPACE),
    Meaning("locked", DatabaseLocked, LOCKED, WHO_HOLDS),
    Meaning("busy", DatabaseLocked, LOCKED, WHO_HOLDS),
    Meaning("malformed", DatabaseDamaged, "The database file is damaged.", "Restore it from a backup."),
    Meaning("not a database", DatabaseDamaged, "The file is no database.", "Name another, or move it away."),
    Meaning("disk i/o error", DatabaseDamaged, "The disk reports an error.", "Check the disk's health."),
    Meaning("readonly", DatabaseRefused, "The database is read-only.", "Make its file and folder writable."),
    Meaning(
        "unable to open", DatabaseUnreachable, "The database file cannot be opened.",
        "Check that its folder exists and may be written.",
    ),
    Meaning("no such table", DatabaseOutdated, "The database lacks a table of this version.", UPGRADE),
    Meaning("no such column", DatabaseOutdated, "The database lacks a column of this version.", UPGRADE),
    Meaning("no column named", DatabaseOutdated, "The database lacks a column of this version.", UPGRADE),
)  # fmt: skip

POSTGRES = (
    Meaning("53100", StorageFull, "The database server's disk is full.", FREE_SPACE),
    Meaning(
        "53300", DatabaseUnreachable, "The database server takes no more connections.",
        "Raise its max_connections, or run fewer processes.",
    ),
    Meaning("55P03", DatabaseLocked, LOCKED, WHO_HOLDS),
    Meaning("40", DatabaseLocked, "Two transactions stood in each other's way.", "Try again."),
    Meaning("42P01", DatabaseOutdated, "The database lacks a table of this version.", UPGRADE),
    Meaning("42703", DatabaseOutdated, "The database lacks a column of this version.", UPGRADE),
    Meaning(
        "28", DatabaseUnreachable, "The database server does not accept the user or the password.",
        "Correct them in the database URL.",
    ),
    Meaning(
        "3D", DatabaseUnreachable, "The database server has no database of this name.",
        "Create it, or correct the name in the database URL.",
    ),
    Meaning("25P03", DatabaseUnreachable, "The server ended a transaction that stood idle.", "Start again."),
    Meaning("08", DatabaseUnreachable, "The database server cannot be reached.", CHECK_ADDRESS),
    Meaning("57P", DatabaseUnreachable, "The database server ended the session.", "Start it again."),
    Meaning("XX", DatabaseDamaged, "The database server reports damage.", "See its log."),
)  # fmt: skip


@contextmanager
def told_plainly() -> Iterator[None]:
    """Turns what SQLAlchemy, a driver or a full disk raises inside into a PersistenceError."""
    try:
        yield
    except DBAPIError as error:
        raise translated(error) from error
    except PoolTimeout as error:
        message = "All connections to the database are in use."
        raise DatabaseLocked(message, field="database_url", remedy="Try again.") from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StorageFull("The disk is full.", field="home", remedy=FREE_SPACE) from error
        raise


def translated(error: DBAPIError) -> PersistenceError:
    """The error of ours that `error` means; what we do not know keeps the driver's words."""
    words = next(iter(str(error.orig).strip().splitlines()), type(error.orig).__name__)
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        known = next((meaning for meaning in POSTGRES if state.startswith(meaning.sign)), None)
    elif type(error.orig).__module__.startswith("psycopg"):
        # Without a state the server never answered.
        known = next(meaning for meaning in POSTGRES if meaning.sign == "08")
    else:
        known = next((meaning for meaning in SQLITE if meaning.sign in words.lower()), None)
    if known is None:
        return DatabaseRefused(f"The database refused a statement: {words}.", field="database_url")
    return known.error(known.message, field="database_url", remedy=f"{known.remedy} ({words})")
