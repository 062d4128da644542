"""A record as a person's word leaves it: values, versions, the word itself, and the disputes that it ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import EntityRecord, Field, FieldChange, Source, Status, Word

VALUES: Mapping[Field, str] = {
    Field.CLASS: "cls",
    Field.POSE: "pose",
    Field.STATUS: "status",
    Field.CONFIDENCE: "confidence",
    Field.TIME: "stamp_s",
    Field.SOURCE: "source",
}
VERSIONS: Mapping[Field, str] = {
    Field.CLASS: "class_seq",
    Field.POSE: "pose_seq",
    Field.STATUS: "status_seq",
    Field.CONFIDENCE: "belief_seq",
    Field.TIME: "belief_seq",
    Field.SOURCE: "belief_seq",
}


class Author(Struct, frozen=True, kw_only=True):
    """Who corrects, at mission time `met_s`, in the event that will be `seq`."""

    by: str
    met_s: float
    seq: int
    reason: str = ""


class Revision(Struct, frozen=True, kw_only=True):
    """`records` as they are from now on. `evidence`: what was said of a place or class, source operator.

    `station`: where something was delivered by hand. `origin`: what a new record was split from.
    `undoes`: the correction that is taken back.
    """

    records: tuple[EntityRecord, ...]
    changes: tuple[FieldChange, ...]
    reason: str
    evidence: Evidence | None = None
    station: str = ""
    origin: str = ""
    undoes: int | None = None


def rewritten(
    record: EntityRecord, author: Author, values: Mapping[Field, Any], *, lock: bool = False
) -> EntityRecord:
    """`values`: what is said of class, pose or status; saying what is so already gives it no new version.

    A lock that was there stays.
    """
    changes: dict[str, Any] = {}
    for field, value in values.items():
        if getattr(record, VALUES[field]) != value:
            changes[VALUES[field]], changes[VERSIONS[field]] = value, author.seq
    if "status" in changes:
        lost = values[Field.STATUS] is Status.LOST
        changes["failed_pose"] = record.pose if lost else None
        changes["failed_s"] = author.met_s if lost else None
    heard = record.supported or Field.POSE in values
    said = replace(record, supported=heard, **changes)
    locks = {field: lock or is_locked(record, field) for field in values}
    return replace(
        said,
        words=(
            *(word for word in record.words if word.field not in values),
            *(word_on(said, field, author, locked) for field, locked in locks.items()),
        ),
        disputes=tuple(dispute for dispute in record.disputes if dispute.field not in values),
    )


def believed(record: EntityRecord, author: Author, confidence: float) -> EntityRecord:
    """The person's own belief: their confidence, now, source operator."""
    return replace(
        record,
        confidence=confidence,
        stamp_s=author.met_s,
        source=Source.OPERATOR,
        belief_seq=author.seq,
        supported=True,
    )


def new_record(
    entity: str, cls: str, pose: Pose, confidence: float, order: int, author: Author, *, lock: bool = False
) -> EntityRecord:
    seq = author.seq
    record = EntityRecord(
        id=entity,
        cls=cls,
        pose=pose,
        confidence=confidence,
        status=Status.OBSERVED,
        stamp_s=author.met_s,
        source=Source.OPERATOR,
        order=order,
        class_seq=seq,
        pose_seq=seq,
        status_seq=seq,
        belief_seq=seq,
    )
    words = (word_on(record, Field.CLASS, author, False), word_on(record, Field.POSE, author, lock))
    return replace(record, words=words)


def word_on(record: EntityRecord, field: Field, author: Author, locked: bool) -> Word:
    return Word(
        field=field,
        by=author.by,
        seq=author.seq,
        met_s=author.met_s,
        version=record.version(field),
        locked=locked,
        reason=author.reason,
    )


def is_locked(record: EntityRecord, field: Field) -> bool:
    word = record.word(field)
    return word is not None and word.locked


def changed_fields(before: EntityRecord | None, after: EntityRecord) -> tuple[FieldChange, ...]:
    """Every field that took another value, for the audit and for C."""
    return tuple(
        FieldChange(after.id, field, None if before is None else plain(before, field), plain(after, field))
        for field in VALUES
        if before is None or getattr(before, VALUES[field]) != getattr(after, VALUES[field])
    )


def plain(record: EntityRecord, field: Field) -> Pose | str | float | None:
    """A field's value as a change says it."""
    value: Pose | str | float | None = getattr(record, VALUES[field])
    return str(value) if isinstance(value, Status | Source) else value
