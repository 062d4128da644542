"""Many people clicking at once, on either database: one decision, and everybody else is told so."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine

from backend.domain.episode.events import ApprovalGranted, StepDispatched
from backend.persistence.reader import SqlReader
from tests.web.stand import Stand, prepared
from tests.web.test_commands import form_of, grant, waits

CLICKS = 50


@pytest.fixture(scope="module")
def stand(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Stand:
    """On SQLite, then on Postgres."""
    return prepared(engine, tmp_path_factory.mktemp("frames"))


def test_fifty_clicks_are_one_decision(stand: Stand) -> None:
    with stand.client() as client, stand.play("s-6").until(waits).running() as played:
        form, approval = form_of(played), played.state.approval.id  # type: ignore[union-attr]
        with ThreadPoolExecutor(10) as pool:
            answers = list(pool.map(lambda _: grant(client, played, form, approval), range(CLICKS)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (CLICKS - 1)
    told = [answer.text for answer in answers if answer.status_code == 409]
    assert all("changed nothing." in text or "nothing was done" in text for text in told)
    events = [entry.recorded.event for entry in SqlReader(stand.engine).events(played.episode, limit=None)]
    granted = [event for event in events if isinstance(event, ApprovalGranted)]
    assert [event.approval_id for event in granted].count(approval) == 1
    steps = [
        event.index for event in events if isinstance(event, StepDispatched) and event.approval_id == approval
    ]
    assert len(set(steps)) == len(steps)
