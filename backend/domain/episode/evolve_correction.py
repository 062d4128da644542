"""The fold of a person's corrections and of what sources say against them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backend.domain.episode.events import RecordCorrected, RecordDisputed, Recorded, RecordSettled
from backend.domain.episode.state import State
from backend.domain.memory.corrected import KEPT, Corrected
from backend.domain.memory.corrections import kind_of
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import Dispute, EntityRecord, Field, Status
from backend.domain.memory.reports import Report
from backend.domain.memory.store import Memory

BELIEF = (Field.CLASS, Field.POSE, Field.CONFIDENCE, Field.TIME, Field.SOURCE)


def record_corrected(state: State, event: RecordCorrected, recorded: Recorded) -> dict[str, Any]:
    before = state.memory.records
    entry = Corrected(
        seq=recorded.seq,
        met_s=recorded.met_s,
        by=event.by,
        what=kind_of(event.correction),
        before=tuple(before[record.id] for record in event.records if record.id in before),
        after=event.records,
        origin=event.origin,
    )
    entries = (
        replace(each, undone_by=recorded.seq) if each.seq == event.undoes else each
        for each in state.corrections
    )
    return {
        "memory": _corrected(state, event, recorded.seq),
        "delivered": _delivered(state.delivered, event),
        "corrections": (*entries, entry)[-KEPT:],
    }


def _corrected(state: State, event: RecordCorrected, seq: int) -> Memory:
    """A memory that shows all reports shows each record's new belief as one: of an entity the last counts."""
    memory, claims, reports = state.memory, _claims(event), state.memory.reports
    if state.mission.memory.entities == "unfiltered":
        for claim in claims:
            reports = reports.followed_by(claim)
    corrected = replace(
        memory,
        records={**memory.records, **{record.id: record for record in event.records}},
        history=memory.history + len(claims),
        reports=reports,
    )
    moved = [change.entity for change in event.changes if change.field in (Field.POSE, Field.STATUS)]
    return replace(corrected, revision=seq, changed_entity=moved[-1]) if moved else corrected


def _claims(event: RecordCorrected) -> tuple[Report, ...]:
    """What is believed from now on of each record whose belief was corrected, as a report of it."""
    told = {change.entity for change in event.changes if change.field in BELIEF}
    return tuple(
        Report(
            record.id,
            Evidence(
                cls=record.cls,
                pose=record.pose,
                confidence=record.confidence,
                source=record.source,
                stamp_s=record.stamp_s,
                entity=record.id,
                sensed_by=event.by,
            ),
        )
        for record in event.records
        if record.id in told
    )


def _delivered(delivered: Any, event: RecordCorrected) -> dict[str, str]:
    now = dict(delivered)
    for record in event.records:
        if record.status is not Status.DELIVERED:
            now.pop(record.id, None)
        elif event.station:
            now[record.id] = event.station
    return now


def record_disputed(state: State, event: RecordDisputed, recorded: Recorded) -> dict[str, Any]:
    dispute = Dispute(
        field=event.field,
        by=event.by,
        claim=event.claim,
        source=event.source,
        sensed_by=event.sensed_by,
        seq=recorded.seq,
        met_s=recorded.met_s,
        kept=event.kept,
    )
    record = state.memory.records[event.entity]
    return _with(state, replace(record, disputes=(*_others(record, event.field), dispute)))


def record_settled(state: State, event: RecordSettled, recorded: Recorded) -> dict[str, Any]:
    record = state.memory.records[event.entity]
    return _with(state, replace(record, disputes=_others(record, event.field)))


def _others(record: EntityRecord, field: Field) -> tuple[Dispute, ...]:
    return tuple(each for each in record.disputes if each.field is not field)


def _with(state: State, record: EntityRecord) -> dict[str, Any]:
    records = {**state.memory.records, record.id: record}
    return {"memory": replace(state.memory, records=records)}
