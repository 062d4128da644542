"""`episode`: a new one for each test, on every store there is."""

import pytest

from tests.contracts.stores import Episode, InMemory, OnDatabase


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def episode(request: pytest.FixtureRequest) -> Episode:
    if request.param == "memory":
        return InMemory()
    return OnDatabase(request.getfixturevalue(f"{request.param}_engine"))
