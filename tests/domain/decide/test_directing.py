"""Policy and standing instructions change while a mission runs, by people alone and never into a yes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Hold, Instruct, Reject, Release, SetPolicy
from backend.domain.command.policy import Policy, PolicyMode, RiskRules
from backend.domain.episode.events import (
    InstructionsChanged,
    PlanRequested,
    PolicyChanged,
    StepDispatched,
    StopAsked,
)
from backend.domain.execution.outcome import Result
from backend.domain.memory.record import Source
from tests.domain.decide.test_approving import SURE, planned
from tests.domain.scripted import OPERATOR, OTHER, Scripted, collect, kinds, opened


def asking(script: Scripted, mode: PolicyMode, **rules: Any) -> SetPolicy:
    """What a page posts that showed the policy in force."""
    now = script.state.policy
    return SetPolicy(policy=Policy(mode=mode, risk=replace(now.risk, **rules)), shown=now.digest)


def test_a_change_is_on_record_with_who_and_from_what() -> None:
    script = planned()

    tick = script.tick(intents=(script.intent(asking(script, "every_skill")),))

    changed = next(each for each in tick.events if isinstance(each.event, PolicyChanged))
    assert changed.actor == f"operator:{OPERATOR}"
    assert (changed.event.old.mode, changed.event.new.mode) == ("every_plan", "every_skill")
    assert script.state.policy.mode == "every_skill"
    assert script.state.mission.policy.mode == "every_plan"


@pytest.mark.parametrize("mode", ["auto", "on_risk"])
def test_a_laxer_policy_never_approves_what_waits(mode: PolicyMode) -> None:
    script = planned()

    assert script.click(asking(script, mode)).applied
    for _ in range(3):
        script.wait(10.0)

    assert (script.approval.id, script.approval.status) == ("e1-a1", ApprovalStatus.PENDING)
    assert script.all(StepDispatched) == []


def test_nor_by_way_of_a_hold_and_its_release() -> None:
    script = planned()
    script.click(asking(script, "auto"))
    script.click(Hold(stop_id="s1"))
    script.stand_still("s1")
    script.click(Release(stop_ids=("s1",)))

    assert (script.approval.id, script.approval.status) == ("e1-a2", ApprovalStatus.PENDING)
    assert script.all(StepDispatched) == []
    assert script.approve().applied
    assert len(script.all(StepDispatched)) == 1


def test_nor_after_it_expired() -> None:
    script = planned(approval_expires_s=5.0)
    script.wait(5.0)
    script.click(asking(script, "auto"))
    script.wait(5.0)

    assert script.all(StepDispatched) == []


def test_the_next_plan_goes_by_the_laxer_policy() -> None:
    script = planned()
    script.click(asking(script, "auto"))
    script.see("can_1", 5, 4, source=Source.ONBOARD, q=1.0)
    script.answer(*collect("can_1"))

    assert script.approval.status is ApprovalStatus.APPROVED
    assert script.approval.by_policy


def test_every_skill_splits_what_waits() -> None:
    script = planned()

    tick = script.tick(intents=(script.intent(asking(script, "every_skill")),))

    assert kinds(tick)[-2:] == ["ApprovalSuperseded", "ApprovalRequested"]
    assert (script.approval.first_step, script.approval.last_step) == (0, 0)


def test_a_stricter_policy_takes_its_own_yes_back_before_the_next_step() -> None:
    script = planned("auto")
    running = script.state.dispatch
    script.click(asking(script, "every_plan"))

    assert script.approval.status is ApprovalStatus.SUPERSEDED
    assert script.state.dispatch == running
    script.end()
    assert script.state.dispatch is None
    assert (script.approval.status, script.approval.first_step) == (ApprovalStatus.PENDING, 1)


def test_a_person_s_yes_to_a_plan_is_no_yes_to_each_skill() -> None:
    script = planned()
    script.approve()
    script.click(asking(script, "every_skill"))
    script.end()

    assert script.state.dispatch is None
    assert (script.approval.first_step, script.approval.last_step) == (1, 1)


def test_a_person_s_yes_to_a_plan_holds_where_each_plan_is_asked_about() -> None:
    script = planned("on_risk", q=0.56, risk=SURE)
    script.approve()
    script.click(asking(script, "every_plan"))
    script.end()

    assert script.state.dispatch is not None


def test_a_rule_made_sharper_asks_at_the_next_step() -> None:
    script = planned("on_risk", q=0.7, risk=SURE)
    assert script.approval.by_policy
    script.click(asking(script, "on_risk", confidence_below=0.8))

    script.end()

    assert script.state.dispatch is None
    assert [risk.rule for risk in script.approval.pins.risks] == ["confidence_below"]


def test_a_deny_stops_a_step_that_runs_though_its_approval_was_taken_back() -> None:
    script = planned("auto")
    approval = script.approval.id
    script.click(asking(script, "every_plan"))

    assert script.click(Reject(approval_id=approval, reason="No.", stop_id="s1")).applied

    assert script.last(StopAsked).stop_id == "s1"
    assert script.state.is_held
    script.end(Result.STOPPED, "stopped")
    assert len(script.all(StepDispatched)) == 1


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a misspelt skill": ({"skills": ("grapsp",)}, "skills: This robot has no skill 'grapsp'."),
    "a confidence past 1": ({"confidence_below": 1.5}, "confidence_below: 1.5 is out of range."),
    "no number": ({"belief_older_s": float("nan")}, "belief_older_s: nan is out of range."),
    "a negative path": ({"distance_above_m": -1.0}, "distance_above_m: -1 is out of range."),
}


@pytest.mark.parametrize(("rules", "message"), WRONG.values(), ids=WRONG)
def test_a_policy_that_cannot_be_meant_is_refused_to_the_field(rules: dict[str, Any], message: str) -> None:
    script = planned()

    refused = script.click(asking(script, "on_risk", **rules))

    assert (refused.code, refused.message) == ("invalid_policy", message)
    assert script.all(PolicyChanged) == []
    if "skills" in rules:
        assert refused.remedy == "Did you mean grasp?"


def test_a_stale_page_changes_no_policy() -> None:
    script = planned()
    page = asking(script, "on_risk")
    script.click(asking(script, "every_skill"))

    assert script.click(page).code == "stale"
    assert script.click(asking(script, "every_skill")).code == "unchanged"
    assert script.click(asking(script, "auto"), OTHER).code == "conn"
    assert script.click(asking(script, "auto"), "watcher", "viewer").code == "role"


def test_a_mission_s_misspelt_skill_asks_about_every_plan() -> None:
    script = planned("on_risk", risk=RiskRules(skills=("grapsp",)))

    assert script.approval.status is ApprovalStatus.PENDING
    assert script.approval.pins.risks[0].message == (
        "Policy names skill grapsp, which this robot has not. Did you mean grasp?"
    )


def test_standing_instructions_are_a_block_of_their_own_to_the_letter() -> None:
    script = Scripted(opened())
    said = "Keep to the left.\nAsk before the gate."
    script.click(Instruct(text=said, shown=""))
    script.see("can_1", 3, 4)

    blocks = {block.name: block.text for block in script.last(PlanRequested).blocks}

    assert script.last(InstructionsChanged).text == said
    assert blocks["instructions"] == "Keep to the left.\n  Ask before the gate."
    assert "guidance" not in blocks


def test_a_mission_s_own_instructions_are_sent_until_they_are_taken_back() -> None:
    state = opened()
    script = Scripted(replace(state, mission=replace(state.mission, instructions="Slowly.")))
    script.see("can_1", 3, 4)
    assert "Slowly." in [block.text for block in script.last(PlanRequested).blocks]

    assert script.click(Instruct(text="", shown="Slowly.")).applied
    script.answer(*collect("can_1"))
    script.see("can_1", 5, 4, source=Source.ONBOARD, q=1.0)

    assert "instructions" not in [block.name for block in script.last(PlanRequested).blocks]


@pytest.mark.parametrize(
    ("text", "shown", "code"),
    [("x" * 4001, "", "too_long"), ("New.", "Other.", "stale"), ("", "", "unchanged")],
    ids=["too long", "a stale page", "nothing new"],
)
def test_instructions_that_are_not_taken(text: str, shown: str, code: str) -> None:
    script = planned()

    assert script.click(Instruct(text=text, shown=shown)).code == code
    assert script.all(InstructionsChanged) == []
