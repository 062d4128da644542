"""Approvals: who is asked, what is pinned, and every way in which one is decided, lapses or is used up."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backend.domain.command.approval import ApprovalStatus, Pin
from backend.domain.command.intents import AskAgain, Hold, Reject, Release
from backend.domain.command.policy import RiskRules
from backend.domain.episode.events import (
    ApprovalConsumed,
    ApprovalExpired,
    ApprovalGranted,
    ApprovalRequested,
    ApprovalSuperseded,
    PlanInvalidated,
    StepDispatched,
)
from backend.domain.execution.outcome import Result
from backend.domain.geometry import Pose
from backend.domain.memory.record import Field, Source
from tests.domain.scripted import (
    CANS,
    OPERATOR,
    START_S,
    Scripted,
    approving,
    collect,
    event,
    kinds,
    opened,
    step,
)

SURE = RiskRules(confidence_below=0.6, belief_older_s=60.0)


def planned(policy: str = "every_plan", *, q: float = 0.9, **opening: object) -> Scripted:
    """A plan to collect can_1 stands; nobody has been heard yet."""
    script = Scripted(opened(policy=policy, **opening))  # type: ignore[arg-type]
    script.see("can_1", 3, 4, q=q)
    script.answer(*collect("can_1"))
    return script


ASKED = {
    "every plan": ("every_plan", 0.9, ApprovalStatus.PENDING, 4),
    "every skill": ("every_skill", 0.9, ApprovalStatus.PENDING, 0),
    "on risk, without one": ("on_risk", 0.9, ApprovalStatus.APPROVED, 4),
    "on risk, with one": ("on_risk", 0.56, ApprovalStatus.PENDING, 4),
    "auto": ("auto", 0.9, ApprovalStatus.APPROVED, 4),
    "auto, whatever the risk": ("auto", 0.56, ApprovalStatus.APPROVED, 4),
}


@pytest.mark.parametrize(("policy", "q", "status", "last"), ASKED.values(), ids=ASKED.keys())
def test_who_is_asked(policy: str, q: float, status: ApprovalStatus, last: int) -> None:
    script = planned(policy, q=q, risk=SURE)

    assert script.approval.status is status
    assert (script.approval.first_step, script.approval.last_step) == (0, last)
    assert (script.state.dispatch is not None) is (status is ApprovalStatus.APPROVED)
    if status is ApprovalStatus.APPROVED:
        assert script.approval.decided_by == "policy"


def test_the_question_pins_what_it_rests_on() -> None:
    script = planned(q=0.56, risk=SURE)
    pins = script.approval.pins
    can = script.record("can_1")

    assert set(pins.fields) == {
        Pin("can_1", Field.POSE, can.pose_seq),
        Pin("can_1", Field.STATUS, can.status_seq),
    }
    assert script.state.plan is not None
    assert pins.plan_digest == script.state.plan.digest
    assert (pins.site_version, pins.catalogue_digest, pins.held) == (1, script.state.catalogue_digest, None)
    assert [risk.message for risk in pins.risks] == ["Weak belief: can_1 pose 0.56, policy asks under 0.60"]
    assert script.approval.pins_digest == pins.digest


def test_what_is_no_longer_needed_is_not_pinned() -> None:
    script = planned("every_skill")
    for _ in range(3):
        script.approve()
        script.end()

    assert script.approval.pins.fields == ()
    assert script.approval.pins.held == "can_1"


def test_granted_by_a_person_the_plan_runs_to_its_end() -> None:
    script = planned()

    assert script.approve().applied
    assert (script.approval.status, script.approval.decided_by) == (ApprovalStatus.APPROVED, OPERATOR)
    for _ in range(5):
        script.end()
    assert [each.index for each in script.all(StepDispatched)] == [0, 1, 2, 3, 4]
    assert {each.approval_id for each in script.all(StepDispatched)} == {"e1-a1"}
    assert len(script.all(ApprovalRequested)) == 1


def test_every_skill_asks_before_each_step() -> None:
    script = planned("every_skill")
    for number in range(5):
        assert script.state.dispatch is None
        assert (script.approval.first_step, script.approval.last_step) == (number, number)
        script.approve()
        script.end()

    assert [each.approval_id for each in script.all(StepDispatched)] == [f"e1-a{n}" for n in range(1, 6)]


def test_a_rejection_ends_the_plan_and_its_reason_reaches_the_planner() -> None:
    script = planned()

    assert script.click(Reject(approval_id="e1-a1", reason="Too near the gate.", stop_id="s1")).applied

    assert (script.approval.status, script.approval.reason) == (ApprovalStatus.REJECTED, "Too near the gate.")
    assert script.state.plan is None
    assert not script.state.is_held
    assert script.state.request is not None
    assert script.state.request.cause.kind == "rejected"
    assert script.state.guidance[0].text == "Too near the gate."
    assert script.all(StepDispatched) == []


def test_evidence_supersedes_the_question_and_names_the_field() -> None:
    script = planned()

    tick = script.see("can_1", 5, 4, source=Source.ONBOARD, q=1.0)

    cause = event(tick, ApprovalSuperseded).cause
    assert (cause.field, cause.old, cause.new, cause.source) == (
        Field.POSE,
        Pose(3, 4),
        Pose(5, 4),
        Source.ONBOARD,
    )
    assert script.approval.status is ApprovalStatus.SUPERSEDED
    assert script.state.plan is None


def test_unrelated_evidence_leaves_the_question() -> None:
    script = planned()

    script.see("can_2", 7, 7)
    script.see("can_1", 3, 4, q=0.95)

    assert script.approval.status is ApprovalStatus.PENDING
    assert script.approve().applied
    assert script.state.dispatch is not None


def test_expiry_never_means_yes() -> None:
    script = planned(approval_expires_s=30.0)
    assert script.approval.expires_s == START_S + 30.0

    assert kinds(script.wait(29.9)) == []
    assert kinds(script.wait(0.1)) == ["ApprovalExpired"]
    assert script.approve().code == "decided"
    for _ in range(3):
        script.wait(10.0)
    assert script.all(StepDispatched) == []
    assert len(script.all(ApprovalExpired)) == 1


def test_a_click_in_the_tick_of_expiry_is_too_late() -> None:
    script = planned(approval_expires_s=30.0)
    click = script.intent(approving(script.approval), in_s=60.0)
    script.now_s += 30.0

    tick = script.tick(intents=(click,))

    assert tick.settled[0].code == "expired"
    assert kinds(tick) == ["IntentRefused", "ApprovalExpired"]


def test_after_expiry_a_person_asks_again() -> None:
    script = planned(approval_expires_s=30.0)
    script.wait(30.0)

    assert script.click(AskAgain()).applied
    assert script.state.request is not None
    assert script.state.request.cause.kind == "asked"


def test_without_a_bound_an_approval_waits() -> None:
    script = planned()
    script.wait(1e6)

    assert script.approval.status is ApprovalStatus.PENDING


CONSUMED = {
    "a failure": (Result.FAILED, "grasp_slipped", False),
    "a cancellation": (Result.CANCELLED, "cancelled", False),
    "what was not executed": (Result.NOT_EXECUTED, "unreachable", False),
    "a stop": (Result.STOPPED, "stopped", True),
    "a bridge already held": (Result.NOT_EXECUTED, "latched", True),
}


@pytest.mark.parametrize(("result", "reason", "plan_stays"), CONSUMED.values(), ids=CONSUMED.keys())
def test_a_step_that_does_not_succeed_uses_the_approval_up(
    result: Result, reason: str, plan_stays: bool
) -> None:
    script = planned()
    script.approve()

    tick = script.end(result, reason)

    assert event(tick, ApprovalConsumed).reason == f"Step 1 ended {result.value}"
    assert (script.state.plan is not None) is plan_stays
    assert len(script.all(StepDispatched)) == 1
    if plan_stays:
        assert script.approval.status is ApprovalStatus.PENDING
        assert script.approval.id == "e1-a2"


def test_a_hold_takes_the_approval_back_and_release_asks_anew_for_the_rest() -> None:
    script = planned()
    script.approve()
    script.end()
    script.click(Hold(stop_id="s1", reason="People"))
    assert script.approval.status is ApprovalStatus.CONSUMED
    script.end(Result.STOPPED, "stopped")
    script.stand_still("s1")

    tick = script.tick(intents=(script.intent(Release(stop_ids=("s1",))),))

    asked = event(tick, ApprovalRequested).approval
    assert (asked.id, asked.first_step, asked.status) == ("e1-a2", 1, ApprovalStatus.PENDING)
    assert script.state.dispatch is None


def test_a_pending_question_is_taken_back_by_a_hold_too() -> None:
    script = planned()
    page = approving(script.approval)

    script.click(Hold(stop_id="s1"))
    script.click(Release(stop_ids=("s1",)))

    assert script.click(page).code == "gone"
    assert script.approval.id == "e1-a2"


def test_a_new_risk_at_dispatch_takes_the_approval_back() -> None:
    script = planned("every_plan", risk=SURE)
    script.approve()
    script.met_s += 60.5

    tick = script.end()

    assert event(tick, ApprovalSuperseded).cause.message == (
        "Old belief: can_1 seen 62 s ago, policy asks over 60 s."
    )
    assert script.approval.status is ApprovalStatus.PENDING
    assert script.state.plan is not None
    assert script.state.dispatch is None
    script.approve()
    assert script.state.dispatch is not None
    assert script.state.dispatch.index == 1


def test_on_risk_a_new_risk_asks_a_person_in_the_middle_of_the_plan() -> None:
    script = planned("on_risk", risk=SURE)
    script.see("can_1", 3, 4, q=0.57)

    script.end()

    assert (script.approval.id, script.approval.status) == ("e1-a2", ApprovalStatus.PENDING)


def test_a_risk_that_was_shown_does_not_ask_again_at_the_next_step() -> None:
    script = planned(q=0.56, risk=SURE)
    script.approve()
    for _ in range(5):
        script.end()

    assert len(script.all(ApprovalRequested)) == 1
    assert script.state.delivered == {"can_1": CANS}


def test_auto_takes_risks_without_asking() -> None:
    script = planned("auto", q=0.56, risk=SURE)
    script.met_s += 100.0
    script.end()

    assert script.state.dispatch is not None
    assert script.approval.pins.risks == ()


def test_the_policy_s_yes_is_on_record_like_a_person_s() -> None:
    script = planned("auto")

    granted = [r for r in script.events if isinstance(r.event, ApprovalGranted)]
    assert [(r.actor, r.event.by) for r in granted] == [("policy", "policy")]


def test_what_the_plan_does_itself_never_lapses_its_approval() -> None:
    """The plan grasps, delivers and searches; each predicted effect is its own."""
    script = Scripted(opened(total=3))
    script.see("can_1", 3, 4)
    script.answer(*collect("can_1"), step("explore", cell=(1.0, 2.0)))
    script.approve()
    for _ in range(5):
        script.end()

    assert script.all(PlanInvalidated) == []
    assert script.state.dispatch is not None
    assert script.state.dispatch.step.skill == "explore"


def test_a_plan_of_other_steps_has_another_digest() -> None:
    script = planned()
    first = script.state.plan
    script.see("can_1", 5, 4, source=Source.ONBOARD, q=1.0)
    script.answer(step("verify", target="can_1"), *collect("can_1"))

    assert first is not None
    assert script.state.plan is not None
    assert script.state.plan.digest != first.digest
    assert script.click(replace(approving(script.approval), plan_digest=first.digest)).code == "stale"
