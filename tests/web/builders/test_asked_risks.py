"""Why policy asks, as the card says it while time goes on: ages grow, what is gone says so, new is marked."""

from __future__ import annotations

from msgspec.structs import replace

from backend.domain.command.intents import Guide
from backend.domain.command.policy import Policy, RiskRules
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import Source
from tests.support.drill import MISSION, Drill
from tests.web.moments import Screen, said

PLANNED = (("evidence", 0), ("evidence", 1), ("reply", 0))


def drilled(**rules: object) -> Drill:
    none = {"confidence_below": None, "belief_older_s": None, "first_plan_after_failure": False}
    policy = Policy(mode="every_plan", risk=RiskRules(**{**none, **rules}))
    return Drill(mission=replace(MISSION, policy=policy, approval_expires_s=600.0)).run(PLANNED)


def shown(drill: Drill) -> list[tuple[str, str]]:
    return [(mark.icon, said(mark.text)) for mark in Screen(drill).plan().risks]


def later(drill: Drill, seconds: float) -> Drill:
    drill.met_s += seconds
    drill.move("wait")
    return drill


def seen_again(drill: Drill) -> Drill:
    record = drill.state.memory.records[pinned(drill)]
    drill.met_s += 1.0
    drill.tick(
        evidence=(
            Evidence(
                cls=record.cls, pose=record.pose, confidence=1.0, source=Source.ONBOARD,
                stamp_s=drill.met_s, entity=record.id, sensed_by="rover",
            ),
        )
    )  # fmt: skip
    return drill


def pinned(drill: Drill) -> str:
    assert drill.state.approval is not None
    return str(drill.state.approval.pins.fields[0].entity)


def test_without_a_finding_the_card_says_why_it_asks() -> None:
    assert shown(drilled()) == [("ok", "It asks before every plan; its rules find no risk")]


def test_an_age_is_that_of_now_and_ticks_on_the_page() -> None:
    drill = drilled(belief_older_s=2.0)
    stamp_s = drill.state.memory.records[pinned(drill)].stamp_s

    later(drill, 30.0)
    later(drill, 40.0)
    drill.intent(Guide(text="Mind the gate."))  # the state that is shown is that of the newest event

    [risk] = Screen(drill).plan().risks
    assert said(risk.text).endswith("ago, policy asks over 2 s")
    [age] = [span for span in risk.text if span.met_s is not None]
    assert (age.met_s, age.text) == (stamp_s, "1:14")


def test_a_risk_nobody_was_shown_at_first_is_marked_as_new() -> None:
    drill = later(drilled(belief_older_s=20.0), 30.0)

    [(icon, text)] = shown(drill)
    assert (icon, text.split(": ")[0]) == ("warn", "New since you were asked")


def checks(drill: Drill) -> list[str]:
    return [step.check.icon for step in Screen(drill).plan().steps]


def test_what_no_longer_holds_says_so() -> None:
    """At the step too, or one would have to ask which of the two counts."""
    drill = later(drilled(belief_older_s=20.0), 30.0)
    assert "warn" in checks(drill)
    drill = seen_again(drill)
    assert "warn" not in checks(drill)

    [(icon, text)] = shown(drill)
    assert (icon, text.split(": ")[0]) == ("ok", "No longer so")
