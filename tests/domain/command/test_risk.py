"""Risk findings by each rule, at its bound and past it, and switched off."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backend.domain.command.policy import Risk, RiskRules
from backend.domain.command.risk import risks
from backend.domain.geometry import Metric, Pose
from backend.domain.memory.record import Dispute, EntityRecord, Field, Source
from tests.domain.memory.test_arbitration import KNOWN
from tests.domain.plans.samples import MOBILE
from tests.domain.scripted import CANS, collect

OFF = RiskRules(
    confidence_below=None,
    belief_older_s=None,
    distance_above_m=None,
    first_plan_after_failure=False,
    record_disputed=False,
)
NOW_S = 100.0
CAN = replace(KNOWN, id="can_1", pose=Pose(3, 4), confidence=0.6, stamp_s=40.0)
DISPUTED = replace(
    CAN,
    disputes=(
        Dispute(
            field=Field.POSE,
            by="ada",
            claim=Pose(5, 4),
            source=Source.AERIAL,
            sensed_by="drone",
            seq=9,
            met_s=90.0,
            kept=True,
        ),
    ),
)
GOALS = {"can_1": Pose(3, 4), CANS: Pose(0, 0)}
STEPS = [
    (index, each, GOALS.get(str(each.arguments.get("to") or each.arguments.get("target") or CANS)))
    for index, each in enumerate(collect("can_1"))
]


def found(
    rules: RiskRules, record: EntityRecord = CAN, first: int = 0, after_failure: bool = False
) -> tuple[Risk, ...]:
    return risks(
        rules, STEPS[first:], {"can_1": record}, Pose(0, 0), Metric("euclidean"), NOW_S, after_failure, MOBILE
    )


TABLE = {
    "a belief at the bound": (replace(OFF, confidence_below=0.6), CAN, 0, False, []),
    "a belief under the bound, told once": (
        replace(OFF, confidence_below=0.61),
        CAN,
        0,
        False,
        [("confidence_below", 0)],
    ),
    "from a later step on": (replace(OFF, confidence_below=0.61), CAN, 1, False, [("confidence_below", 1)]),
    "once it is in the gripper": (replace(OFF, confidence_below=0.61), CAN, 3, False, []),
    "a disputed belief": (replace(OFF, record_disputed=True), DISPUTED, 0, False, [("record_disputed", 0)]),
    "a disputed belief, nobody minds": (OFF, DISPUTED, 0, False, []),
    "as old as the bound": (replace(OFF, belief_older_s=60.0), CAN, 0, False, []),
    "older than the bound": (replace(OFF, belief_older_s=59.9), CAN, 0, False, [("belief_older_s", 0)]),
    "weak and old": (
        replace(OFF, confidence_below=0.7, belief_older_s=30.0),
        CAN,
        0,
        False,
        [("confidence_below", 0), ("belief_older_s", 0)],
    ),
    "a path as long as the bound": (replace(OFF, distance_above_m=10.0), CAN, 0, False, []),
    "a path longer than the bound": (
        replace(OFF, distance_above_m=9.9),
        CAN,
        0,
        False,
        [("distance_above_m", None)],
    ),
    "skills that always ask": (
        replace(OFF, skills=("grasp", "deliver")),
        CAN,
        0,
        False,
        [("skill_in", 2), ("skill_in", 4)],
    ),
    "after a failure": (
        replace(OFF, first_plan_after_failure=True),
        CAN,
        0,
        True,
        [("first_plan_after_failure", None)],
    ),
    "after a success": (replace(OFF, first_plan_after_failure=True), CAN, 0, False, []),
    "every rule off": (OFF, replace(CAN, confidence=0.0, stamp_s=-1e6), 0, True, []),
}


@pytest.mark.parametrize(("rules", "record", "first", "failed", "expected"), TABLE.values(), ids=TABLE.keys())
def test_risks(
    rules: RiskRules, record: EntityRecord, first: int, failed: bool, expected: list[tuple[str, int | None]]
) -> None:
    assert [(risk.rule, risk.step) for risk in found(rules, record, first, failed)] == expected


def test_a_finding_says_what_was_found_and_what_the_policy_asks() -> None:
    messages = [
        risk.message
        for risk in found(replace(OFF, confidence_below=0.7, belief_older_s=30.0, distance_above_m=5.0))
    ]

    assert messages == [
        "Weak belief: can_1 pose 0.60, policy asks under 0.70",
        "Old belief: can_1 seen 60 s ago, policy asks over 30 s",
        "Path 10.00 m, policy asks over 5.00 m",
    ]


def test_a_weak_belief_is_the_same_risk_at_whatever_step_it_is_met() -> None:
    rules = replace(OFF, confidence_below=0.7)

    assert found(rules)[0].subject == found(rules, first=2)[0].subject
    assert (
        found(replace(OFF, skills=("grasp", "deliver")))[0].subject
        != found(replace(OFF, skills=("grasp", "deliver")))[1].subject
    )


def test_a_dispute_is_told_with_who_disagrees() -> None:
    [risk] = found(replace(OFF, record_disputed=True), DISPUTED)

    assert risk.message == "Disputed: aerial and ada disagree about pose of can_1"


def test_a_misspelt_skill_asks_always_and_says_what_was_meant() -> None:
    [risk] = found(replace(OFF, skills=("delivr",)))

    assert risk.message == "Policy names skill delivr, which this robot has not. Did you mean deliver?"
