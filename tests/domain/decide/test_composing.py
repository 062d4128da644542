"""A person makes another plan of the one that waits: it takes its place, and waits in turn."""

from __future__ import annotations

from typing import Any

import pytest

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Edit, Hold, Propose
from backend.domain.command.policy import RiskRules
from backend.domain.episode.events import ApprovalEdited, PlanInvalidated, PlanProposed, StepDispatched
from backend.domain.memory.record import Source
from backend.domain.plans.plan import Step
from tests.domain.decide.test_approving import planned
from tests.domain.scripted import BOTTLES, OPERATOR, OTHER, Scripted, collect, kinds, step

LOOK_FIRST = (step("verify", target="can_1"), *collect("can_1"))


def editing(script: Scripted, *steps: Step, **other: Any) -> Edit:
    """What a page posts that showed the plan which waits."""
    asked = script.approval
    shown = {
        "approval_id": asked.id,
        "plan_digest": asked.pins.plan_digest,
        "pins_digest": asked.pins_digest,
        "seen_seq": script.state.seq,
    }
    return Edit(steps=steps, **{**shown, **other})


def test_an_edit_is_the_operator_s_plan_and_is_asked_about_anew() -> None:
    script = planned()
    first = script.approval

    tick = script.tick(intents=(script.intent(editing(script, *LOOK_FIRST, rationale="Look first.")),))

    assert kinds(tick) == [
        "ConnTaken", "ApprovalEdited", "PlanInvalidated", "PlanProposed", "ApprovalRequested",
    ]  # fmt: skip
    assert {recorded.actor for recorded in tick.events[:4]} == {f"operator:{OPERATOR}"}
    plan = script.last(PlanProposed).plan
    assert (plan.author, plan.edits, plan.steps, plan.rationale) == (OPERATOR, 1, LOOK_FIRST, "Look first.")
    assert script.last(ApprovalEdited).approval_id == first.id
    assert script.last(ApprovalEdited).plan_digest == plan.digest
    assert script.last(PlanInvalidated).cause.kind == "edited"
    assert (script.approval.id, script.approval.status) == ("e1-a2", ApprovalStatus.PENDING)
    assert script.all(StepDispatched) == []
    script.approve()
    assert script.state.dispatch is not None
    assert script.state.dispatch.step == LOOK_FIRST[0]


@pytest.mark.parametrize("policy", ["on_risk", "every_skill", "every_plan"])
def test_saving_is_not_approving_whatever_the_policy(policy: str) -> None:
    """What was risky is taken out of it, and still only a person may let it run."""
    script = planned(policy, q=0.56, risk=RiskRules(confidence_below=0.6))
    assert script.approval.status is ApprovalStatus.PENDING

    assert script.click(editing(script, step("navigate", to=BOTTLES))).applied

    assert script.approval.pins.risks == ()
    assert script.approval.status is ApprovalStatus.PENDING
    assert script.all(StepDispatched) == []
    assert script.approve().applied
    assert len(script.all(StepDispatched)) == 1


def test_a_page_that_showed_the_plan_before_the_edit_approves_nothing() -> None:
    script = planned()
    script.click(editing(script, *LOOK_FIRST))

    stale = script.click(editing(script, step("navigate", to=BOTTLES), approval_id="e1-a1"))

    assert stale.code == "gone"
    assert "yours is kept" in stale.remedy


def test_of_an_edit_at_the_middle_of_a_plan_only_the_rest_is_left() -> None:
    script = planned("every_skill")
    script.approve()
    script.end()

    assert script.click(editing(script, *collect("can_1")[1:])).code == "unchanged"
    assert script.click(editing(script, *collect("can_1")[1:3])).applied
    assert script.state.cursor == 0
    assert script.approve().applied
    assert script.state.dispatch is not None
    assert script.state.dispatch.step.skill == "approach"


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another plan": ({"plan_digest": "0" * 64}, "stale"),
    "older beliefs": ({"pins_digest": "0" * 64}, "stale"),
    "another approval": ({"approval_id": "e1-a9"}, "gone"),
    "what nobody has seen yet": ({"seen_seq": 10**18}, "unseen"),
}


@pytest.mark.parametrize(("other", "code"), REFUSED.values(), ids=REFUSED)
def test_an_edit_of_what_the_page_did_not_show_changes_nothing(other: dict[str, Any], code: str) -> None:
    script = planned()
    before = script.state.plan

    assert script.click(editing(script, *LOOK_FIRST, **other)).code == code
    assert script.state.plan == before
    assert script.approval.status is ApprovalStatus.PENDING


def test_an_edit_that_breaks_a_precondition_is_refused_with_the_step() -> None:
    script = planned()

    refused = script.click(editing(script, *collect("can_1")[2:]))

    assert refused.code == "invalid_plan"
    assert refused.message.startswith("Step 1 target: The robot has not gone to can_1 by then.")
    assert script.approval.status is ApprovalStatus.PENDING


def test_what_changed_while_it_was_edited_is_told_and_nothing_is_lost() -> None:
    script = planned()
    script.see("can_2", 7, 7)
    seen_seq = script.state.seq
    script.see("can_2", 8, 7, source=Source.ONBOARD, q=1.0)

    refused = script.click(editing(script, *collect("can_2"), seen_seq=seen_seq))

    assert (refused.code, refused.message) == (
        "changed",
        "pose of can_2 changed while the plan was being made.",
    )
    assert script.approval.status is ApprovalStatus.PENDING
    assert script.click(editing(script, *collect("can_2"))).applied


def test_only_who_has_the_conn_edits() -> None:
    script = planned()
    script.click(editing(script, *LOOK_FIRST))

    assert script.click(editing(script, *collect("can_1")), OTHER).code == "conn"
    assert script.click(editing(script, *collect("can_1")), "watcher", "viewer").code == "role"


def test_nothing_is_edited_while_a_stop_is_latched_or_after_expiry() -> None:
    script = planned(approval_expires_s=30.0)
    page = editing(script, *LOOK_FIRST)
    late = script.intent(page, in_s=60.0)
    script.now_s += 30.0
    assert script.tick(intents=(late,)).settled[0].code == "expired"

    script = planned()
    page = editing(script, *LOOK_FIRST)
    script.click(Hold(stop_id="s1"))
    assert script.click(page).code in ("decided", "held")


def test_after_expiry_a_person_may_plan_by_hand() -> None:
    script = planned(approval_expires_s=30.0)
    script.wait(30.0)

    assert script.click(Propose(steps=LOOK_FIRST, seen_seq=script.state.seq)).applied
    assert script.approval.status is ApprovalStatus.PENDING
    assert script.last(PlanProposed).plan.author == OPERATOR


def test_where_the_planner_failed_a_person_may_plan_by_hand() -> None:
    script = planned()
    script.see("can_1", 5, 4, source=Source.ONBOARD, q=1.0)
    script.answer()
    assert script.state.asks_person

    assert script.click(Propose(steps=(step("navigate", to="can_1"),), seen_seq=script.state.seq)).applied
    assert script.state.asks_person == ""


def test_nobody_plans_over_a_step_that_runs() -> None:
    script = planned()
    script.approve()

    assert script.click(Propose(steps=LOOK_FIRST, seen_seq=script.state.seq)).code == "in_flight"
