"""A full disk, a lock that lasts, a dead server: one clear error each, nothing written, and no loss after."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, event, text

from backend.persistence import connect
from backend.persistence.connect import open_database, reading, sqlite_url, writing
from backend.persistence.errors import (
    DatabaseDamaged,
    DatabaseLocked,
    DatabaseOutdated,
    DatabaseRefused,
    DatabaseUnreachable,
    PersistenceError,
    StorageFailure,
    StorageFull,
)
from backend.persistence.failures import told_plainly
from backend.persistence.journal import SqlJournal
from backend.persistence.schema import upgrade
from backend.persistence.verify import verify
from backend.usecases.ports import JournalError
from tests.persistence.episodes import claimed, new_episode
from tests.support.drill import Commit, Drill

FULL_DISK = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$
"""


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Engine]:
    """A SQLite database that the test may spoil."""
    engine = open_database(sqlite_url(tmp_path / "alone.db"))
    upgrade(engine)
    yield engine
    engine.dispose()


def test_a_full_disk_on_sqlite_loses_nothing_that_was_committed(alone: Engine) -> None:
    drill, journal = begun(alone)
    disk = NoFurtherPage(alone)

    with pytest.raises(StorageFull) as caught:
        append_all(journal, drill.commits[1:])

    assert "disk is full" in caught.value.message
    assert "Free some space" in caught.value.remedy
    written = list(journal.read())
    assert written == drill.events[: len(written)]
    assert verify(alone, drill.episode) == []

    disk.lift()
    append_all(journal, [commit for commit in drill.commits if commit.events[0].seq > len(written)])
    assert list(journal.read()) == drill.events
    assert verify(alone, drill.episode) == []


def test_a_full_disk_on_postgres_loses_nothing_that_was_committed(postgres_engine: Engine) -> None:
    drill, journal = begun(postgres_engine)
    execute(
        postgres_engine,
        FULL_DISK,
        "CREATE TRIGGER disk BEFORE INSERT ON entity_audit EXECUTE FUNCTION full_disk()",
    )

    with pytest.raises(StorageFull, match="disk is full"):
        journal.append(drill.commits[1].events)
    assert list(journal.read()) == drill.events[:2]

    execute(postgres_engine, "DROP TRIGGER disk ON entity_audit", "DROP FUNCTION full_disk()")
    journal.append(drill.commits[1].events)
    assert verify(postgres_engine, drill.episode) == []


def test_a_lock_that_lasts_is_told_and_nothing_is_written(
    alone: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "BUSY_S", 0.05)
    impatient = open_database(str(alone.url))
    drill, _ = begun(alone)
    journal = SqlJournal(impatient, claimed(alone, drill.episode))

    with writing(alone), pytest.raises(DatabaseLocked, match=r"held by another process.*Try again"):
        journal.append(drill.commits[1].events)

    journal.append(drill.commits[1].events)
    impatient.dispose()


def test_a_lock_that_lasts_on_postgres_is_told(
    postgres_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "BUSY_S", 1)
    impatient = open_database(postgres_engine.url.render_as_string(hide_password=False))
    drill, _ = begun(postgres_engine)
    journal = SqlJournal(impatient, claimed(postgres_engine, drill.episode))

    with writing(postgres_engine) as connection:
        connection.execute(text("SELECT * FROM heads FOR UPDATE"))
        with pytest.raises(DatabaseLocked, match="held by another process"):
            journal.append(drill.commits[1].events)
    impatient.dispose()


def test_a_runner_stopped_inside_a_transaction_does_not_keep_its_successor_out(
    postgres_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends a session that stands idle in a transaction, which gives its locks back."""
    monkeypatch.setattr(connect, "BUSY_S", 1)
    stopped = open_database(postgres_engine.url.render_as_string(hide_password=False))
    drill, journal = begun(postgres_engine)

    def hold_the_head_and_stand_still() -> None:
        with writing(stopped) as connection:
            connection.execute(text("SELECT * FROM heads FOR UPDATE"))
            journal.append(drill.commits[1].events)  # the successor's; waits until the server has ended us
            connection.execute(text("SELECT 1"))

    with pytest.raises(DatabaseUnreachable):
        hold_the_head_and_stand_still()

    assert len(list(journal.read())) == 2 + len(drill.commits[1].events)
    stopped.dispose()


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"this is a picture of a ship" * 200, DatabaseDamaged), (b"", DatabaseOutdated)],
    ids=["no database", "empty"],
)
def test_a_file_that_is_no_database_of_ours_is_told(
    tmp_path: Path, content: bytes, expected: type[PersistenceError]
) -> None:
    file = tmp_path / "file.db"
    file.write_bytes(content)

    with pytest.raises(expected) as caught, reading(open_database(sqlite_url(file))) as connection:
        connection.execute(text("SELECT * FROM heads"))

    assert caught.value.remedy


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(DatabaseUnreachable, match="folder exists"),
        reading(open_database(sqlite_url(tmp_path / "no" / "where.db"))),
    ):
        pass


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://nobody@host.invalid/none", "cannot be reached"),
        ("postgresql:///none?host=/nonexistent", "cannot be reached"),
    ],
    ids=["host", "socket"],
)
def test_a_server_that_does_not_answer_is_told(url: str, words: str) -> None:
    with pytest.raises(DatabaseUnreachable, match=words), reading(open_database(url)):
        pass


def test_a_wrong_database_name_is_told(postgres_engine: Engine) -> None:
    url = postgres_engine.url.set(database="no_such_database").render_as_string(hide_password=False)

    with pytest.raises(DatabaseUnreachable, match="no_such_database"), reading(open_database(url)):
        pass


def test_what_nobody_foresaw_keeps_the_driver_s_words(engine: Engine) -> None:
    with pytest.raises(DatabaseRefused, match="syntax error"), reading(engine) as connection:
        connection.execute(text("SELEKT 1"))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT], ids=["disk", "quota"])
def test_a_full_disk_under_a_file_is_told_alike(number: int) -> None:
    with pytest.raises(StorageFull, match="disk is full"), told_plainly():
        raise OSError(number, "no space left on device")


def test_what_an_append_meets_is_a_journal_error_too() -> None:
    """The loop knows the port alone."""
    assert issubclass(StorageFailure, JournalError)
    assert {StorageFull, DatabaseLocked, DatabaseUnreachable, DatabaseDamaged} <= set(
        StorageFailure.__subclasses__()
    )


def begun(engine: Engine) -> tuple[Drill, SqlJournal]:
    drill = Drill(new_episode(engine)).run([("evidence", n) for n in range(200)])
    journal = SqlJournal(engine, claimed(engine, drill.episode), snapshot_every=10)
    journal.append(drill.commits[0].events)
    return drill, journal


def append_all(journal: SqlJournal, commits: list[Commit]) -> None:
    for commit in commits:
        journal.append(commit.events)


class NoFurtherPage:
    """SQLite's own full disk: each connection may use the pages there are, and no more, until `lift`."""

    def __init__(self, engine: Engine) -> None:
        with reading(engine) as connection:
            self._pages = connection.execute(text("PRAGMA page_count")).scalar_one()
        event.listen(engine, "checkout", self._apply)

    def lift(self) -> None:
        self._pages = 1_000_000

    def _apply(self, connection: sqlite3.Connection, _record: object, _proxy: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {self._pages}")


def execute(engine: Engine, *statements: str) -> None:
    plain = create_engine(engine.url)
    with plain.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    plain.dispose()
