"""Whether a plan still stands: C ∩ D(P), its cause to the field, and what is excused."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.record import EntityRecord, Field, Source, Status
from backend.domain.memory.store import Memory
from backend.domain.plans.dependencies import dependencies
from backend.domain.plans.plan import Plan, Step, digest_of_steps
from backend.domain.plans.validity import Cause, broken
from tests.domain.memory.test_arbitration import KNOWN
from tests.domain.scripted import collect, step

ASKED_AT = 10
CAN = replace(KNOWN, id="can_1")
OTHER = replace(KNOWN, id="can_2", order=1)
SEARCH = (step("explore", cell=(1.0, 1.0)),)


def plan(steps: tuple[Step, ...], records: tuple[EntityRecord, ...] = (CAN, OTHER)) -> Plan:
    return Plan(
        number=1,
        author="policy",
        steps=steps,
        rationale="",
        digest=digest_of_steps(steps),
        based_on_seq=ASKED_AT,
        dependencies=dependencies(steps, memory(*records), ASKED_AT),
        target="can_1",
    )


def memory(*records: EntityRecord, changed: str | None = None, at: int = 0) -> Memory:
    return Memory(records={r.id: r for r in records}, revision=at, changed_entity=changed)


def why(
    steps: tuple[Step, ...], now: Memory, cursor: int = 0, excused: tuple[tuple[str, Field, int], ...] = ()
) -> Cause | None:
    return broken(plan(steps), cursor, now, excused, Metric("euclidean", 1.0, 0.05))


MOVED = replace(CAN, pose=Pose(6.0, 8.0), pose_seq=12, source=Source.ONBOARD)
OTHER_MOVED = replace(OTHER, pose=Pose(6.0, 8.0), pose_seq=12)
GRASPED = replace(CAN, status=Status.GRASPED, status_seq=12)
NEW = replace(KNOWN, id="can_3", pose_seq=12, status_seq=12)
FOUND = replace(OTHER, status_seq=12)

STANDS = {
    "nothing changed": (collect("can_1"), memory(CAN, OTHER), 0, ()),
    "an unrelated record moved": (collect("can_1"), memory(CAN, OTHER_MOVED, changed="can_2", at=12), 0, ()),
    "an unrelated record is new": (collect("can_1"), memory(CAN, OTHER, NEW, changed="can_3", at=12), 0, ()),
    "seen again, surer and later": (
        collect("can_1"),
        memory(replace(CAN, confidence=1.0, stamp_s=99.0, belief_seq=12), OTHER),
        0,
        (),
    ),
    "the target moved after it was needed": (
        collect("can_1"),
        memory(MOVED, OTHER, changed="can_1", at=12),
        3,
        (),
    ),
    "grasped as predicted": (
        collect("can_1"),
        memory(GRASPED, OTHER, changed="can_1", at=12),
        0,
        (("can_1", Field.STATUS, 12),),
    ),
    "searching, and the search's plan did it itself": (
        SEARCH,
        memory(GRASPED, OTHER, changed="can_1", at=12),
        0,
        (("can_1", Field.STATUS, 12),),
    ),
    "searching, all known before": (SEARCH, memory(CAN, OTHER, changed="can_2", at=9), 0, ()),
    "a delivery needs nothing": (collect("can_1")[3:], memory(MOVED, OTHER, changed="can_1", at=12), 0, ()),
}


@pytest.mark.parametrize(("steps", "now", "cursor", "excused"), STANDS.values(), ids=STANDS.keys())
def test_the_plan_stands(
    steps: tuple[Step, ...], now: Memory, cursor: int, excused: tuple[tuple[str, Field, int], ...]
) -> None:
    assert why(steps, now, cursor, excused) is None


BREAKS = {
    "the target moved": (
        collect("can_1"),
        memory(MOVED, OTHER, changed="can_1", at=12),
        "pose of can_1 changed 5.00 m",
        "can_1",
        Field.POSE,
        Pose(3, 4),
        Pose(6, 8),
        Source.ONBOARD,
    ),
    "the target moved and moved back": (
        collect("can_1"),
        memory(replace(CAN, pose_seq=12), OTHER, changed="can_1", at=12),
        "pose of can_1 changed 0.00 m",
        "can_1",
        Field.POSE,
        Pose(3, 4),
        Pose(3, 4),
        Source.AERIAL,
    ),
    "the target's status changed": (
        collect("can_1"),
        memory(replace(CAN, status=Status.LOST, status_seq=12), OTHER, changed="can_1", at=12),
        "status of can_1 changed from observed to lost",
        "can_1",
        Field.STATUS,
        "observed",
        "lost",
        Source.AERIAL,
    ),
    "searching, and one is new": (
        SEARCH,
        memory(CAN, OTHER, NEW, changed="can_3", at=12),
        "can_3 became known or moved",
        "can_3",
        Field.POSE,
        None,
        Pose(3, 4),
        Source.AERIAL,
    ),
    "searching, and one is found again": (
        SEARCH,
        memory(CAN, FOUND, changed="can_2", at=12),
        "can_2 was found again",
        "can_2",
        Field.STATUS,
        None,
        "observed",
        Source.AERIAL,
    ),
    "searching, and one moved": (
        SEARCH,
        memory(CAN, OTHER_MOVED, changed="can_2", at=12),
        "can_2 became known or moved",
        "can_2",
        Field.POSE,
        None,
        Pose(6, 8),
        Source.AERIAL,
    ),
}


@pytest.mark.parametrize(
    ("steps", "now", "message", "entity", "field", "old", "new", "source"), BREAKS.values(), ids=BREAKS.keys()
)
def test_the_plan_breaks_and_says_why(
    steps: tuple[Step, ...],
    now: Memory,
    message: str,
    entity: str,
    field: Field,
    old: object,
    new: object,
    source: Source,
) -> None:
    cause = why(steps, now)

    assert cause == Cause(
        kind="changed", message=message, entity=entity, field=field, old=old, new=new, source=source
    )
    assert cause.is_replan


def test_an_effect_of_its_own_does_not_excuse_another_change_of_the_field() -> None:
    lost_after = replace(CAN, status=Status.LOST, status_seq=14)

    assert why(
        collect("can_1"), memory(lost_after, OTHER, changed="can_1", at=14), 0, (("can_1", Field.STATUS, 12),)
    )


def test_what_changed_while_the_plan_was_being_made_counts_against_it() -> None:
    late = plan(collect("can_1"), (MOVED, OTHER))

    cause = broken(late, 0, memory(MOVED, OTHER, changed="can_1", at=12), (), Metric())

    assert cause is not None
    assert (cause.message, cause.old, cause.new) == (
        "pose of can_1 changed while the plan was being made",
        None,
        Pose(6, 8),
    )


@pytest.mark.parametrize(
    ("kind", "is_replan"),
    [
        ("first", False),
        ("completed", False),
        ("changed", True),
        ("failed", True),
        ("stopped", True),
        ("rejected", True),
        ("refused", True),
        ("expired", True),
        ("lapsed", True),
        ("asked", True),
    ],
)
def test_the_first_plan_and_one_after_a_plan_that_ran_to_its_end_replace_nothing(
    kind: str, is_replan: bool
) -> None:
    assert Cause(kind=kind, message="").is_replan is is_replan  # type: ignore[arg-type]
