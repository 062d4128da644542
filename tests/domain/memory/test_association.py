"""Which entity a detection without an id is about."""

import pytest
from msgspec.structs import replace

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.association import associate
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import EntityRecord, Status
from backend.domain.memory.store import Memory
from tests.domain.memory.test_arbitration import KNOWN
from tests.domain.scripted import report

METRIC = Metric("euclidean", 1.0, 0.05)


def entity(
    name: str, x_m: float, y_m: float, order: int, cls: str = "can", status: Status = Status.OBSERVED
) -> EntityRecord:
    return replace(KNOWN, id=name, cls=cls, pose=Pose(x_m, y_m), order=order, status=status)


NEAR, FAR = entity("near", 2.0, 2.0, 0), entity("far", 8.0, 8.0, 1)

TABLE = {
    "its own id counts, however far": ([NEAR, FAR], report("far", 2, 2), "far"),
    "an id never heard of": ([NEAR], report("can_9", 2, 2), "can_9"),
    "the one within half a metre": ([NEAR, FAR], report(None, 2.3, 2.4), "near"),
    "half a metre to the point": ([NEAR], report(None, 2.5, 2.0), "near"),
    "past half a metre": ([NEAR], report(None, 2.51, 2.0), "can_02"),
    "the nearer of two": ([NEAR, entity("nearer", 2.4, 2.0, 1)], report(None, 2.3, 2.0), "nearer"),
    "the older of two as near": (
        [entity("b", 2.0, 2.0, 1), entity("a", 2.5, 2.0, 0)],
        report(None, 2.25, 2.0),
        "a",
    ),
    "another class is another thing": ([NEAR], report(None, 2.0, 2.0, cls="bottle"), "bottle_02"),
    "the first ever": ([], report(None, 2.0, 2.0), "can_01"),
    "a number already taken": ([NEAR, entity("can_03", 9, 9, 1)], report(None, 5, 5), "can_04"),
    "what is held is not lying there": (
        [entity("held", 2.0, 2.0, 0, status=Status.GRASPED)],
        report(None, 2.0, 2.0),
        "can_02",
    ),
    "what was delivered stands at its station": (
        [entity("done", 2.0, 2.0, 0, status=Status.DELIVERED)],
        report(None, 2.1, 2.0),
        "done",
    ),
    "what is lost may be found": (
        [entity("lost", 2.0, 2.0, 0, status=Status.LOST)],
        report(None, 2.1, 2.0),
        "lost",
    ),
    "what was only ever refused": ([replace(NEAR, supported=False)], report(None, 2.1, 2.0), "near"),
}


@pytest.mark.parametrize(("records", "evidence", "expected"), TABLE.values(), ids=TABLE.keys())
def test_association(records: list[EntityRecord], evidence: Evidence, expected: str) -> None:
    memory = Memory(records={record.id: record for record in records})

    assert associate(memory, evidence, METRIC) == expected
