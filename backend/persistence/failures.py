"""What a driver's error means: SQLite's words and Postgres's states, each as one error of ours."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
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

FREE_SPACE = "Free some space there, then start the episode again: it goes on from what was committed."

_SQLITE = (
    (("database or disk is full", "disk i/o error"), StorageFull, "The disk is full.", FREE_SPACE),
    (("locked", "busy"), DatabaseLocked, "The database is held by another process.", "Try again; if it lasts, see which process holds it: a stopped runner must be ended."),
    (("malformed", "not a database", "corrupt"), DatabaseDamaged, "The database file is damaged.", "Restore it from a backup."),
    (("readonly", "read-only"), DatabaseRefused, "The database may not be written.", "Give this account write access to the file and to its folder."),
    (("unable to open",), DatabaseUnreachable, "The database file cannot be opened.", "Check that its folder exists and that this account may write there."),
    (("no such table", "no such column", "has no column"), DatabaseOutdated, "The database lacks tables of this version.", "Run: quarterdeck db upgrade"),
)  # fmt: skip

_POSTGRES = (
    ("53100", StorageFull, "The database server's disk is full.", FREE_SPACE),
    ("53300", DatabaseUnreachable, "The database server takes no more connections.", "Raise its max_connections, or run fewer processes."),
    ("53", StorageFull, "The database server has run out of memory or room.", FREE_SPACE),
    ("55P03", DatabaseLocked, "The database is held by another process.", "Try again; if it lasts, see which session holds the lock."),
    ("40", DatabaseLocked, "Two transactions got in each other's way.", "Try again."),
    ("42P01", DatabaseOutdated, "The database lacks tables of this version.", "Run: quarterdeck db upgrade"),
    ("42703", DatabaseOutdated, "The database lacks columns of this version.", "Run: quarterdeck db upgrade"),
    ("28", DatabaseUnreachable, "The database server does not accept the user or password.", "Correct them in the database URL."),
    ("3D", DatabaseUnreachable, "The database server has no database of this name.", "Create it, or correct the name in the database URL."),
    ("XX", DatabaseDamaged, "The database server reports damage.", "Look at its log; restore from a backup if need be."),
    ("25P03", DatabaseUnreachable, "The transaction stood idle for too long and was ended by the server.", "Start the runner again."),
    ("08", DatabaseUnreachable, "The database server cannot be reached.", "Check that it runs, and host and port in the database URL."),
    ("57", DatabaseUnreachable, "The database server is shutting down or ended the session.", "Start it again."),
)  # fmt: skip


@contextmanager
def told_plainly() -> Iterator[None]:
    """Turns whatever SQLAlchemy, a driver or the file system raises inside into a PersistenceError."""
    try:
        yield
    except DBAPIError as error:
        raise translated(error) from error
    except PoolTimeout as error:
        raise DatabaseLocked(
            "All connections to the database are in use.", field="database_url", remedy="Try again."
        ) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StorageFull("The disk is full.", field="home", remedy=FREE_SPACE) from error
        raise


def translated(error: DBAPIError) -> PersistenceError:
    """The error of ours that `error` means; unknown ones keep the driver's words."""
    original = error.orig
    words = str(original).strip().splitlines()[0] if str(original).strip() else type(original).__name__
    state = getattr(original, "sqlstate", None)
    if state is not None:
        for prefix, kind, message, remedy in _POSTGRES:
            if state.startswith(prefix):
                return kind(message, field="database_url", remedy=f"{remedy} ({words})")
    elif type(original).__module__.startswith("sqlite3"):
        lowered = words.lower()
        for needles, kind, message, remedy in _SQLITE:
            if any(needle in lowered for needle in needles):
                return kind(message, field="home", remedy=f"{remedy} ({words})")
    elif isinstance(error, OperationalError | InterfaceError):
        remedy = f"Check that it runs, and host and port in the database URL. ({words})"
        return DatabaseUnreachable(
            "The database server cannot be reached.", field="database_url", remedy=remedy
        )
    return DatabaseRefused("The database refused a statement.", field="database_url", remedy=f"({words})")
