"""Migrations give the tables that the code means, on both databases; a newer database is left alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, text

from backend.persistence import schema
from backend.persistence.connect import open_database, reading, sqlite_url, writing
from backend.persistence.errors import DatabaseNewer, DatabaseOutdated
from backend.persistence.tables import DERIVED, KEPT, metadata
from tests.persistence.episodes import new_episode


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A database without any table."""
    if request.param == "sqlite":
        engine = open_database(sqlite_url(tmp_path / "empty.db"))
    else:
        engine = open_database(request.getfixturevalue("empty_postgres_url"))
    yield engine
    engine.dispose()


def is_ours(name: str | None, *_: object) -> bool:
    """Each database's own full-text search is no table or index that SQLAlchemy could mean."""
    return not (name or "").startswith(("search_words", "ix_search_moments_words"))


def test_the_migrations_make_exactly_the_tables_that_the_code_means(empty: Engine) -> None:
    assert schema.upgrade(empty) is None

    with reading(empty) as connection:
        context = MigrationContext.configure(connection, opts={"include_name": is_ours})
        assert compare_metadata(context, metadata) == []
    schema.check(empty)


def test_migrations_follow_one_another_and_their_files_are_named_so() -> None:
    scripts = list(ScriptDirectory.from_config(schema._config()).walk_revisions())
    revisions = [script.revision for script in reversed(scripts)]

    assert schema._revisions() == revisions
    assert [script.down_revision for script in reversed(scripts)] == [None, *revisions[:-1]]


def test_every_table_is_either_derived_or_kept() -> None:
    assert {*DERIVED, *KEPT} == set(metadata.sorted_tables)
    assert not set(DERIVED) & set(KEPT)


def test_upgrading_again_changes_nothing_and_keeps_what_is_there(empty: Engine) -> None:
    schema.upgrade(empty)
    new_episode(empty, "kept")

    assert schema.upgrade(empty) == schema.newest()

    with reading(empty) as connection:
        assert connection.execute(text("SELECT count(*) FROM heads")).scalar_one() == 1


def test_several_processes_that_upgrade_at_once_make_one_schema(empty: Engine) -> None:
    with ThreadPoolExecutor(4) as pool:
        before = list(pool.map(lambda _: schema.upgrade(empty), range(4)))

    assert sorted(before, key=str) == [schema.newest()] * 3 + [None]
    schema.check(empty)


@pytest.mark.parametrize("look", [schema.upgrade, schema.check], ids=["upgrade", "check"])
def test_a_database_from_a_newer_version_is_refused_and_left_alone(
    empty: Engine, look: Callable[[Engine], object]
) -> None:
    schema.upgrade(empty)
    with writing(empty) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(DatabaseNewer) as caught:
        look(empty)

    assert "newer Quarterdeck" in str(caught.value)
    assert "9999" in str(caught.value)
    assert schema.newest() in str(caught.value)
    assert caught.value.field == "database_url"
    assert "Install" in caught.value.remedy
    assert schema.revision(empty) == "9999"


def test_an_empty_database_is_told_to_be_upgraded(empty: Engine) -> None:
    with pytest.raises(DatabaseOutdated, match="quarterdeck db upgrade"):
        schema.check(empty)

    assert inspect(empty).get_table_names() == []


def test_no_password_is_told() -> None:
    engine = open_database("postgresql://ada:secret@db.example/quarterdeck")

    assert "secret" not in schema._shown(engine)
