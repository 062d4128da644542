"""The memory's part of the fold: records after judged evidence and after a measured outcome."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backend.domain.episode.events import EvidenceJudged, StepEnded
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence, Verdict
from backend.domain.memory.record import EntityRecord, Field, FieldChange, Status
from backend.domain.memory.reports import Report, Reports
from backend.domain.memory.store import Memory


def after_evidence(memory: Memory, event: EvidenceJudged, seq: int, *, keeps_reports: bool = False) -> Memory:
    """Accepted and merged evidence renews q, τ and o; `changes` carry the rest. Refused evidence leaves no
    trace but a count, or an unsupported record where nothing was known."""
    history = memory.history + event.times
    reports = _reported(memory, event) if keeps_reports else memory.reports
    record = memory.records.get(event.entity)
    if event.verdict is Verdict.REFUSED:
        if not event.unsupported:
            return replace(memory, history=history, reports=reports)
        order = record.order if record is not None else len(memory.records)
        unsupported = _new(event.entity, event.evidence, order, seq, supported=False)
        return _with(memory, unsupported, history, reports, None)
    if record is None or not record.supported:
        order = record.order if record is not None else len(memory.records)
        first = _new(event.entity, event.evidence, order, seq, supported=True)
        return _with(memory, first, history, reports, seq)
    evidence = event.evidence
    renewed = replace(
        record,
        confidence=evidence.confidence,
        stamp_s=evidence.stamp_s,
        source=evidence.source,
        belief_seq=seq,
        **_changed(event.changes, seq),
    )
    return _with(memory, renewed, history, reports, seq if event.changes else None)


def _reported(memory: Memory, event: EvidenceJudged) -> Reports:
    refused = event.verdict is Verdict.REFUSED
    return memory.reports.followed_by(Report(event.entity, event.evidence, refused, event.times))


def _changed(changes: tuple[FieldChange, ...], seq: int) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for change in changes:
        if change.field is Field.POSE:
            values["pose"], values["pose_seq"] = change.new, seq
        elif change.field is Field.STATUS:
            values["status"], values["status_seq"] = Status(str(change.new)), seq
            values["failed_pose"] = values["failed_s"] = None
    return values


def after_outcome(memory: Memory, event: StepEnded, seq: int) -> Memory:
    """A measured outcome advances status;
    what was looked for and absent is lost, with the place and time of the look."""
    records = dict(memory.records)
    for change in event.changes:
        record = records[change.entity]
        if change.field is Field.STATUS:
            advanced = _advanced(record, Status(str(change.new)), event, seq)
            records[change.entity] = _measured(advanced, change.field)
        elif change.field is Field.POSE and isinstance(change.new, Pose):
            records[change.entity] = _measured(replace(record, pose=change.new, pose_seq=seq), change.field)
    last = event.changes[-1].entity
    return replace(memory, records=records, revision=seq, changed_entity=last)


def _measured(record: EntityRecord, field: Field) -> EntityRecord:
    """What the robot measured ends what people and sources said of the field."""
    if not record.disputes:
        return record
    return replace(record, disputes=tuple(each for each in record.disputes if each.field is not field))


def _advanced(record: EntityRecord, status: Status, event: StepEnded, seq: int) -> EntityRecord:
    if status is not Status.LOST:
        return replace(record, status=status, status_seq=seq)
    return replace(
        record,
        status=status,
        status_seq=seq,
        failed_pose=event.outcome.measured.pose or record.pose,
        failed_s=event.outcome.started_s,
    )


def _new(entity: str, evidence: Evidence, order: int, seq: int, *, supported: bool) -> EntityRecord:
    return EntityRecord(
        id=entity,
        cls=evidence.cls,
        pose=evidence.pose,
        confidence=evidence.confidence,
        status=Status.OBSERVED,
        stamp_s=evidence.stamp_s,
        source=evidence.source,
        order=order,
        class_seq=seq,
        pose_seq=seq,
        status_seq=seq,
        belief_seq=seq,
        supported=supported,
    )


def _with(
    memory: Memory, record: EntityRecord, history: int, reports: Reports, revision: int | None
) -> Memory:
    records = {**memory.records, record.id: record}
    if revision is None:
        return replace(memory, records=records, history=history, reports=reports)
    return Memory(
        records=records, history=history, revision=revision, changed_entity=record.id, reports=reports
    )
