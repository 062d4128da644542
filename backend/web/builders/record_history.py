"""What changed one record, read from the journal: which field, from what to what, by whom, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from backend.domain.episode import events as e
from backend.domain.memory.corrections import kind_of
from backend.domain.memory.record import FIELD_NAME, Field, FieldChange
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.memory_lines import DONE, LASTING, value, what_of
from backend.web.pages import figures
from backend.web.pages.record import HistoryRow

KINDS = ("evidence.judged", "record.corrected", "record.disputed", "record.settled", "step.ended")


def changes_of(entry: Entry, entity: str) -> bool:
    """Whether the event changed the record, or says something against a person's word on it."""
    return next(_told(entry.recorded.event, entity), None) is not None


def history_of(entries: Sequence[Entry], entity: str) -> tuple[HistoryRow, ...]:
    """`entries` in order; the rows the newest first."""
    return tuple(
        _row(entry, *line) for entry in reversed(entries) for line in _told(entry.recorded.event, entity)
    )


Line = tuple[str, str, str, str, bool]
"""Field, change, who, why, and whether it is a dispute."""


def _told(event: Any, entity: str) -> Iterator[Line]:
    if isinstance(event, e.EvidenceJudged) and event.entity == entity:
        by = event.evidence.sensed_by or words.SOURCE[event.evidence.source]
        yield from (_line(change, by, event.reason) for change in event.changes)
    elif isinstance(event, e.StepEnded):
        why = event.outcome.message or f"{event.outcome.skill} {event.outcome.result.value}"
        yield from (_line(change, "measured", why) for change in event.changes if change.entity == entity)
    elif isinstance(event, e.RecordCorrected) and entity in {record.id for record in event.records}:
        yield from _corrected(event, entity)
    elif isinstance(event, e.RecordDisputed) and event.entity == entity:
        by = event.sensed_by or words.SOURCE[event.source]
        yield _name(event.field), f"says {value(event.claim)}", by, event.reason, True
    elif isinstance(event, e.RecordSettled) and event.entity == entity:
        yield _name(event.field), "agrees again", "", event.reason, False


def _corrected(event: e.RecordCorrected, entity: str) -> Iterator[Line]:
    why = event.reason or event.judged
    lasting = [each for each in event.changes if each.entity == entity and each.field in LASTING]
    yield from (_line(change, event.by, why) for change in lasting)
    if not lasting:
        yield "", f"{DONE[kind_of(event.correction)]}: {what_of(event)}", event.by, why, False


def _line(change: FieldChange, by: str, why: str) -> Line:
    old = f"{value(change.old)} → " if change.old is not None else ""
    return _name(change.field), f"{old}{value(change.new)}", by, why, False


def _name(field: Field) -> str:
    return FIELD_NAME[field].capitalize()


def _row(entry: Entry, field: str, change: str, by: str, why: str, is_dispute: bool) -> HistoryRow:
    recorded = entry.recorded
    return HistoryRow(
        seq=recorded.seq,
        seq_text=figures.count(recorded.seq),
        met=figures.met(recorded.met_s),
        field=field,
        change=change,
        by=by,
        why=words.sentence(why)[:-1],
        icon="warn" if is_dispute else "ok",
        tone="caution" if is_dispute else "quiet",
    )
