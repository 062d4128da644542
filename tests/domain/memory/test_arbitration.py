"""Arbitration as decision tables: what each memory does with evidence, and the reason it gives."""

from __future__ import annotations

import math
from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.arbitration import Rules, judge
from backend.domain.memory.configuration import NAMED
from backend.domain.memory.evidence import Evidence, Judgement, Verdict
from backend.domain.memory.record import EntityRecord, Field, Source, Status
from backend.domain.memory.store import Memory
from tests.domain.scripted import report

NOW_S = 100.0
ACCEPTED, MERGED, REFUSED = Verdict.ACCEPTED, Verdict.MERGED, Verdict.REFUSED
P, S, C = Field.POSE, Field.STATUS, Field.CLASS

KNOWN = EntityRecord(
    id="can_1",
    cls="can",
    pose=Pose(3.0, 4.0),
    confidence=0.8,
    status=Status.OBSERVED,
    stamp_s=90.0,
    source=Source.AERIAL,
    order=0,
    class_seq=2,
    pose_seq=2,
    status_seq=2,
    belief_seq=2,
)
LOST = replace(KNOWN, status=Status.LOST, failed_pose=Pose(3.0, 4.0), failed_s=95.0)


def at(x_m: float, y_m: float, stamp_s: float = 99.0, **rest: Any) -> Evidence:
    return report("can_1", x_m, y_m, stamp_s=stamp_s, **rest)


def believed(**changes: Any) -> EntityRecord:
    return replace(KNOWN, **changes)


def judged(memory: str, record: EntityRecord | None, evidence: Evidence) -> Judgement:
    store = Memory(records={} if record is None else {record.id: record})
    rules = Rules(NAMED[memory], Metric("euclidean", 1.0, 0.05), "map")
    return judge(store, "can_1", evidence, rules, NOW_S)


def fields(judgement: Judgement) -> list[Field]:
    return [change.field for change in judgement.changes]


def held_weight(record: EntityRecord, stamp_s: float, weight: float = 0.8) -> float:
    return weight * record.confidence * math.exp(-(stamp_s - record.stamp_s) / 18.0)


ATTENTION = {
    "first report of an entity": (None, at(1, 1), ACCEPTED, "first accepted evidence", [C, P, S]),
    "first report under the threshold": (
        None,
        at(1, 1, q=0.549),
        REFUSED,
        "remote confidence 0.549 is under 0.55",
        [],
    ),
    "first report at the threshold": (None, at(1, 1, q=0.55), ACCEPTED, "first accepted evidence", [C, P, S]),
    "a weak sighting by the robot itself": (
        None,
        at(1, 1, q=0.2, source=Source.ONBOARD),
        ACCEPTED,
        "first accepted evidence",
        [C, P, S],
    ),
    "accepted after only refusals": (
        believed(supported=False, confidence=0.3),
        at(1, 1),
        ACCEPTED,
        "first accepted evidence",
        [C, P, S],
    ),
    "refused again after only refusals": (
        believed(supported=False, confidence=0.3),
        at(1, 1, q=0.4),
        REFUSED,
        "remote confidence 0.4 is under 0.55",
        [],
    ),
    "the same place": (KNOWN, at(3.0, 4.0), MERGED, "same place", []),
    "within tolerance": (KNOWN, at(3.03, 4.04), MERGED, "same place", []),
    "the same place, less sure": (KNOWN, at(3.0, 4.0, q=0.6), MERGED, "same place", []),
    "the same place, seen at the same time": (KNOWN, at(3.0, 4.0, stamp_s=90), MERGED, "same place", []),
    "the same place, seen earlier": (
        KNOWN,
        at(3.0, 4.0, stamp_s=89.9),
        REFUSED,
        "seen at 89.9 s, the record is from 90 s",
        [],
    ),
    "a remote report under the threshold": (
        KNOWN,
        at(3.0, 4.0, q=0.5),
        REFUSED,
        "remote confidence 0.5 is under 0.55",
        [],
    ),
    "beyond tolerance and sure enough": (
        KNOWN,
        at(3.06, 4.0, q=0.9),
        ACCEPTED,
        "newer pose outweighs the record",
        [P],
    ),
    "elsewhere, seen earlier": (
        KNOWN,
        at(6, 6, q=1.0, stamp_s=89),
        REFUSED,
        "seen at 89 s, the record is from 90 s",
        [],
    ),
    "elsewhere at the same time, as sure": (
        KNOWN,
        at(6, 6, q=0.8, stamp_s=90),
        ACCEPTED,
        "newer pose outweighs the record",
        [P],
    ),
    "elsewhere at the same time, less sure": (
        KNOWN,
        at(6, 6, q=0.79, stamp_s=90),
        REFUSED,
        "competing pose weighs 0.632, the record still 0.640",
        [],
    ),
    "elsewhere, just under what the record has decayed to": (
        KNOWN,
        at(6, 6, q=held_weight(KNOWN, 95) / 0.8 - 1e-6, stamp_s=95),
        REFUSED,
        "competing pose weighs 0.485, the record still 0.485",
        [],
    ),
    "elsewhere, just over what the record has decayed to": (
        KNOWN,
        at(6, 6, q=held_weight(KNOWN, 95) / 0.8 + 1e-6, stamp_s=95),
        ACCEPTED,
        "newer pose outweighs the record",
        [P],
    ),
    "the drone against the robot's own eyes": (
        believed(source=Source.ONBOARD, confidence=1.0, stamp_s=98),
        at(6, 6, q=1.0),
        REFUSED,
        "competing pose weighs 0.800, the record still 0.946",
        [],
    ),
    "the robot's own eyes against the drone": (
        believed(confidence=1.0),
        at(6, 6, q=1.0, source=Source.ONBOARD),
        ACCEPTED,
        "newer pose outweighs the record",
        [P],
    ),
    "an operator's word against the drone": (
        believed(confidence=0.9),
        at(6, 6, q=1.0, source=Source.OPERATOR, stamp_s=100),
        ACCEPTED,
        "newer pose outweighs the record",
        [P],
    ),
    "a record to be reconsidered is active": (
        believed(status=Status.RECONSIDER),
        at(3, 4),
        MERGED,
        "same place",
        [],
    ),
    "of another class, which a record keeps": (
        KNOWN,
        at(6, 6, cls="bottle"),
        ACCEPTED,
        "newer pose outweighs the record",
        [P],
    ),
}


@pytest.mark.parametrize(
    ("record", "evidence", "verdict", "reason", "changed"), ATTENTION.values(), ids=ATTENTION.keys()
)
def test_attention(
    record: EntityRecord | None, evidence: Evidence, verdict: Verdict, reason: str, changed: list[Field]
) -> None:
    judgement = judged("attention", record, evidence)

    assert (judgement.verdict, fields(judgement)) == (verdict, changed)
    assert judgement.reason.startswith(reason)


FOUND_AGAIN = {
    "where the look failed, seen before it": (
        at(3, 4, stamp_s=94),
        REFUSED,
        "it was looked for there at 95 s and was not there",
        [],
    ),
    "where the look failed, seen at that time": (
        at(3, 4, stamp_s=95),
        REFUSED,
        "it was looked for there at 95 s and was not there",
        [],
    ),
    "where the look failed, seen after it": (at(3, 4, stamp_s=95.1), ACCEPTED, "found again", [S]),
    "elsewhere, seen before the look": (at(6, 6, stamp_s=80), ACCEPTED, "found again", [P, S]),
    "elsewhere, seen after the look": (at(6, 6), ACCEPTED, "found again", [P, S]),
}


@pytest.mark.parametrize("memory", ["attention", "unfiltered"])
@pytest.mark.parametrize(
    ("evidence", "verdict", "reason", "changed"), FOUND_AGAIN.values(), ids=FOUND_AGAIN.keys()
)
def test_what_is_lost_comes_back_unless_the_look_disproved_it(
    memory: str, evidence: Evidence, verdict: Verdict, reason: str, changed: list[Field]
) -> None:
    judgement = judged(memory, LOST, evidence)

    assert (judgement.verdict, judgement.reason, fields(judgement)) == (verdict, reason, changed)
    if verdict is ACCEPTED:
        assert judgement.changes[-1].new == Status.OBSERVED.value


def test_only_what_was_too_weak_is_worth_showing_all_the_same() -> None:
    assert judged("attention", None, at(1, 1, q=0.5)).too_weak
    assert not judged("attention", None, at(1, 1, q=0.5, frame_id="odom")).too_weak
    assert not judged("attention", KNOWN, at(6, 6, stamp_s=5.0)).too_weak


def test_the_threshold_holds_for_what_is_lost_too() -> None:
    assert judged("attention", LOST, at(6, 6, q=0.5)).verdict is REFUSED
    assert judged("unfiltered", LOST, at(6, 6, q=0.5)).verdict is ACCEPTED


ONBOARD, TRUTH, INITIAL = Source.ONBOARD, Source.TRUTH, Source.INITIAL
OTHERS = {
    "unfiltered, first report": (
        "unfiltered",
        None,
        at(1, 1, q=0.1),
        ACCEPTED,
        "first accepted evidence",
        [C, P, S],
    ),
    "unfiltered, elsewhere, however weak": (
        "unfiltered",
        KNOWN,
        at(6, 6, q=0.1),
        ACCEPTED,
        "last report wins",
        [P],
    ),
    "unfiltered, elsewhere, however old": (
        "unfiltered",
        KNOWN,
        at(6, 6, stamp_s=5),
        ACCEPTED,
        "last report wins",
        [P],
    ),
    "unfiltered, the same place": ("unfiltered", KNOWN, at(3, 4, q=0.1, stamp_s=5), MERGED, "same place", []),
    "static, an initial record": (
        "static",
        None,
        at(1, 1, source=INITIAL),
        ACCEPTED,
        "first accepted evidence",
        [C, P, S],
    ),
    "static, a report on an initial record": (
        "static",
        believed(source=INITIAL),
        at(6, 6),
        REFUSED,
        "static memory keeps the initial poses",
        [],
    ),
    "static, a sighting while an initial record is left": (
        "static",
        believed(source=INITIAL),
        at(6, 6, source=ONBOARD),
        REFUSED,
        "static memory keeps the initial poses",
        [],
    ),
    "static, a sighting when none is left": (
        "static",
        believed(source=INITIAL, status=Status.LOST),
        at(6, 6, source=ONBOARD),
        ACCEPTED,
        "in sight now",
        [P, S],
    ),
    "static, a report when none is left": (
        "static",
        believed(source=INITIAL, status=Status.LOST),
        at(6, 6),
        REFUSED,
        "only what is in sight counts",
        [],
    ),
    "none, a report": ("none", None, at(1, 1), REFUSED, "only what is in sight counts", []),
    "none, an initial record": (
        "none",
        None,
        at(1, 1, source=INITIAL),
        REFUSED,
        "only what is in sight counts",
        [],
    ),
    "none, a first sighting": (
        "none",
        None,
        at(1, 1, source=ONBOARD),
        ACCEPTED,
        "first accepted evidence",
        [C, P, S],
    ),
    "none, in sight again in its place": (
        "none",
        believed(source=ONBOARD),
        at(3, 4, source=ONBOARD),
        ACCEPTED,
        "in sight now",
        [P],
    ),
    "none, still in sight in its place": (
        "none",
        believed(source=ONBOARD),
        at(3, 4, source=ONBOARD, stamp_s=91),
        MERGED,
        "same place",
        [],
    ),
    "none, still in sight and moved": (
        "none",
        believed(source=ONBOARD),
        at(3, 5, source=ONBOARD, stamp_s=91),
        ACCEPTED,
        "in sight now",
        [P],
    ),
    "none, in sight after a failed skill": (
        "none",
        believed(source=ONBOARD, status=Status.RECONSIDER),
        at(3, 4, source=ONBOARD, stamp_s=91),
        ACCEPTED,
        "in sight now",
        [P, S],
    ),
    "oracle, the truth": ("oracle", KNOWN, at(6, 6, source=TRUTH), ACCEPTED, "last report wins", [P]),
    "oracle, an initial record": (
        "oracle",
        None,
        at(6, 6, source=INITIAL),
        ACCEPTED,
        "first accepted evidence",
        [C, P, S],
    ),
    "oracle, a report": ("oracle", KNOWN, at(6, 6), REFUSED, "oracle memory reads the truth alone", []),
    "oracle, a sighting": (
        "oracle",
        KNOWN,
        at(6, 6, source=ONBOARD),
        REFUSED,
        "oracle memory reads the truth alone",
        [],
    ),
}


@pytest.mark.parametrize(
    ("memory", "record", "evidence", "verdict", "reason", "changed"), OTHERS.values(), ids=OTHERS.keys()
)
def test_the_other_memories(
    memory: str,
    record: EntityRecord | None,
    evidence: Evidence,
    verdict: Verdict,
    reason: str,
    changed: list[Field],
) -> None:
    judgement = judged(memory, record, evidence)

    assert (judgement.verdict, fields(judgement)) == (verdict, changed)
    assert judgement.reason.startswith(reason)


MEMORIES = ["attention", "unfiltered", "static", "none", "oracle"]


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("source", list(Source))
@pytest.mark.parametrize("status", [Status.GRASPED, Status.DELIVERED])
def test_no_observation_takes_a_verified_outcome_back(memory: str, source: Source, status: Status) -> None:
    judgement = judged(memory, believed(status=status), at(6, 6, q=1.0, source=source))

    assert judgement == Judgement(REFUSED, f"{status.value} is verified: no observation takes it back")


IMPOSSIBLE = {
    "stamped 0.6 s ahead": (
        at(1, 1, source=TRUTH, stamp_s=100.6),
        "stamp lies 0.6 s ahead of the mission clock",
    ),
    "stamped never": (at(1, 1, source=TRUTH, stamp_s=math.nan), "pose or stamp is no finite number"),
    "nowhere": (at(math.nan, 1, source=TRUTH), "pose or stamp is no finite number"),
    "infinitely far": (at(1, math.inf, source=TRUTH), "pose or stamp is no finite number"),
    "surer than sure": (at(1, 1, q=1.01, source=TRUTH), "confidence 1.01 is outside 0 to 1"),
    "less than unsure": (at(1, 1, q=-0.1, source=TRUTH), "confidence -0.1 is outside 0 to 1"),
    "of no confidence at all": (at(1, 1, q=math.nan, source=TRUTH), "confidence nan is outside 0 to 1"),
    "in another frame": (
        at(1, 1, source=TRUTH, stamp_s=99, frame_id="odom"),
        "pose is given in frame 'odom', not 'map'",
    ),
}


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize(("evidence", "reason"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_impossible_evidence_is_refused_by_every_memory(memory: str, evidence: Evidence, reason: str) -> None:
    assert judged(memory, None, evidence) == Judgement(REFUSED, reason)


def test_a_stamp_half_a_second_ahead_is_a_clock_s_tolerance() -> None:
    assert judged("attention", None, at(1, 1, stamp_s=100.5)).verdict is ACCEPTED


def test_creep_adds_up_against_the_value_at_the_version() -> None:
    """Each step is within tolerance of the last report, none of them of the record's pose."""
    record, verdicts = KNOWN, []
    for number in range(1, 4):
        evidence = at(3.0 + 0.04 * number, 4.0, stamp_s=90.0 + number)
        judgement = judged("attention", record, evidence)
        verdicts.append(judgement.verdict)
        if judgement.verdict is MERGED:
            record = replace(record, confidence=evidence.confidence, stamp_s=evidence.stamp_s)

    assert verdicts == [MERGED, ACCEPTED, ACCEPTED]


def test_a_change_says_what_it_was_and_what_it_is() -> None:
    (change,) = judged("attention", KNOWN, at(6, 6)).changes

    assert (change.entity, change.old, change.new) == ("can_1", Pose(3, 4), Pose(6, 6))
