"""Every outcome that the planner keeps apart, through real HTTP and both APIs."""

import time
from typing import Any

import pytest

from backend.domain.query.query import Attempt, AttemptMeta, Proposal, Reply
from backend.planners.openai import OpenAIPlanner
from tests.planners.samples import MODEL, first_query, planner, settings
from tests.support.fake_planner import FakePlanner

APIS = ("responses", "chat")

OUTCOMES = [
    # what the server does, verdict, what the detail says
    ("invalid_schema", "invalid_schema", "rationale: is missing."),
    ("garbage", "invalid_json", "The reply is no JSON"),
    ("garbage_body", "failed", "Check QUARTERDECK_PLANNER_BASE_URL, which usually ends in /v1."),
    ("refusal", "refusal", "The model refused: I will not help with that."),
    (
        "truncation",
        "incomplete",
        "cut off after 6000 output tokens. Raise QUARTERDECK_PLANNER_MAX_OUTPUT_TOKENS.",
    ),
    ("content_filter", "incomplete", "content filter"),
    ("status_400", "api_error", "400 (invalid_request_error): Unknown parameter."),
    ("status_401", "api_error", "Check QUARTERDECK_PLANNER_API_KEY."),
    ("status_404", "api_error", "Check QUARTERDECK_PLANNER_BASE_URL"),
]


def ask(fake: FakePlanner, api: str, **changes: Any) -> Reply:
    return planner(fake.url, api=api, **changes).propose(first_query())


@pytest.mark.parametrize("api", APIS)
def test_a_valid_plan(api: str) -> None:
    with FakePlanner() as fake:
        reply = ask(fake, api)

    assert reply.proposal is not None
    assert [step.skill for step in reply.proposal.steps] == [
        "navigate",
        "approach",
        "grasp",
        "navigate",
        "deliver",
    ]
    assert (reply.decision, reply.attempt) == (1, 1)
    (attempt,), (meta,) = reply.attempts, reply.metas
    assert (attempt.verdict, attempt.detail, attempt.model, attempt.api) == ("ok", "", MODEL, api)
    assert meta.latency_s > 0
    assert (meta.retries, meta.request_id) == (0, "req_1")
    assert meta.response_id
    usage = attempt.usage
    assert usage.reasoning_tokens == 64
    assert usage.cached_tokens
    assert usage.total_tokens == (usage.input_tokens or 0) + (usage.output_tokens or 0)
    assert attempt.cost_usd is None, "a server of one's own costs nothing that we know of"


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(("did", "verdict", "says"), OUTCOMES, ids=[row[0] for row in OUTCOMES])
def test_what_is_no_plan_keeps_its_own_verdict(api: str, did: str, verdict: str, says: str) -> None:
    with FakePlanner([did, "valid"]) as fake:
        reply = ask(fake, api)

    assert reply.proposal is None
    assert [attempt.verdict for attempt in reply.attempts] == [verdict]
    assert says in reply.attempts[0].detail
    assert reply.attempts[0].response
    assert fake.count == 1, "asking the same again would not help"


@pytest.mark.parametrize("api", APIS)
def test_a_dangling_reference_is_a_proposal_for_the_validator_to_refuse(api: str) -> None:
    with FakePlanner(["bad_entity"]) as fake:
        reply = ask(fake, api)

    assert reply.attempts[0].verdict == "ok"
    assert reply.proposal is not None
    assert reply.proposal.steps[0].arguments == {"to": "can_99"}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("did", "verdict"),
    [("status_429", "api_error"), ("status_500", "api_error"), ("drop", "api_error"), ("slow", "timeout")],
)
def test_what_may_pass_is_asked_again_and_each_try_is_on_record(api: str, did: str, verdict: str) -> None:
    with FakePlanner([[{"do": did, "seconds": 30}, "valid"]]) as fake:
        reply = ask(fake, api, try_timeout_s=1.5 if did == "slow" else 20.0)

    assert [attempt.verdict for attempt in reply.attempts] == [verdict, "ok"]
    assert [meta.retries for meta in reply.metas] == [0, 1]
    assert reply.proposal is not None
    assert fake.count == 2


def test_a_model_that_broke_down_may_answer_the_second_time() -> None:
    with FakePlanner(["failed", "valid"]) as fake:
        reply = ask(fake, "responses")

    assert [attempt.verdict for attempt in reply.attempts] == ["failed", "ok"]
    assert "The model broke down." in reply.attempts[0].detail


def test_retries_are_bounded() -> None:
    with FakePlanner(["status_500"] * 9) as fake:
        reply = ask(fake, "chat", retries=2)

    assert [attempt.verdict for attempt in reply.attempts] == ["api_error"] * 3
    assert reply.proposal is None
    assert fake.count == 3


def test_a_wait_longer_than_the_decision_may_take_is_not_begun() -> None:
    with FakePlanner([{"do": "status_429", "retry_after": 600}, "valid"]) as fake:
        reply = ask(fake, "responses")

    assert [attempt.verdict for attempt in reply.attempts] == ["api_error"]
    assert "Rate limit reached." in reply.attempts[0].detail
    assert fake.count == 1


@pytest.mark.parametrize("did", ["slow", "trickle"])
def test_the_deadline_bounds_the_whole_decision(did: str) -> None:
    """A trickling answer never lets a read time out, so a read timeout alone would wait for minutes."""
    with FakePlanner([{"do": did, "seconds": 30 if did == "slow" else 0.05}] * 9) as fake:
        started = time.monotonic()
        reply = ask(fake, "chat", deadline_s=0.6, try_timeout_s=30.0)
        waited_s = time.monotonic() - started

    assert [attempt.verdict for attempt in reply.attempts] == ["timeout"]
    assert reply.proposal is None
    assert 0.5 < waited_s < 5.0
    assert reply.metas[0].latency_s < 5.0


def test_a_server_that_is_not_there() -> None:
    with FakePlanner() as fake:
        url = fake.url
    reply = planner(url, retries=1).propose(first_query())

    assert [attempt.verdict for attempt in reply.attempts] == ["api_error", "api_error"]
    assert f"{url} cannot be reached" in reply.attempts[0].detail


def test_latencies_are_of_the_clock_that_was_given() -> None:
    ticks = iter([10.0, 12.5])
    with FakePlanner() as fake:
        reply = OpenAIPlanner(settings(fake.url), clock=lambda: next(ticks)).propose(first_query())

    assert reply.metas == (AttemptMeta(latency_s=2.5, request_id="req_1", response_id="chatcmpl-1"),)


@pytest.mark.parametrize("api", APIS)
def test_a_server_that_counts_no_tokens(api: str) -> None:
    with FakePlanner(["no_usage"]) as fake:
        reply = ask(fake, api)

    assert isinstance(reply.proposal, Proposal)
    assert reply.attempts[0].usage.total_tokens is None


def test_an_answer_in_the_reasoning_field_is_an_answer() -> None:
    with FakePlanner(["reasoning_field"]) as fake:
        reply = ask(fake, "chat")

    assert reply.proposal is not None


def test_two_runs_of_one_exchange_leave_the_same_record() -> None:
    """Ids and times are meta: the content digest of an episode must not hang on them."""
    with FakePlanner(["valid"]) as one, FakePlanner(["valid"]) as other:
        first, second = ask(one, "responses"), ask(other, "responses")

    assert first.attempts == second.attempts
    assert "resp_1" not in str(first.attempts)


def test_no_key_is_on_record() -> None:
    with FakePlanner(["status_401"]) as fake:
        reply = ask(fake, "chat", api_key="sk-very-secret")
        sent = fake.received[0].headers["authorization"]

    assert sent == "Bearer sk-very-secret"
    assert "sk-very-secret" not in str([reply, *map(shown, reply.attempts)])


def shown(attempt: Attempt) -> str:
    return f"{attempt.request} {attempt.response} {attempt.detail}"
