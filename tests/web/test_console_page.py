"""The console's page and panels over HTTP: live, replayed, alone, and what is no page at all."""

import pytest

from tests.web.html import elements
from tests.web.stand import Stand

PANELS = ("bar", "map", "plan", "timeline", "memory", "context", "exchange", "frames", "log", "audit")


@pytest.fixture(scope="module")
def ended(stand: Stand) -> str:
    from backend.domain.command.policy import Policy

    played = stand.play("s-6", policy=Policy(mode="auto"))
    return played.until(lambda state: state.ending is not None).episode


def test_the_page_shows_an_episode(stand: Stand, ended: str) -> None:
    with stand.client() as client:
        answer = client.get(f"/episodes/{ended}")
    assert answer.status_code == 200
    assert elements(answer.text)
