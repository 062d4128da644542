"""The audit's lines about people's corrections of memory, and what sources say against them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backend.domain.episode import events as e
from backend.domain.geometry import Pose
from backend.domain.memory.corrections import Lock, Merge, Split, Unlock, kind_of
from backend.domain.memory.record import FIELD_NAME, Field, FieldChange
from backend.web.builders import words
from backend.web.builders.line import Line, mark
from backend.web.pages import figures

LASTING = (Field.CLASS, Field.POSE, Field.STATUS)
DONE = {
    "move": "Moved",
    "reclass": "Re-classed",
    "set_status": "Set status",
    "remove": "Removed",
    "add": "Added",
    "lock": "Locked",
    "unlock": "Unlocked",
    "merge": "Merged",
    "split": "Split",
    "undo": "Undid",
}
"""What a person did, in a word."""


def value(of: Pose | str | float | None) -> str:
    if isinstance(of, Pose):
        return words.place(of)
    if isinstance(of, float):
        return figures.share(of)
    return figures.NONE if of is None else of


def changed(change: FieldChange) -> str:
    old = f"{value(change.old)} → " if change.old is not None else ""
    return f"{FIELD_NAME[change.field]} {old}{value(change.new)}"


def what_of(event: e.RecordCorrected) -> str:
    """What was done beside the fields that it changed."""
    correction = event.correction
    if isinstance(correction, Lock | Unlock):
        return correction.field
    if isinstance(correction, Merge):
        return f"{correction.absorbed} into {correction.entity}"
    if isinstance(correction, Split):
        return f"{correction.entity} in two"
    if event.undoes is not None:
        return f"the correction of event {event.undoes}"
    lasting = [change for change in event.changes if change.field in LASTING]
    return "; ".join(map(changed, lasting)) or "as it was, confirmed"


def _corrected(event: e.RecordCorrected) -> Line:
    return Line(
        verdict=mark("ok", DONE[kind_of(event.correction)]),
        subject=", ".join(record.id for record in event.records),
        change=what_of(event),
        reason=event.reason or event.judged,
        actor=event.by,
    )


def _disputed(event: e.RecordDisputed) -> Line:
    kept = f"{event.by}’s word stands" if event.kept else f"it outweighs {event.by}’s word"
    return Line(
        verdict=mark("warn", "Disputes", "caution"),
        subject=f"{event.entity}.{FIELD_NAME[event.field]}",
        change=f"says {value(event.claim)}",
        reason=f"{kept}: {event.reason}",
        actor=event.sensed_by or words.SOURCE[event.source],
    )


def _settled(event: e.RecordSettled) -> Line:
    return Line(
        verdict=mark("ok", "Settled"),
        subject=f"{event.entity}.{FIELD_NAME[event.field]}",
        reason=event.reason,
    )


MEMORY_LINES: Mapping[type, Callable[[Any], Line]] = {
    e.RecordCorrected: _corrected,
    e.RecordDisputed: _disputed,
    e.RecordSettled: _settled,
}
