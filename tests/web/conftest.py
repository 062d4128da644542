"""A stand for each module: its own database, whose episodes do not meet those of another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from tests.web.stand import Stand, prepared


@pytest.fixture(scope="module")
def stand(sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Stand:
    return prepared(sqlite_engine, tmp_path_factory.mktemp("frames"))


@pytest.fixture(scope="module")
def client(stand: Stand) -> Iterator[TestClient]:
    """The console, with operator op-1 signed in, for tests that leave cookies and settings alone."""
    with stand.client() as client:
        yield client
