"""A person's word against a source's: what is kept out, and what stands as a dispute until somebody looks."""

from __future__ import annotations

import pytest

from backend.domain.episode.events import EvidenceJudged, RecordDisputed, RecordSettled
from backend.domain.geometry import Pose
from backend.domain.memory.corrections import Lock, Reclass, Remove, SetStatus, Undo, Unlock
from backend.domain.memory.evidence import Verdict
from backend.domain.memory.record import Field, Source, Status
from backend.domain.memory.words import is_disputed
from tests.domain.correcting import fix, moved
from tests.domain.scripted import Scripted, collect, opened


def known(policy: str = "every_plan") -> Scripted:
    script = Scripted(opened(policy=policy))
    script.see("can_1", 3, 0)
    return script


@pytest.mark.parametrize(
    ("lock", "report", "reason"),
    [
        (Lock(entity="can_1", field="pose"), {"x_m": 7.0, "y_m": 7.0}, "pose is locked by operator-1"),
        (Lock(entity="can_1", field="class"), {"cls": "bottle"}, "class is locked by operator-1"),
    ],
    ids=["pose", "class"],
)
def test_evidence_against_a_lock_is_kept_and_refused_with_that_reason(
    lock: Lock, report: dict[str, object], reason: str
) -> None:
    script = known()
    fix(script, lock)
    script.met_s += 60.0
    script.see("can_1", **{"x_m": 3.0, "y_m": 0.0, **report}, q=1.0)
    judged = script.last(EvidenceJudged)
    assert (judged.verdict, judged.reason) == (Verdict.REFUSED, reason)
    assert is_disputed(script.record("can_1"))


def test_a_locked_status_is_not_found_again_by_a_report() -> None:
    script = known()
    fix(script, SetStatus(entity="can_1", status=Status.LOST, lock=True))
    script.met_s += 60.0
    script.see("can_1", 7, 7)
    assert script.record("can_1").status is Status.LOST
    assert script.last(EvidenceJudged).reason == "status is locked by operator-1"
    fix(script, Unlock(entity="can_1", field="status"))
    script.see("can_1", 7, 7)
    assert script.record("can_1").status is Status.OBSERVED


def test_a_report_that_agrees_with_a_lock_renews_the_belief() -> None:
    script = known()
    fix(script, Lock(entity="can_1", field="pose"))
    script.met_s += 9.0
    script.see("can_1", 3, 0, q=0.7)
    record = script.record("can_1")
    assert (record.confidence, record.stamp_s, record.source) == (0.7, 9.0, Source.AERIAL)


def test_what_the_robot_did_and_measured_ends_a_lock() -> None:
    script = known("auto")
    fix(script, Lock(entity="can_1", field="status"))
    script.answer(*collect("can_1"))
    for _ in range(3):
        script.end()
    record = script.record("can_1")
    assert record.status is Status.GRASPED
    assert record.word(Field.STATUS) is None


def test_a_dispute_is_told_once_while_the_source_keeps_saying_it() -> None:
    script = known()
    fix(script, moved(lock=True))
    for _ in range(3):
        script.met_s += 1.0
        script.see("can_1", 3, 0)
    [told] = script.all(RecordDisputed)
    assert (told.field, told.claim, told.kept, told.by) == (Field.POSE, Pose(3.0, 0.0), True, "operator-1")
    script.see("can_1", 6, 6)
    assert len(script.all(RecordDisputed)) == 2
    assert len(script.record("can_1").disputes) == 1


def test_a_report_that_outweighs_a_word_is_a_dispute_too() -> None:
    script = known()
    fix(script, moved())
    script.met_s += 60.0
    script.see("can_1", 7, 7)
    assert script.record("can_1").pose == Pose(7.0, 7.0)
    [dispute] = script.record("can_1").disputes
    assert (dispute.kept, dispute.claim) == (False, Pose(7.0, 7.0))


def test_a_dispute_ends_when_its_source_agrees() -> None:
    script = known()
    fix(script, moved(lock=True))
    script.met_s += 1.0
    script.see("can_1", 3, 0)
    script.see("can_1", 4, 4, source=Source.ONBOARD)
    assert is_disputed(script.record("can_1"))
    script.see("can_1", 4, 4)
    assert not is_disputed(script.record("can_1"))
    assert script.last(RecordSettled).reason == "drone now says what operator-1 said"


def test_a_dispute_ends_when_somebody_says_otherwise() -> None:
    script = known()
    fix(script, moved(lock=True))
    script.met_s += 1.0
    script.see("can_1", 3, 0)
    fix(script, moved("can_1", 3.0, 0.0))
    assert not is_disputed(script.record("can_1"))


def test_a_class_and_a_removal_can_be_disputed() -> None:
    script = known()
    fix(script, Reclass(entity="can_1", cls="bottle"))
    script.met_s += 1.0
    script.see("can_1", 3, 0, cls="can")
    [dispute] = script.record("can_1").disputes
    assert (dispute.field, dispute.claim, dispute.kept) == (Field.CLASS, "can", True)
    fix(script, Remove(entity="can_1"))
    script.met_s += 1.0
    script.see("can_1", 3, 0, cls="can")
    told = script.last(RecordDisputed)
    assert (told.field, told.claim, told.kept) == (Field.STATUS, "observed", True)
    assert told.reason == "removed by operator-1: only a person brings it back"


OLD_NEWS = {"seen before": {"stamp_s": 0.0}, "too weak": {"q": 0.3}}


@pytest.mark.parametrize("report", OLD_NEWS.values(), ids=OLD_NEWS)
def test_what_was_seen_before_or_is_too_weak_disputes_nothing(report: dict[str, float]) -> None:
    script = known()
    script.met_s += 5.0
    fix(script, moved())
    script.see("can_1", 3, 0, **report)
    assert script.all(RecordDisputed) == []


def test_what_was_measured_is_beyond_dispute_and_what_was_said_to_be_delivered_is_not() -> None:
    script = known("auto")
    fix(script, Reclass(entity="can_1", cls="bottle"))
    fix(script, Reclass(entity="can_1", cls="can"))
    script.answer(*collect("can_1"))
    for _ in range(5):
        script.end()
    script.see("can_1", 7, 7, cls="bottle")
    assert script.all(RecordDisputed) == []
    said = known()
    fix(said, SetStatus(entity="can_1", status=Status.DELIVERED))
    said.met_s += 1.0
    said.see("can_1", 7, 7)
    assert said.last(RecordDisputed).field is Field.POSE


def test_undoing_takes_the_dispute_with_it() -> None:
    script = known()
    fix(script, moved(lock=True))
    script.met_s += 1.0
    script.see("can_1", 3, 0)
    fix(script, Undo(seq=script.state.corrections[-1].seq))
    assert not is_disputed(script.record("can_1"))
    assert script.record("can_1").pose == Pose(3.0, 0.0)
