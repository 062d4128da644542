"""Whether a plan still stands: replan exactly when C ∩ D(P) ≠ ∅,
a skill failed, or there is no plan (section IV-B)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.record import FIELD_NAME, EntityRecord, Field, Source
from backend.domain.memory.store import Memory
from backend.domain.plans.plan import Dependency, Plan

CauseKind = Literal[
    "first", "completed", "changed", "failed", "rejected", "refused", "lapsed", "asked", "edited", "policy"
]


class Cause(Struct, frozen=True, kw_only=True):
    """Why a plan is asked for. `changed` names the field, its old and new value and who reported it."""

    kind: CauseKind
    message: str
    entity: str | None = None
    field: Field | None = None
    old: Pose | str | float | None = None
    new: Pose | str | float | None = None
    source: Source | None = None

    @property
    def is_replan(self) -> bool:
        """The first plan, and one after a plan that ran to its end, replace nothing."""
        return self.kind not in ("first", "completed")


def broken(
    plan: Plan, cursor: int, memory: Memory, excused: tuple[tuple[str, Field, int], ...], metric: Metric
) -> Cause | None:
    """The first element of C ∩ D(P) over the steps from `cursor` on, as the cause of a replan;
    None while the plan stands.

    A field belongs to C when its version passed the one the plan was made with, whatever its value is by now.
    `excused` holds the versions that the plan's own verified steps produced as predicted.
    """
    if memory.revision <= plan.based_on_seq:
        return None
    for dependency in plan.dependencies:
        if dependency.last_step < cursor:
            continue
        changed = _changed(dependency, memory, excused)
        if changed is not None:
            return _cause(dependency, changed, metric)
    return None


def _changed(
    dependency: Dependency, memory: Memory, excused: tuple[tuple[str, Field, int], ...]
) -> EntityRecord | None:
    if dependency.entity is None:
        own = any(version == memory.revision for _, _, version in excused)
        if memory.revision <= dependency.version or memory.changed_entity is None or own:
            return None
        return memory.records[memory.changed_entity]
    record = memory.records[dependency.entity]
    version = record.version(dependency.field)
    if version <= dependency.version or (record.id, dependency.field, version) in excused:
        return None
    return record


def _cause(dependency: Dependency, record: EntityRecord, metric: Metric) -> Cause:
    field = dependency.field
    if dependency.entity is None:
        found_again = record.pose_seq < record.status_seq
        return Cause(
            kind="changed",
            message=f"{record.id} was found again" if found_again else f"{record.id} became known or moved",
            entity=record.id,
            field=Field.STATUS if found_again else Field.POSE,
            new=record.status.value if found_again else record.pose,
            source=record.source,
        )
    new = record.pose if field is Field.POSE else record.status.value
    message = f"{FIELD_NAME[field]} of {record.id} changed"
    if dependency.expected is None:
        message += " while the plan was being made"
    elif isinstance(new, Pose) and isinstance(dependency.expected, Pose):
        message += f" {metric.distance_m(new, dependency.expected):.2f} m"
    else:
        message += f" from {dependency.expected} to {new}"
    return Cause(
        kind="changed",
        message=message,
        entity=record.id,
        field=field,
        old=dependency.expected,
        new=new,
        source=record.source,
    )
