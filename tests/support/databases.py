"""Databases at the current schema, as engines: each test module has its own of each kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event

from backend.persistence.connect import open_database, sqlite_url
from backend.persistence.schema import upgrade


@pytest.fixture(scope="module")
def sqlite_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = open_database(sqlite_url(tmp_path_factory.mktemp("database") / "quarterdeck.db"))
    # As on Postgres: durability against a power cut is not what these tests ask about.
    event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    upgrade(engine)
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def postgres_engine(postgres_url: str) -> Iterator[Engine]:
    engine = open_database(postgres_url)
    yield engine
    engine.dispose()


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Every test that takes it runs on both databases."""
    return request.getfixturevalue(f"{request.param}_engine")
