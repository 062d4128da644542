"""Asking for a plan and taking the answer: one repair, then a person; late answers; budgets."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from backend.domain.command.intents import AskAgain, Hold, Propose
from backend.domain.episode.events import (
    EpisodeEnded,
    ExchangeRecorded,
    NoteWritten,
    PlanInvalidated,
    PlanProposed,
    PlanRefused,
    PlanRequested,
)
from backend.domain.execution.budgets import Budgets
from backend.domain.execution.outcome import Result
from backend.domain.memory.record import Field
from backend.domain.plans.plan import digest_of_steps
from backend.domain.query.query import Attempt, AttemptMeta, Proposal, Reply, Usage
from tests.domain.scripted import Scripted, collect, event, kinds, opened, step

WRONG = step("grasp", target="can_9")
OK = Attempt(verdict="ok", usage=Usage(total_tokens=100), cost_usd=0.01)


def asked(**opening: object) -> Scripted:
    script = Scripted(opened(**opening))  # type: ignore[arg-type]
    script.see("can_1", 3, 4)
    return script


def test_a_mission_begins_by_asking_for_a_plan() -> None:
    script = asked()

    request = script.last(PlanRequested)
    assert (request.decision, request.attempt, request.cause.kind) == (1, 1, "first")
    assert request.retrieval.exposed == ("can_1",)
    assert request.context_units == 48 + 18
    assert script.state.tally.context_units == 66


def test_a_plan_is_asked_for_once() -> None:
    script = asked()
    for _ in range(5):
        script.wait(1.0)

    assert len(script.all(PlanRequested)) == 1


def test_a_query_is_written_only_where_somebody_reads_it() -> None:
    from backend.domain.decide.tick import tick
    from backend.domain.decide.turn import Inputs

    state = opened()
    silent = tick(state, Inputs(met_s=0.0), render=False).events[0].event
    written = tick(state, Inputs(met_s=0.0)).events[0].event

    assert silent.blocks == ()  # type: ignore[union-attr]
    assert [block.name for block in written.blocks] == ["goal", "robot", "rules", "records"]  # type: ignore[union-attr]
    assert silent.retrieval == written.retrieval  # type: ignore[union-attr]


def test_a_valid_reply_becomes_the_plan() -> None:
    script = asked()

    tick = script.answer(*collect("can_1"), note="Took the nearest.", attempts=(OK,))

    assert kinds(tick) == ["ExchangeRecorded", "NoteWritten", "PlanProposed", "ApprovalRequested"]
    plan = event(tick, PlanProposed).plan
    assert (plan.number, plan.author, plan.target) == (1, "policy", "can_1")
    assert plan.digest == digest_of_steps(collect("can_1"))
    assert plan.based_on_seq == script.all(PlanRequested)[0].decision + 2  # can_1 judged, then asked
    assert event(tick, NoteWritten).text == "Took the nearest."
    assert (script.state.spent.tokens, script.state.spent.money_usd) == (100, 0.01)


def test_an_invalid_reply_is_repaired_once() -> None:
    script = asked()

    first = script.answer(WRONG)

    assert kinds(first) == ["PlanRefused", "PlanRequested"]
    assert event(first, PlanRefused).will_repair
    repair = event(first, PlanRequested)
    assert (repair.decision, repair.attempt) == (1, 2)
    assert [finding.rule for finding in repair.findings] == ["entity reference"]
    assert script.state.spent.decisions == 1
    assert kinds(script.answer(*collect("can_1")))[0] == "PlanProposed"


def test_an_invalid_repair_asks_a_person() -> None:
    script = asked()
    script.answer(WRONG)

    second = script.answer(WRONG)

    assert kinds(second) == ["PlanRefused"]
    assert not event(second, PlanRefused).will_repair
    assert script.state.asks_person == "The planner's plan broke the rules twice."
    script.wait(60.0)
    assert len(script.all(PlanRequested)) == 2
    assert script.all(PlanProposed) == []


def test_a_planner_that_fails_asks_a_person_at_once() -> None:
    script = asked()

    script.answer(attempts=(Attempt(verdict="timeout", detail="No answer within 60 s."),))

    assert script.state.asks_person == "No answer within 60 s."
    assert len(script.all(PlanRequested)) == 1
    assert script.last(ExchangeRecorded).exchange.verdict == "timeout"


def test_a_planner_without_a_word_asks_a_person_too() -> None:
    script = asked()
    script.answer()

    assert script.state.asks_person == "The planner gave no answer."


def test_a_person_asks_again_or_plans() -> None:
    script = asked()
    script.answer()
    assert script.click(AskAgain()).applied
    assert script.state.asks_person == ""
    assert script.last(PlanRequested).decision == 2


def test_a_plan_naming_what_was_not_shown_is_refused() -> None:
    script = asked()
    script.see("can_2", 6, 6)

    refused = event(script.answer(*collect("can_2")), PlanRefused)

    assert refused.findings[0].message == "can_2 is not among the records that this plan was made from."


def test_what_changed_while_the_planner_thought_breaks_its_plan_at_once() -> None:
    script = asked()
    script.see("can_1", 5, 4, q=1.0)

    tick = script.answer(*collect("can_1"))

    assert kinds(tick) == ["PlanProposed", "PlanInvalidated", "PlanRequested"]
    cause = event(tick, PlanInvalidated).cause
    assert (cause.field, cause.message) == (Field.POSE, "pose of can_1 changed while the plan was being made")
    assert script.state.tally.replans == 1


def test_what_changed_elsewhere_while_the_planner_thought_does_not() -> None:
    script = asked()
    script.see("can_2", 5, 4)

    assert kinds(script.answer(*collect("can_1"))) == ["PlanProposed", "ApprovalRequested"]


def reply(decision: int, attempt: int, *attempts: Attempt) -> Reply:
    proposal = Proposal(rationale="", note="", steps=collect("can_1"))
    return Reply(decision=decision, attempt=attempt, proposal=proposal, attempts=attempts)


@pytest.mark.parametrize(("decision", "attempt"), [(2, 1), (1, 2), (0, 1)])
def test_an_answer_to_another_question_is_recorded_and_not_used(decision: int, attempt: int) -> None:
    script = asked()

    tick = script.tick(replies=(reply(decision, attempt, OK),))

    assert kinds(tick) == ["ExchangeRecorded"]
    assert script.state.plan is None
    assert script.state.request is not None
    assert script.state.spent.tokens == 100


def test_an_answer_after_a_person_planned_is_recorded_and_not_used() -> None:
    script = asked()
    script.click(Propose(steps=collect("can_1"), seen_seq=script.state.seq))

    assert kinds(script.tick(replies=(reply(1, 1, OK),))) == ["ExchangeRecorded"]
    assert script.state.plans == 1


def test_latencies_stand_beside_the_event_and_not_in_it() -> None:
    script = asked()
    request = script.state.request
    assert request is not None
    meta = AttemptMeta(latency_s=1.5, retries=1, request_id="r")

    tick = script.tick(
        replies=(Reply(decision=1, attempt=1, proposal=None, attempts=(OK, OK), metas=(meta,)),)
    )

    assert [recorded.meta for recorded in tick.events] == [to_builtins(meta), None, None]


def test_nothing_is_asked_while_held() -> None:
    script = Scripted(opened())
    script.tick(intents=(script.intent(Hold(stop_id="s1")),))

    assert script.all(PlanRequested) == []


BUDGETS = {
    "decisions": (Budgets(steps=None, decisions=1, tokens=None), "Decisions budget used up: 1 of 1"),
    "tokens": (Budgets(steps=None, decisions=None, tokens=100), "Tokens budget used up: 100 of 100"),
    "money": (
        Budgets(steps=None, decisions=None, tokens=None, money_usd=0.01),
        "Money_usd budget used up: 0.01 of 0.01",
    ),
}


@pytest.mark.parametrize(("budgets", "message"), BUDGETS.values(), ids=BUDGETS.keys())
def test_budgets_are_checked_before_a_call(budgets: Budgets, message: str) -> None:
    script = asked(policy="auto", budgets=budgets)
    script.answer(*collect("can_1"), attempts=(OK,))
    assert script.state.ending is None

    script.end(Result.FAILED, "unreachable")

    assert script.last(EpisodeEnded).message == message
    assert script.last(EpisodeEnded).outcome == "budget"
    assert len(script.all(PlanRequested)) == 1


def test_a_repair_is_a_call_too() -> None:
    script = asked(budgets=Budgets(steps=None, decisions=None, tokens=100))

    script.answer(WRONG, attempts=(OK,))

    assert script.last(EpisodeEnded).outcome == "budget"
    assert len(script.all(PlanRequested)) == 1


def test_context_is_counted_by_records_exposed_at_each_call() -> None:
    script = Scripted(opened(policy="auto"))
    script.tick()
    script.see("can_1", 3, 4)
    script.see("can_2", 6, 6)
    script.answer(step("explore", cell=(1.0, 1.0)))

    assert [each.context_units for each in script.all(PlanRequested)] == [48, 48 + 2 * 18]
    assert script.state.tally.context_units == 48 + 84
