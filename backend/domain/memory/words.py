"""A person's word against a report: what it keeps out, and where the two disagree.

A word is not the truth either. What contradicts it is kept, refused or not, and shown as a dispute until
somebody has looked.
"""

from __future__ import annotations

from msgspec import Struct

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.evidence import Evidence, Judgement, Verdict
from backend.domain.memory.record import (
    FIELD_NAME,
    VERIFIED,
    Dispute,
    EntityRecord,
    Field,
    FieldChange,
    Status,
    Word,
)


class Contradiction(Struct, frozen=True):
    """A report against a standing word: the field, what is claimed of it, and whether the word was kept."""

    word: Word
    claim: Pose | str
    kept: bool


def refuse_against_word(
    record: EntityRecord, evidence: Evidence, changes: tuple[FieldChange, ...]
) -> str | None:
    """Why a report may not do this to the record: a locked field moves by none, nor does what was removed
    come back."""
    if record.status is Status.REMOVED:
        word = record.word(Field.STATUS)
        return f"removed by {word.by if word is not None else 'a person'}: only a person brings it back"
    for change in changes:
        word = record.word(change.field)
        if word is not None and word.locked:
            return f"{FIELD_NAME[change.field]} is locked by {word.by}"
    word = record.word(Field.CLASS)
    if word is not None and word.locked and evidence.cls != record.cls:
        return f"class is locked by {word.by}"
    return None


def contradiction(
    record: EntityRecord, evidence: Evidence, judgement: Judgement, metric: Metric
) -> Contradiction | None:
    """What the report says against a person's standing word, the gravest first; None where it does not.

    What was seen before the word was said contradicts nothing, what is too weak to count says nothing, and
    what the robot measured is beyond dispute.
    """
    if judgement.too_weak or (record.status in VERIFIED and record.word(Field.STATUS) is None):
        return None
    refused = judgement.verdict is Verdict.REFUSED
    status = _standing(record, Field.STATUS, evidence)
    is_gone = record.status is Status.REMOVED or (
        record.status is Status.LOST and not _disproved(record, evidence, metric)
    )
    if status is not None and is_gone:
        return Contradiction(status, Status.OBSERVED.value, refused)
    cls = _standing(record, Field.CLASS, evidence)
    if cls is not None and evidence.cls != record.cls:
        return Contradiction(cls, evidence.cls, True)
    pose = _standing(record, Field.POSE, evidence)
    if pose is not None and not metric.same_place(evidence.pose, record.pose):
        return Contradiction(pose, evidence.pose, refused)
    return None


def _standing(record: EntityRecord, field: Field, evidence: Evidence) -> Word | None:
    word = record.word(field)
    return word if word is not None and evidence.stamp_s >= word.met_s else None


def _disproved(record: EntityRecord, evidence: Evidence, metric: Metric) -> bool:
    """It only repeats what a look found wrong."""
    if record.failed_pose is None or record.failed_s is None:
        return False
    return metric.same_place(evidence.pose, record.failed_pose) and evidence.stamp_s <= record.failed_s


def is_known(record: EntityRecord, found: Contradiction, evidence: Evidence, metric: Metric) -> bool:
    """Whether the same source has been heard to say just that already."""
    open_one = dispute_over(record, found.word.field)
    if open_one is None or (open_one.source, open_one.kept) != (evidence.source, found.kept):
        return False
    if isinstance(open_one.claim, Pose) and isinstance(found.claim, Pose):
        return metric.same_place(open_one.claim, found.claim)
    return open_one.claim == found.claim


def agreed(record: EntityRecord, evidence: Evidence, judgement: Judgement, metric: Metric) -> Dispute | None:
    """The open dispute that its own source has ended, by saying what the record says."""
    if judgement.verdict is Verdict.REFUSED or record.status in VERIFIED:
        return None
    for dispute in record.disputes:
        if dispute.source is not evidence.source or not dispute.kept:
            continue
        if dispute.field is Field.POSE and metric.same_place(evidence.pose, record.pose):
            return dispute
        if dispute.field is Field.CLASS and evidence.cls == record.cls:
            return dispute
    return None


def dispute_over(record: EntityRecord, field: Field) -> Dispute | None:
    return next((each for each in record.disputes if each.field is field), None)


def is_disputed(record: EntityRecord) -> bool:
    """Whether a source says otherwise than a person did, whichever of the two is believed."""
    return bool(record.disputes)
