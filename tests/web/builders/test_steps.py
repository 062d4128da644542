"""Steps and causes: the belief, the check, what became of each; why there is this plan and what it did to
the last."""

import pytest

from backend.domain.plans.plan import Step
from backend.domain.query.query import Proposal, Reply
from backend.web.builders.steps import SHOWN
from tests.support.drill import Drill
from tests.web.builders.test_card import APPROVED, HELD, PLANNED, drilled
from tests.web.moments import Screen, said

DELIVERED = (*APPROVED, ("outcome", 1), ("outcome", 0), ("outcome", 2), ("outcome", 1))


def progress(*moves: tuple[str, int]) -> list[tuple[str, str]]:
    return [(step.progress, said(step.check.text)) for step in Screen(drilled(*moves)).plan().steps]


def test_a_step_shows_the_belief_it_rests_on() -> None:
    card = Screen(drilled(*PLANNED)).plan()
    to_bottle, grasp, to_station, deliver = card.steps
    assert (to_bottle.evidence.entity, to_bottle.evidence.field) == ("bottle_1", "pose")
    assert (to_bottle.source, to_bottle.age, to_bottle.age_met_s, to_bottle.confidence) == (
        "map",
        "2 s",
        1.0,
        "1.00",
    )
    assert (to_station.evidence.is_record, to_station.source, to_station.age) == (False, "map", "fixed")
    assert (deliver.evidence.entity, deliver.evidence.field) == ("bottle_1", "class")
    assert [argument.type for argument in deliver.arguments] == ["entity", "station"]
    assert said(grasp.check.text) == "Gripper empty"


def test_progress_of_a_plan_that_runs() -> None:
    assert progress(*PLANNED) == [
        ("next", "2.00 m to go"),
        ("", "Gripper empty"),
        ("", "7.00 m to go"),
        ("", "Takes bottle"),
    ]
    assert progress(*APPROVED, ("outcome", 0), ("outcome", 0))[:3] == [
        ("done", "At 0.00, 0.00 m"),
        ("done", "Holds bottle_1"),
        ("running", "Running 0 s"),
    ]


def test_progress_of_a_plan_that_ended() -> None:
    assert [each[0] for each in progress(*DELIVERED)] == ["done"] * 4
    assert progress(*PLANNED, ("reject", 0)) == [("", "Not run")] * 4


def test_a_failed_step_says_what_was_measured() -> None:
    card = Screen(drilled(*APPROVED, ("outcome", 3))).plan()
    assert (card.steps[0].progress, card.steps[0].check.tone) == ("failed", "caution")


def test_changed_steps_are_marked_against_the_plan_before() -> None:
    again = (("reject", 2), ("reply", 0))
    card = Screen(drilled(*PLANNED, *again, *again)).plan()
    assert [step.changed for step in card.steps] == [False] * 4
    card = Screen(drilled(*DELIVERED, ("reply", 0))).plan()
    assert [step.changed for step in card.steps] == [True] * 4


def test_a_long_search_is_drawn_in_part_and_says_so() -> None:
    drill = drilled(*PLANNED)
    cells = [(float(x), float(y)) for y in range(4) for x in range(8) if (x, y) != (3, 3)]
    steps = tuple(Step("explore", {"cell": cell}) for cell in cells)
    drill.move("reject", 2)
    drill.tick(replies=(reply(drill, steps),))
    card = Screen(drill).plan()
    assert len(card.steps) == SHOWN
    assert said(card.note) == f"Steps 1 to {SHOWN} shown"
    assert said(card.decision.pins).endswith("Lapses if anything is found first.")


def reply(drill: Drill, steps: tuple[Step, ...]) -> Reply:
    request = drill.state.request
    proposal = Proposal(rationale="", note="", steps=steps)
    return Reply(decision=request.decision, attempt=request.attempt, proposal=proposal)


CAUSES = {
    "the first": (PLANNED, "First plan of the mission", ""),
    "after a delivery": ((*DELIVERED, ("reply", 0)), "Next plan: plan 1 ran to its end", ""),
    "a pose changed while it waited": (
        (*PLANNED, ("evidence", 21), ("reply", 0)),
        "Replan: pose of bottle_1 changed 3.00 m, seen by onboard 2 s ago",
        "This plan does without bottle_1. Plan 1 lapsed before anybody decided. Nothing of it ran.",
    ),
    "rejected": (
        (*PLANNED, ("reject", 2), ("reply", 0)),
        "Replan: Plan 1 was rejected by ada: zwölf ⚓ \U0001f6a2",
        "Nothing of it ran.",
    ),
}


@pytest.mark.parametrize(("moves", "why", "more"), CAUSES.values(), ids=CAUSES)
def test_cause(moves: tuple[tuple[str, int], ...], why: str, more: str) -> None:
    cause = Screen(drilled(*moves)).plan().cause
    assert (said(cause.why), said(cause.more)) == (why, more)


def test_a_lapsed_plan_says_which_field_changed_and_that_nothing_ran() -> None:
    card = Screen(drilled(*PLANNED, ("evidence", 21))).plan()
    assert said(card.cause.why) == "Lapsed: pose of bottle_1 changed 3.00 m, seen by onboard 1 s ago"
    assert said(card.cause.more) == "Nothing of it ran."


def test_a_held_plan_keeps_its_steps() -> None:
    card = Screen(drilled(*HELD, ("outcome", 4), ("standstill", 0))).plan()
    assert [step.progress for step in card.steps] == ["next", "", "", ""]
