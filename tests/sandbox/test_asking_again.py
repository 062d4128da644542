"""Asked again with nothing changed, a planner is shown the very same and answers the same; and with something
changed, what changes is that."""

from __future__ import annotations

import pytest

from backend.domain.episode.evolve import fold
from backend.domain.memory.configuration import NAMED
from backend.domain.memory.corrections import Move, Remove, SetStatus
from backend.domain.memory.record import Status
from backend.domain.plans.plan import Step
from backend.domain.query.query import Attempt, Proposal, Query, Reply, Usage
from backend.domain.refusal import Refusal
from backend.planners.policy import PolicyPlanner
from backend.sandbox.asking import Answer, Composed, ask, compose
from backend.sandbox.calls import Call, call_at, standing
from backend.sandbox.change import Change
from backend.sandbox.comparing import agreement, blocks, compared, same_deeds, shown
from backend.sandbox.history import with_history
from backend.sandbox.purse import Allowance, Purse, Spending
from tests.sandbox.recorded_episode import before, calls, journal

PLENTY = Allowance(calls=100, tokens=1_000_000)
EVENTS = journal("dn-14", 5)
CALLS = calls(EVENTS)
FREE = Purse(PLENTY, counts=False)


def composed(call: Call, change: Change) -> Composed:
    found = compose(before(EVENTS, call), call, change)
    assert isinstance(found, Composed), found
    return found


def answered(call: Call, change: Change, planner: object = None, purse: Purse = FREE) -> Answer:
    found = ask(composed(call, change), call, planner or PolicyPlanner(), purse)  # type: ignore[arg-type]
    assert isinstance(found, Answer), found
    return found


class Scripted:
    """Answers what it is given, counted as a model's."""

    def __init__(self, *steps: tuple[Step, ...]) -> None:
        self._steps = list(steps)
        self.asked: list[Query] = []

    def propose(self, query: Query) -> Reply:
        self.asked.append(query)
        attempt = Attempt(verdict="ok", usage=Usage(input_tokens=90, output_tokens=10), cost_usd=0.25)
        return Reply(
            decision=query.decision,
            attempt=query.attempt,
            proposal=Proposal(rationale="So.", note="", steps=self._steps.pop(0)),
            attempts=(attempt,),
        )


def test_with_nothing_changed_every_call_is_the_very_same() -> None:
    assert len(CALLS) > 15
    for call in CALLS:
        again = composed(call, Change())
        assert again.retrieval == call.retrieval
        assert again.blocks == call.blocks


def test_and_the_same_planner_answers_alike() -> None:
    found = agreement((call, answered(call, Change())) for call in CALLS)

    assert (found.share, found.asked, found.kinds) == (1.0, len(CALLS), {"same": len(CALLS)})


def test_a_smaller_k_shows_fewer_and_says_which_left() -> None:
    call = max(CALLS, key=lambda each: len(each.retrieval.exposed))
    again = composed(call, Change(k=2))

    told = shown(call.retrieval, again.retrieval)
    assert again.retrieval.exposed == call.retrieval.exposed[:2]
    assert (told.enters, told.leaves, told.moves) == ((), call.retrieval.exposed[2:], ())
    assert [each.name for each in blocks(call.blocks, again.blocks) if not each.is_same] == ["records"]


def test_other_weights_rank_otherwise() -> None:
    found = [
        shown(call.retrieval, composed(call, Change(weights={"aerial": 0.01})).retrieval) for call in CALLS
    ]

    assert any(not each.is_same for each in found)


@pytest.mark.parametrize("name", ["none", "static", "note_only", "no_notes"])
def test_another_memory_shows_what_that_memory_would(name: str) -> None:
    call = CALLS[-1]
    again = composed(call, Change(memory=name))

    assert again.state.mission.memory == NAMED[name]
    names = {block.name for block in again.blocks}
    assert ("log" in names) is (NAMED[name].log != "off")


def test_a_memory_of_all_reports_is_read_from_the_journal() -> None:
    call = CALLS[-1]
    state = with_history(EVENTS[: call.seq - 1])
    found = compose(state, call, Change(memory="unfiltered"))
    real = journal("dn-14", 5, NAMED["unfiltered"])

    assert isinstance(found, Composed)
    records = next(block.text for block in found.blocks if block.name == "records")
    assert records.count("\n") == found.retrieval.count
    # Until the first decision both episodes are the same, so the text must be.
    first = CALLS[0]
    anew = compose(with_history(EVENTS[: first.seq - 1]), first, Change(memory="unfiltered"))
    assert isinstance(anew, Composed)
    assert anew.blocks == calls(real)[0].blocks


def test_what_was_never_recorded_is_refused_in_words() -> None:
    found = compose(before(EVENTS, CALLS[0]), CALLS[0], Change(memory="oracle"))

    assert isinstance(found, Refusal)
    assert found.code == "memory"
    assert "told none" in found.message


def test_an_edited_record_reaches_retrieval_text_and_plan() -> None:
    call = CALLS[0]
    target = (call.steps or ())[0].arguments["to"]
    removed = answered(call, Change(correction=Remove(entity=str(target))))
    moved = composed(call, Change(correction=Move(entity=str(target), x_m=1.0, y_m=1.0)))

    assert target not in removed.retrieval.exposed
    assert compared(call, removed) == "other"
    assert f"{target}: class" in next(b.text for b in moved.blocks if b.name == "records")
    assert "pose (1, 1) m" in next(b.text for b in moved.blocks if b.name == "records")


def test_a_correction_that_cannot_be_is_refused() -> None:
    call = CALLS[0]
    change = Change(correction=SetStatus(entity="nobody", status=Status.LOST))

    found = compose(before(EVENTS, call), call, change)

    assert isinstance(found, Refusal)
    assert "nobody" in found.message


def test_other_instructions_are_read_by_the_planner() -> None:
    again = composed(CALLS[0], Change(instructions="Cans first."))

    assert next(block.text for block in again.blocks if block.name == "instructions") == "Cans first."


def test_a_refused_plan_is_sent_back_once_and_each_try_is_paid() -> None:
    bad, purse = (Step("grasp", {"target": "nobody"}),), Purse(PLENTY)
    planner = Scripted(bad, CALLS[0].steps or ())
    mended = answered(CALLS[0], Change(), planner, purse)

    assert mended.is_valid
    assert compared(CALLS[0], mended) == "same"
    assert planner.asked[1].blocks[-1].name == "findings"
    assert purse.spent == Spending(calls=2, tokens=200, money_usd=0.5)
    refused = answered(CALLS[0], Change(), Scripted(bad, bad))
    assert (refused.is_valid, refused.steps) == (False, bad)
    assert compared(CALLS[0], refused) == "verdict"
    assert refused.findings


def test_an_empty_purse_asks_nobody() -> None:
    planner = Scripted(CALLS[0].steps or ())
    found = ask(composed(CALLS[0], Change()), CALLS[0], planner, Purse(Allowance(calls=0, tokens=9)))

    assert isinstance(found, Refusal)
    assert "no calls left" in found.message
    assert planner.asked == []


def test_a_planner_that_breaks_is_one_that_gave_no_plan() -> None:
    class Broken:
        def propose(self, query: Query) -> Reply:
            raise RuntimeError("no socket")

    found = answered(CALLS[0], Change(), Broken())

    assert "no socket" in found.failure
    assert not found.is_valid


def test_where_a_plan_looks_is_no_deed() -> None:
    steps = CALLS[0].steps or ()
    looking = tuple(Step(step.skill, step.arguments, None) for step in steps)

    assert same_deeds(steps, looking)
    assert not same_deeds(steps, steps[:-1])


def test_the_call_of_a_moment_is_the_newest_by_then() -> None:
    second = CALLS[1]

    assert call_at(CALLS, second.seq) == second
    assert call_at(CALLS, second.seq - 1) == CALLS[0]
    assert call_at(CALLS, CALLS[0].seq - 1) is None


@pytest.mark.parametrize("seq", [CALLS[0].seq + 3, CALLS[2].seq - 4, CALLS[4].seq + 9], ids=str)
def test_at_any_moment_it_is_asked_as_things_stood_then(seq: int) -> None:
    state = fold(EVENTS[:seq])
    call = standing(state, 1)
    usual = compose(state, call, Change())

    assert isinstance(usual, Composed)
    answer = ask(usual, call, PolicyPlanner(), FREE)
    assert isinstance(answer, Answer)
    assert answer.is_valid
    assert f"Mission time: {state.met_s:g} s" in next(b.text for b in answer.blocks if b.name == "robot")
    assert call.steps == (None if state.plan is None else state.plan.steps[state.cursor :])
