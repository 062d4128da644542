"""The entity record z = (c, p, q, σ, τ, o): one current record per entity (ADM-Planner, section IV-B)."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from backend.domain.geometry import Pose


class Source(StrEnum):
    """Who a belief comes from."""

    INITIAL = "initial"
    ONBOARD = "onboard"
    AERIAL = "aerial"
    OPERATOR = "operator"
    TRUTH = "truth"


REMOTE = frozenset({Source.AERIAL})
"""Sources whose reports must reach the acceptance threshold."""


class Status(StrEnum):
    """Task status σ. `assigned` is no stored status: it is derived from the current plan.

    `removed`: a person said that there is no such thing, or that it is one with another record.
    """

    OBSERVED = "observed"
    GRASPED = "grasped"
    DELIVERED = "delivered"
    RECONSIDER = "reconsider"
    LOST = "lost"
    REMOVED = "removed"


ACTIVE = frozenset({Status.OBSERVED, Status.RECONSIDER})
VERIFIED = frozenset({Status.GRASPED, Status.DELIVERED})
"""Reached by a verified skill outcome alone; no observation takes them back."""


class Field(StrEnum):
    """The mutable fields h of a record, by the paper's letters."""

    CLASS = "c"
    POSE = "p"
    CONFIDENCE = "q"
    STATUS = "σ"
    TIME = "τ"
    SOURCE = "o"


FIELD_NAME = {
    Field.CLASS: "class",
    Field.POSE: "pose",
    Field.CONFIDENCE: "confidence",
    Field.STATUS: "status",
    Field.TIME: "time",
    Field.SOURCE: "source",
}


class Word(Struct, frozen=True, kw_only=True):
    """What a person last said of a field, at mission time `met_s`, in event `seq`.

    It stands while the field has `version`, and so ends when something else changes the field. A `locked`
    field is changed by no report; only what the robot itself did and measured ends a lock.
    """

    field: Field
    by: str
    seq: int
    met_s: float
    version: int
    locked: bool = False
    reason: str = ""


class Dispute(Struct, frozen=True, kw_only=True):
    """A source says otherwise than a person did.

    `claim` is what it says of the field. `kept`: the person's word stands; else the report outweighed it.
    """

    field: Field
    by: str
    claim: Pose | str
    source: Source
    sensed_by: str
    seq: int
    met_s: float
    kept: bool


class EntityRecord(Struct, frozen=True, kw_only=True):
    """What is believed of one entity now.

    A field's version is the journal sequence number of its last change: `class_seq`, `pose_seq`,
    `status_seq`, and `belief_seq` for q, τ and o, which change together.
    `order` is the order of creation and breaks ties.
    `failed_pose`, `failed_s`: where and when it was looked for and not found; set while `status` is lost.
    `supported` is false while no evidence about the entity has been accepted.
    `words`: what people said of its fields; `disputes`: what sources said against it, one a field.
    `merged_into`: the record that what is reported of this one goes to.
    """

    id: str
    cls: str
    pose: Pose
    confidence: float
    status: Status
    stamp_s: float
    source: Source
    order: int
    class_seq: int
    pose_seq: int
    status_seq: int
    belief_seq: int
    failed_pose: Pose | None = None
    failed_s: float | None = None
    supported: bool = True
    words: tuple[Word, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    merged_into: str = ""

    def version(self, field: Field) -> int:
        if field is Field.POSE:
            return self.pose_seq
        if field is Field.STATUS:
            return self.status_seq
        if field is Field.CLASS:
            return self.class_seq
        return self.belief_seq

    @property
    def revision(self) -> int:
        """The version of all that a person may correct: class, pose, status, and what people said of it."""
        said = max((word.seq for word in self.words), default=0)
        return max(self.class_seq, self.pose_seq, self.status_seq, said)

    def word(self, field: Field) -> Word | None:
        """What a person said of the field, while nothing else has changed it since."""
        for word in self.words:
            if word.field is field and word.version == self.version(field):
                return word
        return None


class FieldChange(Struct, frozen=True):
    """One field of one entity took another value: an element of C (section IV-B)."""

    entity: str
    field: Field
    old: Pose | str | float | None
    new: Pose | str | float | None
