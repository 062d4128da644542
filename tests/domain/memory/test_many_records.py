"""Retrieval over very many records, by arrays: exactly what ranking them one by one gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.domain.geometry import Metric, Pose
from backend.domain.memory import attention
from backend.domain.memory.attention import retrieve
from backend.domain.memory.configuration import NAMED, AttentionSettings, Weights
from backend.domain.memory.record import EntityRecord, Source, Status
from backend.domain.memory.store import Memory

GRID = Metric("manhattan", 1.0, 0.0)
METRICS = st.sampled_from([GRID, Metric(), Metric("manhattan", 0.5, 0.0)])
FACTORS = ("weight", "confidence", "decay", "distance")

# Few different values each, so that equal and nearly equal scores are common.
places = st.integers(0, 6).map(float) | st.floats(0, 6)
RECORDS = st.builds(
    lambda x, y, q, stamp, source, status, supported: EntityRecord(
        id="", cls="can", pose=Pose(x, y), confidence=q, status=status, stamp_s=stamp, source=source, order=0,
        class_seq=1, pose_seq=1, status_seq=1, belief_seq=1, supported=supported,
    ),
    x=places,
    y=places,
    q=st.sampled_from([0.0, 0.5, 0.8, 1.0]) | st.floats(0, 1),
    stamp=st.integers(0, 40).map(float),
    source=st.sampled_from(list(Source)),
    status=st.sampled_from([*[Status.OBSERVED] * 5, *Status]),
    supported=st.sampled_from([True] * 5 + [False]),
)  # fmt: skip
SETTINGS = st.builds(
    AttentionSettings,
    k=st.integers(1, 12),
    decay_s=st.sampled_from([1.0, 18.0, 1e9]),
    weights=st.sampled_from([Weights(), Weights(aerial=0.8 + 1e-12), Weights(initial=0.1)]),
    off=st.lists(st.sampled_from(FACTORS), unique=True).map(tuple),
)


def memory_of(records: list[EntityRecord]) -> Memory:
    named = [replace(record, id=f"can_{n}", order=n) for n, record in enumerate(records)]
    return Memory(records={record.id: record for record in named})


@given(st.lists(RECORDS, max_size=60), SETTINGS, METRICS, places, st.sampled_from([0.0, 20.0, 40.0]))
def test_arrays_and_single_records_give_the_same_retrieval(
    records: list[EntityRecord], settings: AttentionSettings, metric: Metric, x: float, now_s: float
) -> None:
    memory = memory_of(records)
    configuration = replace(NAMED["attention"], attention=settings)
    one_by_one = retrieve(memory, configuration, metric, Pose(x, 2.0), now_s)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(attention, "MANY", -1)
        by_arrays = retrieve(memory, configuration, metric, Pose(x, 2.0), now_s)

    assert by_arrays.exposed == one_by_one.exposed
    assert by_arrays.count == one_by_one.count
    ranked = sorted((s for s in one_by_one.scored if s.rank is not None), key=lambda s: s.rank or 0)
    assert list(by_arrays.scored) == ranked


def test_of_many_it_tells_of_the_best_and_the_next() -> None:
    count = attention.MANY + 500
    record = EntityRecord(
        id="", cls="can", pose=Pose(0.0, 0.0), confidence=1.0, status=Status.OBSERVED, stamp_s=0.0,
        source=Source.ONBOARD, order=0, class_seq=1, pose_seq=1, status_seq=1, belief_seq=1,
    )  # fmt: skip
    memory = memory_of([replace(record, pose=Pose(float(count - n), 0.0)) for n in range(count)])

    retrieval = retrieve(memory, NAMED["attention"], GRID, Pose(0.0, 0.0), 5.0)

    nearest = [f"can_{count - n}" for n in range(1, 9)]
    assert retrieval.exposed == tuple(nearest)
    assert len(retrieval.scored) == 8 + attention.NEXT
    assert [each.rank for each in retrieval.scored] == list(range(1, 109))
    assert retrieval.scored[7].left_out is None
    assert retrieval.scored[8].left_out == f"Ranked below K: record 8 scores {retrieval.scored[7].score:.3f}"
