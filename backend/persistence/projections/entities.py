"""Current records, and every judgement and outcome that touched one, with its reason."""

from __future__ import annotations

from collections.abc import Iterator

from backend.domain.episode.events import (
    EvidenceJudged,
    RecordCorrected,
    RecordDisputed,
    RecordSettled,
    StepEnded,
)
from backend.domain.memory.record import FIELD_NAME, EntityRecord, FieldChange, Source
from backend.persistence.codec import json_text
from backend.persistence.projections.row import Passage, Row, Values, row
from backend.persistence.tables.memory import entity_audit, entity_records


def rows(passage: Passage) -> Iterator[Row]:
    yield from _records(passage)
    event = passage.recorded.event
    if isinstance(event, EvidenceJudged):
        evidence = event.evidence
        yield from _audit(
            passage,
            event.changes,
            {
                "entity": event.entity,
                "verdict": event.verdict.value,
                "reason": event.reason,
                "source": evidence.source.value,
                "sensed_by": evidence.sensed_by,
                "stamp_s": evidence.stamp_s,
                "confidence": evidence.confidence,
                "times": event.times,
            },
        )
    elif isinstance(event, RecordCorrected):
        yield from _audit(passage, event.changes, _said(event))
    elif isinstance(event, RecordDisputed | RecordSettled):
        yield from _audit(passage, (), _disputed(passage, event))
    elif isinstance(event, StepEnded) and event.changes:
        yield from _audit(
            passage,
            event.changes,
            {
                "entity": event.changes[0].entity,
                "verdict": "outcome",
                "reason": event.outcome.message,
                "source": None,
                "sensed_by": None,
                "stamp_s": event.outcome.ended_s,
                "confidence": None,
                "times": 1,
            },
        )


def _said(event: RecordCorrected) -> Values:
    """A person's word; of a lock, which changes no value, the record it is on."""
    evidence = event.evidence
    return {
        "entity": event.records[0].id,
        "verdict": "corrected",
        "reason": event.reason or event.judged,
        "source": Source.OPERATOR.value,
        "sensed_by": event.by,
        "stamp_s": None if evidence is None else evidence.stamp_s,
        "confidence": None if evidence is None else evidence.confidence,
        "times": 1,
    }


def _disputed(passage: Passage, event: RecordDisputed | RecordSettled) -> Values:
    """What a source says against a person's word, and that it no longer does."""
    against = event if isinstance(event, RecordDisputed) else None
    return {
        "entity": event.entity,
        "verdict": "settled" if against is None else "disputed",
        "reason": event.reason,
        "source": None if against is None else against.source.value,
        "sensed_by": None if against is None else against.sensed_by,
        "stamp_s": passage.recorded.met_s,
        "confidence": None,
        "times": 1,
    }


def _records(passage: Passage) -> Iterator[Row]:
    """The records that this event made another value of; untouched ones are the same object."""
    now = passage.after.memory.records
    before = passage.before.memory.records if passage.before is not None else {}
    if now is before:
        return
    for entity, record in now.items():
        if before.get(entity) is not record:
            yield row(entity_records, _record(passage.episode, record))


def _record(episode: str, record: EntityRecord) -> Values:
    return {
        "episode": episode,
        "entity": record.id,
        "created_order": record.order,
        "cls": record.cls,
        "x_m": record.pose.x_m,
        "y_m": record.pose.y_m,
        "yaw_rad": record.pose.yaw_rad,
        "frame_id": record.pose.frame_id,
        "confidence": record.confidence,
        "status": record.status.value,
        "stamp_s": record.stamp_s,
        "source": record.source.value,
        "class_seq": record.class_seq,
        "pose_seq": record.pose_seq,
        "status_seq": record.status_seq,
        "belief_seq": record.belief_seq,
        "failed_pose": None if record.failed_pose is None else json_text(record.failed_pose),
        "failed_s": record.failed_s,
        "supported": record.supported,
    }


def _audit(passage: Passage, changes: tuple[FieldChange, ...], common: Values) -> Iterator[Row]:
    common = {**passage.anchor, "actor": passage.recorded.actor, **common}
    if not changes:
        yield row(entity_audit, {**common, "n": 0, "field": None, "old": None, "new": None})
    for n, change in enumerate(changes):
        changed = {
            "n": n,
            "entity": change.entity,
            "field": FIELD_NAME[change.field],
            "old": json_text(change.old),
            "new": json_text(change.new),
        }
        yield row(entity_audit, {**common, **changed})
