"""Episodes that a model plans, over real HTTP: what counts as its result, and what ends the study."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.episode.events import ExchangeRecorded, Recorded
from backend.evaluation.errors import PlannerLost
from backend.evaluation.live_arms import live_arm
from backend.evaluation.live_play import ASKS, Interrupted, Place, Played, play_live
from backend.evaluation.live_players import first_difference
from backend.persistence.chain import content_digest
from backend.planners.policy import PolicyPlanner
from backend.rig import answering, grid_bridge
from backend.usecases.ports import Planner
from tests.planners.samples import planner
from tests.support.fake_planner import Entry, FakePlanner

ATTENTION = live_arm("attention", "openai", {"model": "m", "tokens": 100_000})
PLACE = Place(arm=0, seed=2, episode="live-6-attention-run-1-seed-2", code_version="1.0+abc")


def played_by(by: Planner, arm: Any = ATTENTION, **more: Any) -> Played:
    return play_live(PLACE, arm, grid_bridge(arm, PLACE.seed), by, content_digest, **more)


def played(script: Sequence[Entry] = (), arm: Any = ATTENTION, **settings: Any) -> Played:
    with FakePlanner(script) as fake:
        return played_by(planner(fake.url, **settings), arm)


@pytest.fixture(scope="module")
def whole() -> Played:
    """One retry, one plan that had to be repaired, and then all goes well."""
    return played(["status_429", "valid", "bad_entity"], retries=2)


def test_tokens_calls_and_latency_are_what_the_provider_said(whole: Played) -> None:
    events = [(each.event, each.meta or {}) for each in whole.journal]
    exchanges = [(e.exchange, meta) for e, meta in events if isinstance(e, ExchangeRecorded)]
    answered = [(attempt, meta) for attempt, meta in exchanges if attempt.verdict != "api_error"]
    measured = whole.row.extra

    assert (whole.row.success, whole.row.delivered, measured["deliveries"]) == (True, 6, 6.0)
    assert len(exchanges) == len(answered) + 1 == measured["requests"]
    assert measured["model_calls"] == len(answered) == whole.row.planner_calls + 1, "with the repair"
    assert measured["refused_plans"] == 1
    for name in ("input_tokens", "cached_tokens", "output_tokens", "total_tokens"):
        assert measured[name] == sum(getattr(attempt.usage, name) for attempt, _ in answered) > 0
    latencies_s = [meta["latency_s"] for _, meta in answered]
    assert measured["latency_s"] == pytest.approx(sum(latencies_s) / len(latencies_s))


def test_the_query_has_the_paper_s_five_blocks(whole: Played) -> None:
    asked = [each.event for each in whole.journal if hasattr(each.event, "blocks")]

    names = {block.name for event in asked for block in event.blocks}
    assert names == {"goal", "robot", "rules", "records", "terminal", "findings"}
    assert whole.row.extra["query_size"] == sum(block.size for event in asked for block in event.blocks)


def test_answers_on_record_give_the_very_same_episode_and_ask_nobody(whole: Played) -> None:
    again = played_by(answering(whole.journal))

    assert again.row == whole.row
    assert again.recording == whole.recording
    assert first_difference(whole.journal, again.journal) == ""


def test_the_other_interface_is_measured_and_repeated_alike() -> None:
    found = played(api="responses")

    assert found.row.extra["total_tokens"] > found.row.extra["input_tokens"] > 0
    assert played_by(answering(found.journal)).recording == found.recording


def test_a_journal_of_a_planner_that_computes_is_computed_again() -> None:
    arm = live_arm("unfiltered", "policy", {})
    first = played_by(PolicyPlanner(), arm)

    assert played_by(answering(first.journal), arm).recording == first.recording
    assert "input_tokens" not in first.row.extra
    assert first.row.extra["requests"] == 0


def test_the_first_difference_is_named(whole: Played) -> None:
    journal = list(whole.journal)
    at = next(index for index, each in enumerate(journal) if hasattr(each.event, "exchange"))
    changed = [*journal[:at], replace(journal[at], met_s=99.0), *journal[at + 1 :]]
    slower: list[Recorded] = [replace(each, meta={"latency_s": 9.0}) for each in journal]

    assert first_difference(journal, changed).startswith(f"Event {at + 1} was exchange.recorded")
    shorter = f"It had {len(journal)} events, and has {len(journal) - 1} now."
    assert first_difference(journal, journal[:-1]) == shorter
    assert first_difference(journal, slower) == ""


RESULTS = {
    "refused": ["refusal"],
    "refused after a delivery": ["valid", "refusal"],
    "cut off": ["truncation"],
    "no JSON twice": ["garbage", "garbage"],
    "a plan against the rules twice": ["bad_entity", "bad_entity"],
}


@pytest.mark.parametrize("script", RESULTS.values(), ids=RESULTS)
def test_what_the_model_gets_wrong_is_its_result_and_the_episode_ends(script: list[Entry]) -> None:
    found = played(script)

    assert (found.row.outcome, found.row.success) == (ASKS, False)
    assert found.row.extra["deliveries"] == script.count("valid") == found.row.delivered
    last = found.journal[-1].event
    assert getattr(last, "outcome", None) == "aborted", "nothing of it waits for a person"


LOST = {
    "not let in": ["status_401"],
    "always busy": ["status_429", "status_429"],
    "broken": ["garbage_body"],
    "gone after a delivery": ["valid", "status_500", "status_500"],
    "hangs up": ["drop", "drop"],
}


@pytest.mark.parametrize("script", LOST.values(), ids=LOST)
def test_a_server_that_cannot_be_asked_is_no_result(script: list[Entry]) -> None:
    with pytest.raises(PlannerLost, match=r"The server|cannot be reached"):
        played(script, retries=1)


def test_the_token_budget_ends_an_episode_before_the_next_call() -> None:
    found = played(arm=live_arm("attention", "openai", {"tokens": 1}))

    assert (found.row.outcome, found.row.success, found.row.extra["model_calls"]) == ("budget", False, 1.0)
    assert found.row.delivered == 1, "the plan that was paid for is carried out"


def test_counts_that_the_provider_leaves_out_once_are_no_sum() -> None:
    measured = played(["no_usage"]).row.extra

    assert not {"input_tokens", "output_tokens", "total_tokens", "cached_tokens"} & set(measured)
    assert measured["model_calls"] == 6


def test_a_study_that_stops_asks_no_more_and_counts_nothing() -> None:
    calls = []

    def stopping() -> bool:
        calls.append(1)
        return len(calls) > 2

    with pytest.raises(Interrupted):
        played_by(PolicyPlanner(), live_arm("attention", "policy", {}), stopping=stopping)
    assert len(calls) == 3
