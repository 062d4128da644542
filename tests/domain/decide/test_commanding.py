"""The other commands: a person's plan, asking again, guidance; what comes too late or after the end."""

from __future__ import annotations

import pytest

from backend.domain.command.intents import (
    AskAgain,
    Attempted,
    GiveUpConn,
    Guide,
    Propose,
    Release,
    RenewConn,
    Resolve,
    TakeConn,
)
from backend.domain.episode.events import (
    ConnTaken,
    GuidanceGiven,
    IntentRefused,
    PlanProposed,
    PlanRefused,
    PlanRequested,
    StepDispatched,
)
from backend.domain.geometry import Pose
from tests.domain.decide.test_approving import planned
from tests.domain.decide.test_planning import asked
from tests.domain.scripted import OPERATOR, Scripted, approving, collect, event, kinds, opened, step


def proposing(script: Scripted, *steps: object, seen_seq: int | None = None) -> Propose:
    seen = script.state.seq if seen_seq is None else seen_seq
    return Propose(steps=steps, seen_seq=seen, rationale="By hand.")  # type: ignore[arg-type]


def test_a_person_s_plan_is_taken_like_any_other_and_is_still_to_be_approved() -> None:
    script = asked()

    settled = script.click(proposing(script, *collect("can_1")))

    assert settled.applied
    plan = script.last(PlanProposed).plan
    assert (plan.author, plan.rationale) == (OPERATOR, "By hand.")
    assert script.approval.status == "pending"
    assert script.all(StepDispatched) == []


def test_a_person_s_plan_is_validated_and_the_request_stands() -> None:
    script = asked()

    settled = script.click(proposing(script, *collect("can_1"), step("grasp", target="can_9")))

    assert settled.code == "invalid_plan"
    assert settled.message.startswith("Step 6 target: There is no entity 'can_9' in memory.")
    assert settled.remedy == "Mend that step; your other steps are kept."
    assert script.state.request is not None
    assert script.all(PlanRefused) == []


def test_a_person_sees_all_of_memory() -> None:
    script = asked()
    script.see("can_2", 6, 6)

    assert script.click(proposing(script, *collect("can_2"))).applied


def test_a_person_s_plan_rests_on_what_the_page_showed() -> None:
    script = asked()
    seen_seq = script.state.seq
    script.see("can_1", 5, 4, q=1.0)

    tick = script.tick(intents=(script.intent(proposing(script, *collect("can_1"), seen_seq=seen_seq)),))

    assert kinds(tick) == ["IntentRefused"]
    assert tick.settled[0].message == "pose of can_1 changed while the plan was being made."
    assert script.click(proposing(script, *collect("can_1"))).applied


def test_where_a_plan_stands_there_is_nothing_to_plan_for() -> None:
    script = planned()

    assert script.click(proposing(script, *collect("can_1"))).code == "plan_stands"


def test_asking_again_needs_something_that_waits_for_it() -> None:
    assert asked().click(AskAgain()).code == "nothing_asked"
    assert planned().click(AskAgain()).code == "nothing_asked"


def test_guidance_reaches_the_next_query_and_is_never_empty() -> None:
    script = planned()

    assert script.click(Guide(text="  \n")).code == "empty"
    assert script.click(Guide(text="Bottles first.")).applied
    assert [each.text for each in script.all(GuidanceGiven)] == ["Bottles first."]


OVERDUE = {
    "approve": approving(planned().approval),
    "release": Release(stop_ids=("s1",)),
    "propose": Propose(steps=collect("can_1"), seen_seq=1),
    "ask again": AskAgain(),
    "guide": Guide(text="Left."),
    "take the conn": TakeConn(),
    "renew it": RenewConn(),
    "give it up": GiveUpConn(),
    "resolve": Resolve(dispatch_id="e1-d1", executed=True, account=""),
}


@pytest.mark.parametrize("action", OVERDUE.values(), ids=OVERDUE.keys())
def test_a_click_that_comes_too_late_is_not_taken(action: object) -> None:
    script = planned()

    settled = script.click(action, in_s=-0.1)  # type: ignore[arg-type]

    assert (settled.applied, settled.code) == (False, "overdue")
    assert script.state.conn is None
    assert script.all(StepDispatched) == []


def test_a_click_taken_at_its_last_moment_counts() -> None:
    assert planned().click(Guide(text="Left."), in_s=0.0).applied


def test_a_refusal_is_kept_with_who_wanted_what_and_why() -> None:
    script = planned()
    script.click(AskAgain())

    refused = script.last(IntentRefused)
    assert (refused.intent_id, refused.by, refused.action, refused.code) == (
        "i1",
        OPERATOR,
        "ask_again",
        "nothing_asked",
    )
    assert script.events[-1].actor == f"operator:{OPERATOR}"


def test_intents_of_one_tick_are_taken_in_their_order() -> None:
    script = planned()
    first, second = script.intent(Guide(text="a")), script.intent(Guide(text="b"), "operator-2")

    tick = script.tick(intents=(first, second))

    assert [(settled.intent_id, settled.code) for settled in tick.settled] == [
        ("i1", "applied"),
        ("i2", "conn"),
    ]
    assert event(tick, ConnTaken).holder == OPERATOR


def test_nothing_of_an_ended_episode_can_be_changed() -> None:
    script = Scripted(opened(policy="auto", total=1))
    script.see("can_1", 3, 4)
    script.answer(*collect("can_1"))
    for _ in range(5):
        script.end()
    assert script.state.ending is not None
    calls = len(script.all(PlanRequested))

    for action in OVERDUE.values():
        assert script.click(action).code == "ended"  # type: ignore[arg-type]
    script.see("can_2", 6, 6)
    assert "can_2" not in script.state.memory.records
    assert len(script.all(PlanRequested)) == calls


def test_a_plan_by_hand_may_go_to_a_pose() -> None:
    script = asked()

    assert script.click(proposing(script, step("navigate", to=Pose(2.0, 2.0)))).applied
    assert script.state.plan is not None
    assert script.state.plan.dependencies == ()
    assert script.state.plan.target is None


def test_an_attempt_that_never_became_a_command_is_kept_as_it_was_refused() -> None:
    script = planned()
    attempt = Attempted(what="hold", code="origin", message="From elsewhere.", remedy="Do it here.")

    settlement = script.click(attempt, in_s=-100.0)

    assert (settlement.applied, settlement.code) == (False, "origin")
    kept = script.last(IntentRefused)
    assert (kept.action, kept.by, kept.code) == ("hold", OPERATOR, "origin")
    assert (kept.message, kept.remedy) == ("From elsewhere.", "Do it here.")
    assert not script.state.is_held
