"""Whole missions planned over HTTP: what a model gets wrong costs a decision, never a movement."""

import pytest

from backend.domain.episode.events import ExchangeRecorded, PlanProposed, PlanRefused, StepDispatched
from tests.planners.samples import planner
from tests.support.episodes import Played, play
from tests.support.fake_planner import Entry, FakePlanner


def played(script: list[Entry], scenario: str = "live-6") -> tuple[Played, FakePlanner]:
    with FakePlanner(script) as fake:
        started = play(scenario, seed=2, planner=planner(fake.url))
        for _ in range(2000):
            if started.loop.state.ending is not None or started.loop.state.asks_person:
                break
            started.loop.tick()
        return started, fake


def kinds(episode: Played, kind: type) -> list[object]:
    return [recorded.event for recorded in episode.episode.events if isinstance(recorded.event, kind)]


def test_a_model_that_plans_well_delivers_everything() -> None:
    episode, fake = played([])

    state = episode.loop.state
    assert state.ending is not None
    assert state.ending.outcome == "completed"
    assert len(state.delivered) == 6
    assert not kinds(episode, PlanRefused)
    assert len(kinds(episode, ExchangeRecorded)) == fake.count == state.spent.decisions
    assert state.spent.tokens > 1000


def test_an_answer_that_is_no_json_is_told_so_and_mended() -> None:
    episode, fake = played(["garbage"])

    refused = kinds(episode, PlanRefused)
    assert [finding.rule for finding in refused[0].findings] == ["invalid_json"]
    assert "# findings" in fake.received[1].text
    assert episode.loop.state.ending is not None
    assert episode.loop.state.ending.outcome == "completed"


def test_a_dangling_reference_is_found_fed_back_and_mended() -> None:
    episode, fake = played(["bad_entity"])

    refused = kinds(episode, PlanRefused)
    assert len(refused) == 1
    assert "There is no entity" in str(refused[0].findings[0])
    assert "# findings" in fake.received[1].text
    assert "can_99" in fake.received[1].text
    assert episode.loop.state.ending is not None
    assert episode.loop.state.ending.outcome == "completed"


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(["bad_entity", "bad_entity"], id="wrong twice"),
        pytest.param(["bad_station", "empty_plan"], id="wrong in two ways"),
        pytest.param(["refusal"], id="refused"),
        pytest.param(["truncation"], id="cut off"),
        pytest.param(["garbage", "garbage"], id="no JSON twice"),
        pytest.param(["status_401"], id="not let in"),
    ],
)
def test_when_no_plan_comes_a_person_is_asked_and_nothing_moves(script: list[Entry]) -> None:
    episode, fake = played(script)

    assert episode.loop.state.asks_person
    assert not kinds(episode, PlanProposed)
    assert not kinds(episode, StepDispatched)
    assert fake.count == len(script)
    assert len(kinds(episode, ExchangeRecorded)) == len(script)
