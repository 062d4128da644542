"""A stand for each module: its own database, whose episodes do not meet those of another."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from tests.web.stand import Stand, prepared

pytest_plugins: list[str] = []


@pytest.fixture(scope="module")
def stand(sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Stand:
    return prepared(sqlite_engine, tmp_path_factory.mktemp("frames"))
