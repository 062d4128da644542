"""The safety rules of the domain, one by one: each test fails when its guard is switched off.

docs/safety.md names the test of each rule. Where one rule stands behind another, the state is set up so that
this one alone stands in the way.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.command.approval import Approval, ApprovalStatus, Pin, Pins
from backend.domain.command.hold import Stop
from backend.domain.command.intents import Approve, Guide, Hold, Release
from backend.domain.command.policy import Risk, RiskRules
from backend.domain.decide import guards
from backend.domain.episode.events import ApprovalRequested, StepDispatched
from backend.domain.execution.outcome import Result
from backend.domain.memory.record import Field
from tests.domain.decide.test_approving import planned
from tests.domain.decide.test_outcomes import at_step, in_doubt
from tests.domain.episode.test_evolve import APPROVAL, DISPATCH, PINS
from tests.domain.scripted import OTHER, Scripted, approving, collect, opened, step

STOP = Stop(id="s1", asked_by="viewer-1", asked_seq=5, asked_s=0.0)


def dispatched(script: Scripted) -> int:
    return len(script.all(StepDispatched))


def approved(**changes: Any) -> Scripted:
    """A plan whose approval was given, with something changed before anything was dispatched."""
    script = planned()
    granted = replace(script.approval, status=ApprovalStatus.APPROVED, decided_by="operator-1")
    return Scripted(replace(script.state, approval=granted, **changes))


def test_what_is_approved_and_unchanged_goes() -> None:
    """The state that the other tests change one thing in."""
    script = approved()
    script.see("can_9", 7, 7)

    assert dispatched(script) == 1


APPROVALS = {
    "none": (None, 0, True),
    "pending": (replace(APPROVAL, status=ApprovalStatus.PENDING), 0, True),
    "approved": (replace(APPROVAL, status=ApprovalStatus.APPROVED), 0, False),
    "rejected": (replace(APPROVAL, status=ApprovalStatus.REJECTED), 0, True),
    "expired": (replace(APPROVAL, status=ApprovalStatus.EXPIRED), 0, True),
    "superseded": (replace(APPROVAL, status=ApprovalStatus.SUPERSEDED), 0, True),
    "consumed": (replace(APPROVAL, status=ApprovalStatus.CONSUMED), 0, True),
    "approved to its last step": (replace(APPROVAL, status=ApprovalStatus.APPROVED), 4, False),
    "past its last step": (replace(APPROVAL, status=ApprovalStatus.APPROVED), 5, True),
    "before its first step": (replace(APPROVAL, status=ApprovalStatus.APPROVED, first_step=2), 1, True),
}


@pytest.mark.parametrize(("approval", "index", "refused"), APPROVALS.values(), ids=APPROVALS.keys())
def test_only_an_approved_approval_that_covers_the_step_lets_it_go(
    approval: Approval | None, index: int, refused: bool
) -> None:
    assert (guards.refuse_unapproved(approval, index) is not None) is refused


def test_nothing_is_dispatched_unapproved() -> None:
    script = planned()
    for number in range(5):
        script.see(f"can_{number + 2}", 7, number)
        script.wait(1.0)

    assert script.approval.status is ApprovalStatus.PENDING
    assert dispatched(script) == 0


FIELD = Pin("can_1", Field.POSE, 4)
GIVEN = replace(PINS, fields=(FIELD, Pin("can_1", Field.STATUS, 7)))
PINNED = {
    "the same": (GIVEN, GIVEN, (), False),
    "another plan": (GIVEN, replace(GIVEN, plan_digest="x"), (), True),
    "another version of a belief": (GIVEN, replace(GIVEN, fields=(replace(FIELD, version=9),)), (), True),
    "another version of the site": (GIVEN, replace(GIVEN, site_version=2), (), True),
    "other skills": (GIVEN, replace(GIVEN, catalogue_digest="x"), (), True),
    "another thing held at its first step": (GIVEN, replace(GIVEN, held="can_2"), (), True),
    "what it took itself": (GIVEN, replace(GIVEN, held="can_1"), (0, 1, 2), False),
    "beliefs no longer needed": (GIVEN, replace(GIVEN, fields=()), (0, 1, 2), False),
    "other risks, which another rule asks about": (
        GIVEN,
        replace(GIVEN, risks=(Risk("x", None, ""),)),
        (),
        False,
    ),
}


@pytest.mark.parametrize(("then", "now", "used", "refused"), PINNED.values(), ids=PINNED.keys())
def test_what_goes_is_what_was_approved(then: Pins, now: Pins, used: tuple[int, ...], refused: bool) -> None:
    approval = replace(APPROVAL, status=ApprovalStatus.APPROVED, pins=then, used=used)

    assert (guards.refuse_other_than_approved(approval, now) is not None) is refused


def test_a_site_changed_after_the_approval_stops_the_plan() -> None:
    script = approved(site=replace(planned().state.site, version=2))
    script.see("can_9", 7, 7)

    assert dispatched(script) == 0
    assert script.state.plan is None


RISK = Risk("confidence_below", 0, "Weak belief: can_1 pose 0.56, policy asks under 0.60", "can_1")
RISKS = {
    "none": ((), (), False),
    "shown": ((RISK,), (RISK,), False),
    "shown at another step": ((RISK,), (replace(RISK, step=2),), False),
    "shown and gone": ((RISK,), (), False),
    "not shown": ((), (RISK,), True),
    "of another entity": ((RISK,), (replace(RISK, entity="can_2"),), True),
    "by another rule": ((RISK,), (replace(RISK, rule="belief_older_s"),), True),
    "of another step where steps are meant": ((Risk("skill_in", 1, ""),), (Risk("skill_in", 2, ""),), True),
}


@pytest.mark.parametrize(("shown", "found", "refused"), RISKS.values(), ids=RISKS.keys())
def test_a_risk_not_shown_asks_anew(shown: tuple[Risk, ...], found: tuple[Risk, ...], refused: bool) -> None:
    approval = replace(APPROVAL, pins=replace(PINS, risks=shown))

    assert (guards.refuse_new_risk(approval, replace(PINS, risks=found)) is not None) is refused


def test_a_step_with_a_risk_nobody_was_shown_does_not_go() -> None:
    script = planned("every_plan", risk=RiskRules(belief_older_s=60.0))
    script.approve()
    script.met_s += 60.5
    script.end()

    assert dispatched(script) == 1
    assert script.approval.status is ApprovalStatus.PENDING


@pytest.mark.parametrize(("used", "refused"), [((), False), ((0,), True), ((1, 2), False)])
def test_a_step_used_up(used: tuple[int, ...], refused: bool) -> None:
    assert (guards.refuse_used(replace(APPROVAL, used=used), 0) is not None) is refused


def test_no_step_goes_twice_under_one_approval() -> None:
    script = approved()
    script.state = replace(script.state, approval=replace(script.approval, used=(0,)))
    script.see("can_9", 7, 7)

    assert dispatched(script) == 0


def test_no_step_goes_before_the_one_in_flight_has_ended() -> None:
    """Asked to cancel or not, and wherever the plan stands meanwhile."""
    script = Scripted(opened(policy="auto"))
    script.tick()
    script.answer(step("explore", cell=(1.0, 2.0)), step("explore", cell=(2.0, 2.0)))
    script.state = replace(script.state, cursor=1)
    script.see("can_1", 3, 4, q=0.3)

    assert dispatched(script) == 1
    assert guards.refuse_second_dispatch(replace(opened(), dispatch=replace(DISPATCH, cancel_asked=True)))
    assert guards.refuse_second_dispatch(opened()) is None


def test_nothing_goes_while_a_stop_is_latched() -> None:
    script = approved(stops=(STOP,))
    script.see("can_9", 7, 7)

    assert dispatched(script) == 0
    assert guards.refuse_while_held(opened()) is None


def test_nothing_is_approved_while_a_stop_is_latched() -> None:
    script = planned()
    script.state = replace(script.state, stops=(STOP,))

    assert script.click(approving(script.approval)).code == "held"


def test_a_release_lets_no_step_go_on() -> None:
    script = planned()
    script.approve()
    script.click(Hold(stop_id="s1"))

    assert script.click(Release(stop_ids=("s1",))).code == "in_flight"
    assert script.state.is_held

    doubtful = in_doubt()
    assert doubtful.click(Release(stop_ids=(doubtful.state.stops[0].id,))).code == "in_doubt"
    assert guards.refuse_release_under_way(opened()) is None


def test_a_step_whose_precondition_is_gone_does_not_go() -> None:
    """The object was dropped on the way: there is nothing to deliver."""
    script = at_step(3)
    script.end(Result.SUCCEEDED, "arrived", held=None)

    assert [each.step.skill for each in script.all(StepDispatched)][-1] == "navigate"
    assert script.state.plan is None


def test_nobody_commands_without_the_conn() -> None:
    script = planned()
    script.click(Guide(text="Mine."), OTHER)

    assert script.approve().code == "conn"
    assert dispatched(script) == 0


PAGES = {
    "exactly what waits": (lambda shown: shown, None),
    "another question": (lambda shown: replace(shown, approval_id="e1-a9"), "gone"),
    "another plan": (lambda shown: replace(shown, plan_digest="x"), "stale"),
    "older beliefs": (lambda shown: replace(shown, pins_digest="x"), "stale"),
}


@pytest.mark.parametrize(("posted", "code"), PAGES.values(), ids=PAGES.keys())
def test_a_click_counts_for_what_its_page_showed(posted: Any, code: str | None) -> None:
    script = planned()
    click: Approve = posted(approving(script.approval))

    settlement = script.click(click)

    assert (None if settlement.applied else settlement.code) == code
    assert dispatched(script) == (code is None)


def test_a_question_already_decided_is_not_decided_again() -> None:
    script = planned()
    page = approving(script.approval)
    script.approve()

    assert script.click(page).code == "decided"
    assert dispatched(script) == 1


def test_a_click_that_lapsed_moves_nothing() -> None:
    script = planned()

    assert script.click(approving(script.approval), in_s=-0.1).code == "overdue"
    assert dispatched(script) == 0


def test_an_approval_that_expired_moves_nothing() -> None:
    script = planned(approval_expires_s=30.0)
    click = script.intent(approving(script.approval), in_s=60.0)
    script.now_s += 30.0

    assert script.tick(intents=(click,)).settled[0].code == "expired"
    assert script.approval.status is ApprovalStatus.EXPIRED
    assert dispatched(script) == 0


def test_no_question_is_put_twice_for_one_plan() -> None:
    script = planned()
    for _ in range(3):
        script.wait(1.0)

    assert len(script.all(ApprovalRequested)) == 1


def test_every_refusal_says_what_is_the_matter_and_what_to_do() -> None:
    refusals = [
        guards.refuse_unapproved(None, 0),
        guards.refuse_other_than_approved(APPROVAL, replace(PINS, site_version=2)),
        guards.refuse_new_risk(APPROVAL, replace(PINS, risks=(RISK,))),
        guards.refuse_used(replace(APPROVAL, used=(0,)), 0),
        guards.refuse_second_dispatch(replace(opened(), dispatch=DISPATCH)),
        guards.refuse_while_held(replace(opened(), stops=(STOP,))),
        guards.refuse_release_under_way(replace(opened(), dispatch=DISPATCH)),
        guards.refuse_expired(replace(APPROVAL, expires_s=0.0), 0.0),
    ]

    for refusal in refusals:
        assert refusal is not None
        assert refusal.code
        assert refusal.message.endswith(".")
        assert refusal.remedy.endswith(".")


def test_the_steps_of_a_plan_are_those_that_were_approved() -> None:
    script = planned()
    script.approve()
    for _ in range(5):
        script.end()

    assert tuple(each.step for each in script.all(StepDispatched)) == collect("can_1")
