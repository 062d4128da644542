"""Field-specific arbitration: what a piece of evidence may change, and why (ADM-Planner, section IV-B).

Perception revises pose, confidence, time and source. Task status advances by
verified outcomes alone, with one exception: fresh evidence turns a lost entity
into an observed one. Each memory of Table I is one rule of the same shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from msgspec import Struct

from backend.domain.geometry import Metric
from backend.domain.memory.configuration import MemoryConfiguration
from backend.domain.memory.evidence import Evidence, Judgement, Verdict
from backend.domain.memory.record import (
    ACTIVE,
    REMOTE,
    VERIFIED,
    EntityRecord,
    Field,
    FieldChange,
    Source,
    Status,
)
from backend.domain.memory.store import Memory
from backend.domain.memory.words import refuse_against_word

AHEAD_S = 0.5
"""A stamp further ahead of the mission clock than this comes from a clock that cannot be trusted."""


STILL_IN_SIGHT_S = 1.0
"""Seen again in its place within this time, an entity has not left the robot's sight (a grid step is 1 s)."""


class Rules(Struct, frozen=True):
    """What arbitration goes by: the memory configuration, the site's metric and the frame of its poses."""

    configuration: MemoryConfiguration
    metric: Metric
    frame_id: str


def judge(memory: Memory, entity: str, evidence: Evidence, rules: Rules, now_s: float) -> Judgement:
    """Judge evidence about `entity` at mission time `now_s`. Every verdict names its reason."""
    if not _is_possible(evidence, rules.frame_id, now_s):
        return _refuse(_why_impossible(evidence, rules.frame_id, now_s))
    record = memory.records.get(entity)
    if record is not None and record.status in VERIFIED:
        return _refuse(f"{record.status.value} is verified: no observation takes it back")
    judgement = _MEMORIES[rules.configuration.entities](memory, record, entity, evidence, rules)
    if record is None or not record.words:
        return judgement
    against = refuse_against_word(record, evidence, judgement.changes)
    return judgement if against is None else _refuse(against)


def _is_possible(evidence: Evidence, frame_id: str, now_s: float) -> bool:
    pose = evidence.pose
    return (
        evidence.stamp_s <= now_s + AHEAD_S
        and pose.frame_id == frame_id
        and 0.0 <= evidence.confidence <= 1.0
        and math.isfinite(pose.x_m + pose.y_m + evidence.stamp_s)
    )


def _why_impossible(evidence: Evidence, frame_id: str, now_s: float) -> str:
    if evidence.stamp_s > now_s + AHEAD_S:
        return f"stamp lies {evidence.stamp_s - now_s:.1f} s ahead of the mission clock"
    if not math.isfinite(evidence.pose.x_m + evidence.pose.y_m + evidence.stamp_s):
        return "pose or stamp is no finite number"
    if evidence.pose.frame_id != frame_id:
        return f"pose is given in frame {evidence.pose.frame_id!r}, not {frame_id!r}"
    return f"confidence {evidence.confidence:g} is outside 0 to 1"


def _attention(
    memory: Memory, record: EntityRecord | None, entity: str, evidence: Evidence, rules: Rules
) -> Judgement:
    settings = rules.configuration.attention
    if evidence.source in REMOTE and evidence.confidence < settings.threshold:
        reason = f"remote confidence {evidence.confidence:.3g} is under {settings.threshold:.3g}"
        return Judgement(Verdict.REFUSED, reason, too_weak=True)
    if record is None or not record.supported:
        return _first_seen(entity, record, evidence)
    if record.status is Status.LOST:
        return _found_again(record, evidence, rules.metric)
    if evidence.stamp_s < record.stamp_s:
        return _refuse(f"seen at {evidence.stamp_s:g} s, the record is from {record.stamp_s:g} s")
    if rules.metric.same_place(evidence.pose, record.pose):
        return _SAME_PLACE
    age_s = evidence.stamp_s - record.stamp_s
    claim = settings.weights.of(evidence.source) * evidence.confidence
    held = settings.weights.of(record.source) * record.confidence * math.exp(-age_s / settings.decay_s)
    if claim < held:
        return _refuse(f"competing pose weighs {claim:.3f}, the record still {held:.3f}")
    return Judgement(Verdict.ACCEPTED, "newer pose outweighs the record", (_moved(record, evidence),))


def _unfiltered(
    memory: Memory, record: EntityRecord | None, entity: str, evidence: Evidence, rules: Rules
) -> Judgement:
    if record is None or not record.supported:
        return _first_seen(entity, record, evidence)
    if record.status is Status.LOST:
        return _found_again(record, evidence, rules.metric)
    if rules.metric.same_place(evidence.pose, record.pose):
        return _SAME_PLACE
    return Judgement(Verdict.ACCEPTED, "last report wins", (_moved(record, evidence),))


def _static(
    memory: Memory, record: EntityRecord | None, entity: str, evidence: Evidence, rules: Rules
) -> Judgement:
    if evidence.source is Source.INITIAL and record is None:
        return _first_seen(entity, record, evidence)
    if any(r.source is Source.INITIAL and r.status in ACTIVE for r in memory.records.values()):
        return _refuse("static memory keeps the initial poses")
    return _in_sight(record, entity, evidence, rules.metric)


def _none(
    memory: Memory, record: EntityRecord | None, entity: str, evidence: Evidence, rules: Rules
) -> Judgement:
    return _in_sight(record, entity, evidence, rules.metric)


def _oracle(
    memory: Memory, record: EntityRecord | None, entity: str, evidence: Evidence, rules: Rules
) -> Judgement:
    if evidence.source not in (Source.TRUTH, Source.INITIAL):
        return _refuse("oracle memory reads the truth alone")
    return _unfiltered(memory, record, entity, evidence, rules)


_MEMORIES: dict[str, Callable[[Memory, EntityRecord | None, str, Evidence, Rules], Judgement]] = {
    "attention": _attention,
    "unfiltered": _unfiltered,
    "static": _static,
    "none": _none,
    "oracle": _oracle,
}


def _first_seen(entity: str, record: EntityRecord | None, evidence: Evidence) -> Judgement:
    old = record.pose if record is not None else None
    return Judgement(
        Verdict.ACCEPTED,
        "first accepted evidence",
        (
            FieldChange(entity, Field.CLASS, record.cls if record is not None else None, evidence.cls),
            FieldChange(entity, Field.POSE, old, evidence.pose),
            FieldChange(entity, Field.STATUS, None, Status.OBSERVED.value),
        ),
    )


def _found_again(record: EntityRecord, evidence: Evidence, metric: Metric) -> Judgement:
    """A lost record comes back, unless the evidence only repeats what the failed look disproved."""
    disproved = (
        record.failed_pose is not None
        and record.failed_s is not None
        and metric.same_place(evidence.pose, record.failed_pose)
        and evidence.stamp_s <= record.failed_s
    )
    if disproved:
        return _refuse(f"it was looked for there at {record.failed_s:g} s and was not there")
    changes: tuple[FieldChange, ...] = (
        FieldChange(record.id, Field.STATUS, record.status.value, Status.OBSERVED.value),
    )
    if not metric.same_place(evidence.pose, record.pose):
        changes = (_moved(record, evidence), *changes)
    return Judgement(Verdict.ACCEPTED, "found again", changes)


def _in_sight(record: EntityRecord | None, entity: str, evidence: Evidence, metric: Metric) -> Judgement:
    """Without memory of poses whatever comes into sight is news, and nothing but a sighting is believed."""
    if evidence.source is not Source.ONBOARD:
        return _refuse("only what is in sight counts")
    if record is None:
        return _first_seen(entity, record, evidence)
    if _never_left_sight(record, evidence, metric):
        return _SAME_PLACE
    changes: tuple[FieldChange, ...] = (FieldChange(entity, Field.POSE, None, evidence.pose),)
    if record.status is not Status.OBSERVED:
        changes = (*changes, FieldChange(entity, Field.STATUS, record.status.value, Status.OBSERVED.value))
    return Judgement(Verdict.ACCEPTED, "in sight now", changes)


def _never_left_sight(record: EntityRecord, evidence: Evidence, metric: Metric) -> bool:
    return (
        record.status is Status.OBSERVED
        and record.source is Source.ONBOARD
        and evidence.stamp_s - record.stamp_s <= STILL_IN_SIGHT_S
        and metric.same_place(evidence.pose, record.pose)
    )


def _moved(record: EntityRecord, evidence: Evidence) -> FieldChange:
    return FieldChange(record.id, Field.POSE, record.pose, evidence.pose)


def _refuse(reason: str) -> Judgement:
    return Judgement(Verdict.REFUSED, reason)


_SAME_PLACE = Judgement(Verdict.MERGED, "same place: confidence, time and source are renewed")
