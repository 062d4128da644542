"""The preview of a policy counts exactly what that policy asked when it was in force."""

from __future__ import annotations

import pytest

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Hold, Release
from backend.domain.command.policy import Policy, PolicyMode, RiskRules
from backend.domain.decide.preview import Preview, occasions, preview
from backend.domain.episode.events import ApprovalGranted, EpisodeOpened, Recorded
from tests.domain.scripted import Scripted, collect, opened

RULES = RiskRules(confidence_below=0.6, belief_older_s=None, first_plan_after_failure=False)
MODES: tuple[PolicyMode, ...] = ("every_plan", "every_skill", "on_risk", "auto")


def played(mode: PolicyMode, q: float = 0.9, risk: RiskRules = RULES) -> Scripted:
    """Two plans, each approved by whoever is asked."""
    script = Scripted(opened(policy=mode, risk=risk))
    script.see("can_1", 3, 4, q=q)
    script.see("can_2", 6, 4)
    for entity in ("can_1", "can_2"):
        script.answer(*collect(entity))
        for _ in range(5):
            say_yes(script)
            script.end()
    return script


def say_yes(script: Scripted) -> None:
    if script.approval.status is ApprovalStatus.PENDING:
        assert script.approve().applied


def whole(script: Scripted) -> list[Recorded]:
    state = script.state
    event = EpisodeOpened(
        episode=state.episode,
        mission=state.mission,
        site=state.site,
        catalogue=state.catalogue,
        robot=state.robot.name,
        robot_pose=opened().robot.pose,
        planner=state.planner,
        seed=state.seed,
        code_version=state.code_version,
    )
    return [Recorded(seq=1, met_s=0.0, actor="system", event=event), *script.events]


def of(script: Scripted, mode: PolicyMode, risk: RiskRules = RULES) -> Preview:
    return preview(Policy(mode=mode, risk=risk), [occasions(whole(script))])


@pytest.mark.parametrize("was", MODES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("q", [0.9, 0.57])
def test_it_counts_what_that_policy_would_have_asked_whatever_was_in_force(
    was: PolicyMode, mode: PolicyMode, q: float
) -> None:
    then = played(was, q)
    asked = [each for each in played(mode, q).all(ApprovalGranted) if each.by != "policy"]

    assert of(then, mode).asked == len(asked)


def test_it_says_which_rule_asked() -> None:
    told = of(played("auto", 0.57), "on_risk")

    assert (told.asked, told.plans, told.reasons) == (1, 2, {"confidence_below": 1})


def test_a_rule_is_tried_before_it_is_in_force() -> None:
    script = played("auto")

    assert of(script, "on_risk").asked == 0
    sharper = RiskRules(skills=("grasp",), belief_older_s=None, first_plan_after_failure=False)
    assert of(script, "on_risk", sharper).asked == 2
    assert of(script, "on_risk", sharper).reasons == {"skill_in": 2}


def test_what_goes_on_after_a_hold_is_asked_about_again() -> None:
    script = Scripted(opened(policy="every_plan", risk=RULES))
    script.see("can_1", 3, 4)
    script.answer(*collect("can_1"))
    say_yes(script)
    script.end()
    script.click(Hold(stop_id="s1"))
    script.end()
    script.stand_still("s1")
    script.click(Release(stop_ids=("s1",)))
    say_yes(script)

    assert of(script, "every_plan").asked == 2
    assert of(script, "auto").asked == 0
    assert preview(Policy(), []).asked == 0
