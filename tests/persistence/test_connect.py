"""Connections: which URLs are taken, how SQLite is set up, and that a failed block leaves nothing behind."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from sqlalchemy import Engine, insert, select, text

from backend.persistence.connect import now_s, open_database, reading, sqlite_url, utc_text, writing
from backend.persistence.errors import DatabaseUrlWrong
from backend.persistence.tables.plain import document_versions

DOCUMENT = {"kind": "site", "name": "yard", "version": 1, "body": "", "author": "ada", "utc": ""}


@pytest.mark.parametrize(
    "url",
    [
        "",
        "quarterdeck.db",
        "mysql://db/quarterdeck",
        "nonsense://x",
        "sqlite://",
        "sqlite:///:memory:",
        "postgresql://host:port/",
    ],
)
def test_a_url_that_names_no_usable_database_is_refused_with_what_to_write(url: str) -> None:
    with pytest.raises(DatabaseUrlWrong) as caught:
        open_database(url)

    assert caught.value.field == "database_url"
    assert "sqlite:///FILE" in caught.value.remedy
    assert "postgresql://" in caught.value.remedy


def test_a_refused_url_keeps_its_password_to_itself() -> None:
    with pytest.raises(DatabaseUrlWrong) as caught:
        open_database("mysql://ada:secret@db/quarterdeck")

    assert "secret" not in str(caught.value)


def test_opening_connects_to_nothing(tmp_path: Path) -> None:
    open_database(sqlite_url(tmp_path / "later.db"))
    open_database("postgresql://nobody@host.invalid/none")

    assert not (tmp_path / "later.db").exists()


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10_000)],
)
def test_sqlite_is_set_up_to_lose_nothing(tmp_path: Path, pragma: str, value: object) -> None:
    with reading(open_database(sqlite_url(tmp_path / "new.db"))) as connection:
        assert connection.execute(text(f"PRAGMA {pragma}")).scalar_one() == value


def test_a_block_that_raises_leaves_nothing_behind(engine: Engine) -> None:
    with contextlib.suppress(ZeroDivisionError), writing(engine) as connection:
        connection.execute(insert(document_versions).values(DOCUMENT))
        raise ZeroDivisionError

    with reading(engine) as connection:
        assert connection.execute(select(document_versions)).all() == []


def test_what_is_written_in_a_reading_block_is_not_kept(engine: Engine) -> None:
    with reading(engine) as connection:
        connection.execute(insert(document_versions).values(DOCUMENT))

    with reading(engine) as connection:
        assert connection.execute(select(document_versions)).all() == []


def test_a_reader_sees_one_moment_while_a_writer_goes_on(engine: Engine) -> None:
    with reading(engine) as reader:
        assert reader.execute(select(document_versions)).all() == []
        with writing(engine) as writer:
            writer.execute(insert(document_versions).values({**DOCUMENT, "name": "other"}))

        assert reader.execute(select(document_versions)).all() == []


def test_the_database_s_clock_is_utc_in_seconds(engine: Engine) -> None:
    with reading(engine) as connection:
        told = connection.execute(text("SELECT CURRENT_TIMESTAMP")).scalar_one()
        clock_s = now_s(connection)

    assert utc_text(clock_s)[:10] in {str(told)[:10], utc_text(clock_s - 86400)[:10]}
    assert clock_s > 1.7e9


def test_utc_is_written_with_milliseconds_and_its_zone() -> None:
    assert utc_text(1_800_000_000.25) == "2027-01-15T08:00:00.250Z"
