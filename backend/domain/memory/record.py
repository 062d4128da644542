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
    """Task status σ. `assigned` is no stored status: it is derived from the current plan."""

    OBSERVED = "observed"
    GRASPED = "grasped"
    DELIVERED = "delivered"
    RECONSIDER = "reconsider"
    LOST = "lost"


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


class EntityRecord(Struct, frozen=True, kw_only=True):
    """What is believed of one entity now.

    A field's version is the journal sequence number of its last change: `class_seq`, `pose_seq`,
    `status_seq`, and `belief_seq` for q, τ and o, which change together.
    `order` is the order of creation and breaks ties.
    `failed_pose`, `failed_s`: where and when it was looked for and not found; set while `status` is lost.
    `supported` is false while no evidence about the entity has been accepted.
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

    def version(self, field: Field) -> int:
        if field is Field.POSE:
            return self.pose_seq
        if field is Field.STATUS:
            return self.status_seq
        if field is Field.CLASS:
            return self.class_seq
        return self.belief_seq


class FieldChange(Struct, frozen=True):
    """One field of one entity took another value: an element of C (section IV-B)."""

    entity: str
    field: Field
    old: Pose | str | float | None
    new: Pose | str | float | None
