"""D(P): which fields each skill rests on, how long, and in which version."""

import pytest
from msgspec.structs import replace

from backend.domain.geometry import Pose
from backend.domain.memory.record import EntityRecord, Field, Status
from backend.domain.memory.store import Memory
from backend.domain.plans.dependencies import dependencies
from backend.domain.plans.plan import Step
from tests.domain.memory.test_arbitration import KNOWN
from tests.domain.scripted import BOTTLES, CANS, collect, step

P, S = Field.POSE, Field.STATUS
CAN = replace(KNOWN, id="can_1", pose_seq=4, status_seq=7)
OTHER = replace(KNOWN, id="can_2", order=1)
MEMORY = Memory(records={"can_1": CAN, "can_2": OTHER})

NEEDED = {
    "navigate to an entity": (step("navigate", to="can_1"), {("can_1", P), ("can_1", S)}),
    "navigate to a station": (step("navigate", to=CANS), set()),
    "navigate to a cell": (step("navigate", to=(1.0, 2.0)), set()),
    "navigate to a pose": (step("navigate", to=Pose(1, 2)), set()),
    "approach": (step("approach", target="can_1"), {("can_1", P), ("can_1", S)}),
    "grasp": (step("grasp", target="can_1"), {("can_1", P), ("can_1", S)}),
    "verify": (step("verify", target="can_1"), {("can_1", P), ("can_1", S)}),
    "deliver": (step("deliver", object="can_1", station=CANS), set()),
    "explore": (step("explore", cell=(1.0, 2.0)), {(None, P), (None, S)}),
    "a skill of another robot": (step("wait", seconds=3), set()),
    "an entity unknown to memory": (step("grasp", target="can_9"), set()),
}


@pytest.mark.parametrize(("one", "needed"), NEEDED.values(), ids=NEEDED.keys())
def test_what_a_step_rests_on(one: Step, needed: set[tuple[str | None, Field]]) -> None:
    found = dependencies((one,), MEMORY, 10)

    assert {(each.entity, each.field) for each in found} == needed
    assert all(each.reason for each in found)


def test_a_field_is_needed_from_its_first_step_to_its_last() -> None:
    found = dependencies((*collect("can_1"), *collect("can_2", BOTTLES)), MEMORY, 10)

    assert {(each.entity, each.first_step, each.last_step) for each in found} == {
        ("can_1", 0, 2),
        ("can_2", 5, 7),
    }


VERSIONS = {
    "known when the plan was asked for": (CAN, 10, P, 4, Pose(3, 4)),
    "a status by its own version": (CAN, 10, S, 7, Status.OBSERVED.value),
    "changed while the plan was being made": (CAN, 3, P, 3, None),
    "of one field only": (CAN, 5, P, 4, Pose(3, 4)),
}


@pytest.mark.parametrize(
    ("record", "asked_at", "field", "version", "expected"), VERSIONS.values(), ids=VERSIONS.keys()
)
def test_the_version_is_what_the_author_was_shown(
    record: EntityRecord, asked_at: int, field: Field, version: int, expected: object
) -> None:
    found = dependencies((step("grasp", target="can_1"),), Memory(records={"can_1": record}), asked_at)
    (one,) = [each for each in found if each.field is field]

    assert (one.version, one.expected) == (version, expected)


def test_a_search_rests_on_everything_as_it_was_when_asked_for() -> None:
    found = dependencies((step("explore", cell=(1.0, 1.0)), step("explore", cell=(2.0, 2.0))), MEMORY, 10)

    assert [(each.entity, each.version, each.first_step, each.last_step) for each in found] == [
        (None, 10, 0, 1)
    ] * 2
