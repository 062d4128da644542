"""Retrieval: the factors of the score, the K line, ties, what each memory exposes and why not the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.attention import retrieve
from backend.domain.memory.configuration import NAMED, AttentionSettings, Weights
from backend.domain.memory.record import EntityRecord, Source, Status
from backend.domain.memory.retrieval import Retrieval, Scored
from backend.domain.memory.store import Memory
from tests.domain.memory.test_arbitration import KNOWN

HERE = Pose(0.0, 0.0)
NOW_S = 100.0


def can(order: int, **changes: object) -> EntityRecord:
    usual = {
        "id": f"can_{order}",
        "order": order,
        "pose": Pose(float(order), 0.0),
        "confidence": 1.0,
        "stamp_s": NOW_S,
    }
    return replace(KNOWN, **(usual | changes))


def retrieved(
    records: Sequence[EntityRecord],
    memory: str = "attention",
    *,
    k: int = 8,
    length_m: float = 1.0,
    history: int = 0,
) -> Retrieval:
    configuration = replace(NAMED[memory], attention=AttentionSettings(k=k))
    store = Memory(records={record.id: record for record in records}, history=history)
    return retrieve(store, configuration, Metric("euclidean", length_m, 0.05), HERE, NOW_S)


def scored(retrieval: Retrieval, entity: str) -> Scored:
    return next(each for each in retrieval.scored if each.entity == entity)


FACTORS = {
    "fresh, sure, in place, from the drone": (can(1, pose=HERE), 0.8, 1.0, 1.0, 0.8),
    "from the robot's own eyes": (can(1, pose=HERE, source=Source.ONBOARD), 1.0, 1.0, 1.0, 1.0),
    "initial": (can(1, pose=HERE, source=Source.INITIAL), 1.0, 1.0, 1.0, 1.0),
    "from an operator": (can(1, pose=HERE, source=Source.OPERATOR), 1.0, 1.0, 1.0, 1.0),
    "half as sure": (can(1, pose=HERE, source=Source.ONBOARD, confidence=0.5), 1.0, 1.0, 1.0, 0.5),
    "one decay old": (
        can(1, pose=HERE, source=Source.ONBOARD, stamp_s=82.0),
        1.0,
        math.exp(-1),
        1.0,
        math.exp(-1),
    ),
    "three lengths away": (can(1, pose=Pose(3, 0), source=Source.ONBOARD), 1.0, 1.0, 0.25, 0.25),
    "stamped in the clock's tolerance ahead": (
        can(1, pose=HERE, source=Source.ONBOARD, stamp_s=100.4),
        1.0,
        1.0,
        1.0,
        1.0,
    ),
    "all at once": (
        can(1, pose=Pose(0, 1), confidence=0.5, stamp_s=91.0),
        0.8,
        math.exp(-0.5),
        0.5,
        0.2 * math.exp(-0.5),
    ),
}


@pytest.mark.parametrize(
    ("record", "weight", "decay", "nearness", "score"), FACTORS.values(), ids=FACTORS.keys()
)
def test_the_score_is_the_product_of_its_factors(
    record: EntityRecord, weight: float, decay: float, nearness: float, score: float
) -> None:
    one = scored(retrieved([record]), "can_1")

    assert (one.weight, one.decay, one.nearness) == pytest.approx((weight, decay, nearness))
    assert one.score == pytest.approx(score)
    assert one.score == pytest.approx(one.weight * one.confidence * one.decay * one.nearness)


def test_distance_is_measured_in_lengths_of_the_site() -> None:
    one = scored(retrieved([can(1, pose=Pose(2, 0))], length_m=0.5), "can_1")

    assert (one.distance_m, one.nearness) == (2.0, 0.2)


def test_the_k_line() -> None:
    retrieval = retrieved([can(n) for n in range(1, 12)], k=8)

    assert retrieval.exposed == tuple(f"can_{n}" for n in range(1, 9))
    assert retrieval.count == 8
    assert [each.rank for each in retrieval.scored] == list(range(1, 12))
    assert [each.left_out is None for each in retrieval.scored] == [True] * 8 + [False] * 3
    assert scored(retrieval, "can_9").left_out == "Ranked below K: record 8 scores 0.089"


def test_fewer_than_k_are_all_exposed() -> None:
    assert retrieved([can(2), can(1)]).exposed == ("can_1", "can_2")


def test_k_of_nothing_exposes_nothing() -> None:
    assert retrieved([can(1)], k=0).exposed == ()


TIES = {
    "equal scores go by order of creation": (
        [can(2, pose=Pose(1, 0)), can(1, pose=Pose(0, 1))],
        ("can_1", "can_2"),
    ),
    "equal to 1e-9 is equal": ([can(2, pose=Pose(1, 0)), can(1, pose=Pose(1 + 1e-9, 0))], ("can_1", "can_2")),
    "different past 1e-9 is different": (
        [can(2, pose=Pose(1, 0)), can(1, pose=Pose(1 + 1e-7, 0))],
        ("can_2", "can_1"),
    ),
}


@pytest.mark.parametrize(("records", "exposed"), TIES.values(), ids=TIES.keys())
def test_ties(records: list[EntityRecord], exposed: tuple[str, ...]) -> None:
    assert retrieved(records).exposed == exposed


FILTERED = {
    "delivered": ("attention", can(1, status=Status.DELIVERED), "Delivered, so done"),
    "held": ("attention", can(1, status=Status.GRASPED), "Held by the robot"),
    "lost": ("attention", can(1, status=Status.LOST), "Lost: looked for and not there"),
    "unsupported": ("attention", can(1, supported=False), "Refused: no accepted evidence"),
    "to be reconsidered": ("attention", can(1, status=Status.RECONSIDER), None),
    "unfiltered, lost": ("unfiltered", can(1, status=Status.LOST), "Lost: looked for and not there"),
    "unfiltered, old and weak": ("unfiltered", can(1, confidence=0.1, stamp_s=0.0), None),
    "none, in sight now": ("none", can(1, source=Source.ONBOARD), None),
    "none, seen a moment ago": ("none", can(1, source=Source.ONBOARD, stamp_s=99.2), None),
    "none, seen a step ago": ("none", can(1, source=Source.ONBOARD, stamp_s=99.0), "Out of sight"),
    "none, reported by the drone": ("none", can(1), "Out of sight"),
    "static, initial": ("static", can(1, source=Source.INITIAL, stamp_s=0.0), None),
    "static, in sight when no initial record is left": ("static", can(1, source=Source.ONBOARD), None),
    "static, seen a step ago": (
        "static",
        can(1, source=Source.ONBOARD, stamp_s=99.0),
        "Not in the initial map",
    ),
    "oracle, wherever it is": ("oracle", can(1, source=Source.TRUTH), None),
}


@pytest.mark.parametrize(("memory", "record", "reason"), FILTERED.values(), ids=FILTERED.keys())
def test_what_each_memory_leaves_out(memory: str, record: EntityRecord, reason: str | None) -> None:
    retrieval = retrieved([record], memory)

    assert scored(retrieval, "can_1").left_out == reason
    assert retrieval.exposed == (() if reason else ("can_1",))


def test_static_memory_shows_what_is_in_sight_only_when_its_map_is_used_up() -> None:
    known, seen = can(1, source=Source.INITIAL), can(2, source=Source.ONBOARD)

    assert retrieved([known, seen], "static").exposed == ("can_1",)
    assert retrieved([replace(known, status=Status.LOST), seen], "static").exposed == ("can_2",)


@pytest.mark.parametrize("memory", ["unfiltered", "static", "none", "oracle"])
def test_only_attention_has_a_k(memory: str) -> None:
    source = {"static": Source.INITIAL, "none": Source.ONBOARD}.get(memory, Source.TRUTH)
    records = [can(n, source=source) for n in range(1, 12)]

    assert len(retrieved(records, memory).exposed) == 11


def test_an_unfiltered_memory_reads_its_whole_history() -> None:
    assert retrieved([can(1)], "unfiltered", history=57).count == 57
    assert retrieved([can(1)], "attention", history=57).count == 1


def test_weights_are_those_of_the_configuration() -> None:
    settings = AttentionSettings(weights=Weights(aerial=0.5))
    store = Memory(records={"can_1": can(1, pose=HERE)})
    retrieval = retrieve(store, replace(NAMED["attention"], attention=settings), Metric(), HERE, NOW_S)

    assert retrieval.scored[0].weight == 0.5


RECORDS = st.lists(
    st.builds(
        can,
        st.integers(0, 10**6),
        confidence=st.floats(0, 1),
        stamp_s=st.floats(0, NOW_S),
        pose=st.builds(Pose, st.floats(-9, 9), st.floats(-9, 9)),
        status=st.sampled_from(list(Status)),
        source=st.sampled_from(list(Source)),
        supported=st.booleans(),
    ),
    unique_by=lambda record: record.order,
    max_size=20,
)


@given(RECORDS, st.integers(0, 9), st.randoms(use_true_random=False))
def test_attention_exposes_at_most_k_and_the_same_in_whatever_order_records_are_kept(
    records: list[EntityRecord], k: int, shuffler: object
) -> None:
    shuffled = list(records)
    shuffler.shuffle(shuffled)  # type: ignore[attr-defined]

    first, second = retrieved(records, k=k), retrieved(shuffled, k=k)

    assert len(first.exposed) <= k
    assert first == second
    assert {each.entity for each in first.scored if each.left_out is None} == set(first.exposed)
    worst = min((scored(first, entity).score for entity in first.exposed), default=math.inf)
    ranked_below = [each for each in first.scored if each.rank is not None and each.rank > k]
    assert all(each.score <= worst + 1e-9 for each in ranked_below)
