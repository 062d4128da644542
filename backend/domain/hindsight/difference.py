"""What a record said against what is known now of that moment, and the difference by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from msgspec import Struct

from backend.domain.geometry import Metric, Pose
from backend.domain.hindsight.known import Hindsight, Known
from backend.domain.hindsight.truth import Condition
from backend.domain.memory.record import ACTIVE, Field, Status

DifferenceKind = Literal["wrong_pose", "wrong_status", "wrong_class", "not_yet_known", "false_record"]

FIELD_OF: Mapping[DifferenceKind, Field] = {
    "wrong_pose": Field.POSE,
    "wrong_status": Field.STATUS,
    "wrong_class": Field.CLASS,
    "not_yet_known": Field.POSE,
    "false_record": Field.STATUS,
}
CONDITION: Mapping[Status, Condition] = {Status.GRASPED: "held", Status.DELIVERED: "delivered"}
"""What a verified status says of where the thing is."""


class Held(Protocol):
    """What is compared: a record, or a belief that was gathered."""

    @property
    def cls(self) -> str: ...
    @property
    def pose(self) -> Pose: ...
    @property
    def status(self) -> Status: ...
    @property
    def supported(self) -> bool: ...


class Difference(Struct, frozen=True, kw_only=True):
    """`distance_m`: between the two places, where both are known. `is_certain` False: it moved between two
    sightings, and may not have yet."""

    kind: DifferenceKind
    distance_m: float | None = None
    is_certain: bool = True


class Compared(Struct, frozen=True, kw_only=True):
    """One entity at one moment. `known` None: nothing is known of it now beyond its record."""

    entity: str
    known: Known | None
    differences: tuple[Difference, ...] = ()


def compare(
    records: Mapping[str, Held], hindsight: Hindsight, met_s: float, metric: Metric
) -> list[Compared]:
    """Records as they were at mission time `met_s`, in their order, then what none of them was about."""
    found = [
        Compared(
            entity=entity,
            known=(known := hindsight.at(entity, met_s)),
            differences=differences(record, known, hindsight, metric),
        )
        for entity, record in records.items()
    ]
    for entity in hindsight.courses:
        known = hindsight.at(entity, met_s)
        if entity not in records and known is not None and known.condition == "floor":
            missing = Difference(kind="not_yet_known", is_certain=known.from_s <= met_s)
            found.append(Compared(entity=entity, known=known, differences=(missing,)))
    return found


def differences(
    record: Held, known: Known | None, hindsight: Hindsight, metric: Metric
) -> tuple[Difference, ...]:
    if known is None:
        is_false = hindsight.has_truth and record.status is not Status.REMOVED
        return (Difference(kind="false_record"),) if is_false else ()
    if known.condition == "gone":
        return () if record.status is Status.REMOVED else (Difference(kind="false_record"),)
    if not record.supported:
        return (Difference(kind="not_yet_known"),) if known.condition == "floor" else ()
    found = [_of_status(record, known, metric), _of_pose(record, known, metric)]
    if record.cls != known.cls:
        found.append(Difference(kind="wrong_class"))
    return tuple(each for each in found if each is not None)


def _of_status(record: Held, known: Known, metric: Metric) -> Difference | None:
    expected = CONDITION.get(record.status)
    if expected is not None or known.condition != "floor":
        is_right = expected == known.condition or (record.status is Status.REMOVED and expected is None)
        return None if is_right else Difference(kind="wrong_status")
    if record.status is Status.REMOVED:
        return Difference(kind="wrong_status")
    if record.status is Status.LOST and known.pose is not None:
        distance_m = metric.distance_m(record.pose, known.pose)
        there = metric.same_place(record.pose, known.pose)
        return Difference(
            kind="wrong_status" if there else "not_yet_known", distance_m=distance_m, is_certain=True
        )
    return None


def _of_pose(record: Held, known: Known, metric: Metric) -> Difference | None:
    if record.status not in ACTIVE or known.condition != "floor":
        return None
    may_be_right = known.before is not None and metric.same_place(record.pose, known.before)
    if known.pose is None:
        return Difference(kind="wrong_pose", is_certain=not may_be_right)
    if metric.same_place(record.pose, known.pose):
        return None
    distance_m = metric.distance_m(record.pose, known.pose)
    return Difference(kind="wrong_pose", distance_m=distance_m, is_certain=not may_be_right)
