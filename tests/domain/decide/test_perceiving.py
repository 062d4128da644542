"""Evidence in the tick: judged, associated, assigned at the reveal, and what it does to the plan."""

from __future__ import annotations

from msgspec.structs import replace

from backend.domain.episode.events import (
    EvidenceJudged,
    PlanInvalidated,
    PlanRequested,
    StationAssigned,
    StepCancelAsked,
)
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Verdict
from backend.domain.memory.record import Source, Status
from tests.domain.decide.test_outcomes import at_step
from tests.domain.scripted import CANS, SITE, Scripted, collect, event, kinds, opened, report, step

REVEAL = replace(
    SITE, assignment="at_reveal", stations=tuple(replace(each, accepts=()) for each in SITE.stations)
)


def test_every_piece_of_evidence_is_judged_with_its_reason() -> None:
    script = Scripted(opened())
    script.tick(
        evidence=(
            report("can_1", 3, 4),
            report("can_1", 3, 4, q=0.95),
            report("can_1", 8, 8, q=0.3),
            report("can_2", 8, 8, stamp_s=9.0),
        )
    )

    verdicts = [(each.entity, each.verdict) for each in script.all(EvidenceJudged)]
    assert verdicts == [
        ("can_1", Verdict.ACCEPTED),
        ("can_1", Verdict.MERGED),
        ("can_1", Verdict.REFUSED),
        ("can_2", Verdict.REFUSED),
    ]
    assert all(each.reason for each in script.all(EvidenceJudged))
    assert script.state.memory.history == 4


def test_a_report_said_often_is_one_event_that_says_how_often() -> None:
    script = Scripted(opened())
    script.tick(evidence=(report("can_1", 3, 4), report("can_2", 5, 4)), times=(7, 1))

    assert [each.times for each in script.all(EvidenceJudged)] == [7, 1]
    assert script.state.memory.history == 8


def test_a_refused_stranger_is_shown_to_people_and_never_to_the_planner() -> None:
    script = Scripted(opened())
    script.see("can_1", 3, 4, q=0.3)

    assert not script.record("can_1").supported
    assert script.last(PlanRequested).retrieval.exposed == ()
    assert script.last(PlanRequested).retrieval.scored[0].left_out == "Refused: no accepted evidence"


def test_what_is_impossible_leaves_no_record() -> None:
    script = Scripted(opened())
    script.see("can_1", 3, 4, stamp_s=9.0)
    script.see("can_2", 3, 4, frame_id="odom")
    script.see("can_3", 3, 4, frame_id="odom", q=0.3)
    script.see(CANS, 3, 4)

    assert script.state.memory.records == {}


def test_detections_without_ids_become_records_of_their_own() -> None:
    script = Scripted(opened())
    for x_m in (3.0, 3.2, 7.0):
        script.see(None, x_m, 4.0, q=1.0)

    assert [(record.id, record.pose) for record in script.state.memory.ordered()] == [
        ("can_01", Pose(3.2, 4)),
        ("can_02", Pose(7, 4)),
    ]


def test_a_class_gets_its_station_when_its_first_container_is_revealed() -> None:
    script = Scripted(opened(site=REVEAL))

    script.see("bottle_1", 1, 2, cls="bottle", q=0.4)
    assert script.all(StationAssigned) == []
    script.see("can_1", 8, 8)
    script.see("can_2", 1, 1)
    script.see("bottle_1", 8, 7, cls="bottle")
    script.see("jar_1", 1, 1, cls="jar")

    assert [(each.cls, each.station, each.entity) for each in script.all(StationAssigned)] == [
        ("can", "station_bottles", "can_1"),
        ("bottle", "station_cans", "bottle_1"),
    ]
    assert script.state.assignments == {"can": "station_bottles", "bottle": "station_cans"}


def test_a_step_under_way_is_asked_to_cancel_when_its_target_moves() -> None:
    script = at_step(0)

    tick = script.see("can_1", 5, 4, q=1.0)

    assert kinds(tick) == ["EvidenceJudged", "ApprovalSuperseded", "PlanInvalidated", "StepCancelAsked"]
    assert event(tick, StepCancelAsked).reason == "pose of can_1 changed 2.00 m"
    script.see("can_1", 6, 4, q=1.0)
    assert len(script.all(StepCancelAsked)) == 1


def test_an_unrelated_detection_never_interrupts() -> None:
    script = at_step(0)
    for number in range(3, 9):
        script.see(f"can_{number}", number, 1)

    assert script.state.plan is not None
    assert script.all(PlanInvalidated) == []


def test_creep_within_tolerance_adds_up_to_a_change() -> None:
    script = at_step(0)
    steps = 0
    while script.state.plan is not None:
        steps += 1
        script.met_s += 1.0
        script.see("can_1", 3 + 0.02 * steps, 4, q=0.95)

    assert steps == 3
    assert script.last(PlanInvalidated).cause.message == "pose of can_1 changed 0.06 m"


def test_what_it_has_in_hand_no_report_moves() -> None:
    script = at_step(3)

    tick = script.see("can_1", 8, 1, q=1.0, source=Source.ONBOARD)

    assert kinds(tick) == ["EvidenceJudged"]
    assert script.record("can_1").status is Status.GRASPED


def test_a_search_ends_with_the_first_find() -> None:
    script = Scripted(opened(policy="auto"))
    script.tick()
    script.answer(step("explore", cell=(1.0, 2.0)), step("explore", cell=(2.0, 2.0)))
    script.see("can_1", 3, 4, q=0.3)
    assert script.state.plan is not None

    script.see("can_1", 3, 4)

    assert script.last(PlanInvalidated).cause.message == "can_1 became known or moved"


def test_with_no_memory_a_target_in_sight_stays_the_target() -> None:
    """It is seen anew each second in its place; that is no news."""
    script = Scripted(opened(policy="auto", memory="none"))
    script.see("can_1", 1, 1, source=Source.ONBOARD)
    script.answer(*collect("can_1"))
    for _ in range(3):
        script.met_s += 0.5
        script.see("can_1", 1, 1, source=Source.ONBOARD)
        script.end(moves=0)

    assert script.record("can_1").status is Status.GRASPED
    assert script.all(PlanInvalidated) == []
