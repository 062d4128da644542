"""A question that waits grows old: a risk that its card does not show asks anew before anybody says yes."""

from __future__ import annotations

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Hold
from backend.domain.command.policy import RiskRules
from backend.domain.episode.events import ApprovalRequested, ApprovalSuperseded, StepDispatched
from tests.domain.decide.test_approving import SURE, planned
from tests.domain.scripted import approving, event, kinds


def test_a_belief_that_grows_old_while_the_question_waits_asks_anew() -> None:
    script = planned(risk=SURE)
    page = approving(script.approval)
    assert script.approval.pins.risks == ()

    assert script.wait(59.0).events == ()
    tick = script.wait(2.0)

    assert kinds(tick) == ["ApprovalSuperseded", "ApprovalRequested"]
    assert event(tick, ApprovalSuperseded).cause.message == (
        "Old belief: can_1 seen 61 s ago, policy asks over 60 s."
    )
    assert [risk.rule for risk in script.approval.pins.risks] == ["belief_older_s"]
    assert script.click(page).code == "gone"
    assert script.all(StepDispatched) == []
    script.approve()
    assert len(script.all(StepDispatched)) == 1


def test_a_weaker_sighting_of_what_it_rests_on_asks_anew() -> None:
    script = planned(risk=SURE)

    script.see("can_1", 3, 4, q=0.56)

    assert [risk.rule for risk in script.approval.pins.risks] == ["confidence_below"]
    assert script.approval.status is ApprovalStatus.PENDING


def test_a_risk_that_is_shown_asks_once_however_long_it_waits() -> None:
    script = planned(risk=SURE)
    for _ in range(20):
        script.wait(30.0)

    assert len(script.all(ApprovalRequested)) == 2


def test_a_question_that_expires_in_the_same_moment_expires() -> None:
    script = planned(risk=SURE, approval_expires_s=61.0)

    script.wait(61.0)

    assert script.approval.status is ApprovalStatus.EXPIRED
    assert script.wait(30.0).events == ()


def test_nothing_is_asked_anew_while_a_stop_is_latched() -> None:
    script = planned(risk=RiskRules(belief_older_s=5.0))
    script.click(Hold(stop_id="s1"))

    assert [each for each in kinds(script.wait(30.0)) if each.startswith("Approval")] == []


def test_a_second_risk_stands_beside_the_first() -> None:
    script = planned("on_risk", q=0.56, risk=SURE)

    script.wait(61.0)

    assert [risk.rule for risk in script.approval.pins.risks] == ["confidence_below", "belief_older_s"]
    assert script.approval.status is ApprovalStatus.PENDING
