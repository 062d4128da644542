"""Attention: score = w[o] · q · exp(-age / decay) / (1 + d / length), and the top K of it.

ADM-Planner, section IV-C and Eq. 5.

Each memory of Table I exposes its own records; the score and its factors are kept for all of them, so that a
page can show why a record was left out under any memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.columns import Columns, columns_of, contenders
from backend.domain.memory.configuration import AttentionSettings, MemoryConfiguration
from backend.domain.memory.record import ACTIVE, EntityRecord, Source, Status
from backend.domain.memory.retrieval import Retrieval, Scored
from backend.domain.memory.store import Memory

IN_SIGHT_S = 1.0
"""A memory without poses knows what the robot has seen within less than this (a grid step is 1 s)."""

SCORE_STEPS = 1e9
"""Scores are compared in whole steps of 1e-9, so that the order is the same on every machine."""


MANY = 2_000
"""From so many records on the best are found by arrays, and a retrieval no longer tells of each record."""

NEXT = 100
"""How many records below the line it still tells of then."""


def retrieve(
    memory: Memory, configuration: MemoryConfiguration, metric: Metric, task_place: Pose, now_s: float
) -> Retrieval:
    """What the planner is shown at mission time `now_s`.

    Filtered first (terminal, held, lost, unsupported, out of the memory's sight), then ranked by score, ties
    by order of creation. Attention keeps the first K; the other memories expose all that pass their filter.
    """
    records = memory.ordered()
    settings = configuration.attention
    if len(records) > MANY and configuration.entities == "attention":
        return _retrieve_of_many(records, settings, metric, task_place, now_s)
    left_out = _filtered(records, configuration.entities, now_s)
    factors = _factors(records, settings, metric, task_place, now_s)
    # Records are in order of creation, and sorting is stable.
    passed = [index for index, reason in enumerate(left_out) if reason is None]
    ranked = sorted(passed, key=[-steps(of[-1]) for of in factors].__getitem__)
    rank: list[int | None] = [None] * len(records)
    for place, index in enumerate(ranked, start=1):
        rank[index] = place
    limit = settings.k if configuration.entities == "attention" else len(ranked)
    if limit < len(ranked):
        below = f"Ranked below K: record {limit} scores {factors[ranked[limit - 1]][-1]:.3f}"
        for index in ranked[limit:]:
            left_out[index] = below
    exposed = tuple([records[index].id for index in ranked[:limit]])
    count = memory.history if configuration.entities == "unfiltered" else len(exposed)
    scored = tuple(map(_scored, records, factors, rank, left_out))
    return Retrieval(exposed=exposed, count=count, scored=scored)


def _retrieve_of_many(
    records: list[EntityRecord], settings: AttentionSettings, metric: Metric, task_place: Pose, now_s: float
) -> Retrieval:
    """The same best K, of records too many to tell of each: only they and the next few are scored singly."""
    passed = [
        record
        for record, reason in zip(records, _filtered(records, "attention", now_s), strict=True)
        if reason is None
    ]
    columns = columns_of(passed, settings)
    ranked = best(passed, columns, settings, metric, task_place, now_s, settings.k + NEXT)
    scored = []
    for place, (index, factors) in enumerate(ranked, start=1):
        kth_score = ranked[settings.k - 1][1][-1] if place > settings.k else 0.0
        below = f"Ranked below K: record {settings.k} scores {kth_score:.3f}" if place > settings.k else None
        scored.append(_scored(passed[index], factors, place, below))
    exposed = tuple([each.entity for each in scored[: settings.k]])
    return Retrieval(exposed=exposed, count=len(exposed), scored=tuple(scored))


def best(
    records: Sequence[EntityRecord],
    columns: Columns,
    settings: AttentionSettings,
    metric: Metric,
    task_place: Pose,
    now_s: float,
    count: int,
) -> list[tuple[int, Factors]]:
    """The best `count` of `records`, whose `columns` these are, best first: index and factors."""
    indices = contenders(columns, settings, metric, task_place, now_s, count)
    factors = _factors([records[index] for index in indices], settings, metric, task_place, now_s)
    return sorted(zip(indices, factors, strict=True), key=lambda each: -steps(each[1][-1]))[:count]


def steps(score: float) -> int:
    """The score in steps of 1e-9, to the nearest."""
    return int(score * SCORE_STEPS + 0.5)


Factors = tuple[float, float, float, float, float, float, float]
"""weight, confidence, decay, nearness, distance_m, age_s, score"""


def score_of(
    record: EntityRecord, settings: AttentionSettings, metric: Metric, task_place: Pose, now_s: float
) -> float:
    """One record's score, whether or not it may be shown."""
    return _factors([record], settings, metric, task_place, now_s)[0][-1]


def scored_of(
    record: EntityRecord, settings: AttentionSettings, metric: Metric, task_place: Pose, now_s: float
) -> Scored:
    """One record's factors, of so many that a retrieval does not tell of it."""
    reason = _INELIGIBLE.get(record.status) if record.supported else _unsupported(record)
    [factors] = _factors([record], settings, metric, task_place, now_s)
    return _scored(record, factors, None, reason or "Ranked below K")


def _factors(
    records: Iterable[EntityRecord],
    settings: AttentionSettings,
    metric: Metric,
    task_place: Pose,
    now_s: float,
) -> list[Factors]:
    weight_of, distance_of = settings.weights.of, metric.distance_m
    decay_s, length_m, off = settings.decay_s, metric.length_m, settings.off
    found = []
    for record in records:
        weight, confidence = weight_of(record.source), record.confidence
        age_s, distance_m = now_s - record.stamp_s, distance_of(record.pose, task_place)
        if age_s < 0.0:
            age_s = 0.0
        decay, reach = math.exp(-age_s / decay_s), 1.0 + distance_m / length_m
        if off:
            weight = 1.0 if "weight" in off else weight
            confidence = 1.0 if "confidence" in off else confidence
            decay = 1.0 if "decay" in off else decay
            reach = 1.0 if "distance" in off else reach
        score = weight * confidence * decay / reach
        found.append((weight, confidence, decay, 1.0 / reach, distance_m, age_s, score))
    return found


def _filtered(records: list[EntityRecord], kind: str, now_s: float) -> list[str | None]:
    """For each record why it is not eligible at all, or None."""
    left_out = [
        _INELIGIBLE.get(record.status) if record.supported else _unsupported(record) for record in records
    ]
    if kind == "none" or kind == "static":
        _filter_by_sight(records, kind, now_s, left_out)
    return left_out


_INELIGIBLE = {
    Status.DELIVERED: "Delivered, so done",
    Status.GRASPED: "Held by the robot",
    Status.LOST: "Lost: looked for and not there",
    Status.REMOVED: "Removed by a person",
}


def _unsupported(record: EntityRecord) -> str:
    return _INELIGIBLE.get(record.status, "Refused: no accepted evidence")


def _filter_by_sight(
    records: list[EntityRecord], kind: str, now_s: float, left_out: list[str | None]
) -> None:
    """Without memory only what is in sight counts; a static one falls back on it when its map is used up."""
    known = any(record.source is Source.INITIAL and record.status in ACTIVE for record in records)
    for index, record in enumerate(records):
        if left_out[index] is not None:
            continue
        in_sight = record.source is Source.ONBOARD and now_s - record.stamp_s < IN_SIGHT_S
        if kind == "none":
            left_out[index] = None if in_sight else "Out of sight"
        elif record.source is not Source.INITIAL and (known or not in_sight):
            left_out[index] = "Not in the initial map"


def _scored(record: EntityRecord, factors: Factors, rank: int | None, left_out: str | None) -> Scored:
    weight, confidence, decay, nearness, distance_m, age_s, score = factors
    return Scored(
        entity=record.id,
        weight=weight,
        confidence=confidence,
        decay=decay,
        nearness=nearness,
        distance_m=distance_m,
        age_s=age_s,
        score=score,
        rank=rank,
        left_out=left_out,
    )
