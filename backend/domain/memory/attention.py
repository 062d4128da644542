"""Attention: score = w[o] · q · exp(-age / decay) / (1 + d / length), and the top K of it.

ADM-Planner, section IV-C and Eq. 5.

Each memory of Table I exposes its own records; the score and its factors are kept for all of them, so that a
page can show why a record was left out under any memory.
"""

from __future__ import annotations

import math

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.configuration import MemoryConfiguration
from backend.domain.memory.record import ACTIVE, EntityRecord, Source, Status
from backend.domain.memory.retrieval import Retrieval, Scored
from backend.domain.memory.store import Memory

IN_SIGHT_S = 1.0
"""A memory without poses knows what the robot has seen within less than this (a grid step is 1 s)."""

SCORE_DIGITS = 9
"""Scores are compared rounded to 1e-9, so that the order is the same on every machine."""


def retrieve(
    memory: Memory, configuration: MemoryConfiguration, metric: Metric, task_place: Pose, now_s: float
) -> Retrieval:
    """What the planner is shown at mission time `now_s`.

    Filtered first (terminal, held, lost, unsupported, out of the memory's sight), then ranked by score, ties
    by order of creation. Attention keeps the first K; the other memories expose all that pass their filter.
    """
    records = memory.ordered()
    passed = [record for record in records if _filtered(record, records, configuration, now_s) is None]
    scores = {r.id: _factors(r, configuration, metric, task_place, now_s) for r in records}
    ranked = sorted(passed, key=lambda r: (-round(scores[r.id][-1], SCORE_DIGITS), r.order))
    limit = configuration.attention.k if configuration.entities == "attention" else len(ranked)
    rank = {record.id: place for place, record in enumerate(ranked, start=1)}
    last = scores[ranked[limit - 1].id][-1] if 0 < limit <= len(ranked) else 0.0
    scored = tuple(
        _scored(
            r, scores[r.id], rank.get(r.id), _left_out(r, records, configuration, now_s, rank, limit, last)
        )
        for r in records
    )
    exposed = tuple(record.id for record in ranked[:limit])
    count = memory.history if configuration.entities == "unfiltered" else len(exposed)
    return Retrieval(exposed=exposed, count=count, scored=scored)


def _factors(
    record: EntityRecord, configuration: MemoryConfiguration, metric: Metric, task_place: Pose, now_s: float
) -> tuple[float, float, float, float, float, float]:
    """(weight, decay, nearness, distance_m, age_s, score)"""
    settings = configuration.attention
    age_s = max(0.0, now_s - record.stamp_s)
    distance_m = metric.distance_m(record.pose, task_place)
    weight = settings.weights.of(record.source)
    decay = math.exp(-age_s / settings.decay_s)
    reach = 1.0 + distance_m / metric.length_m
    return weight, decay, 1.0 / reach, distance_m, age_s, weight * record.confidence * decay / reach


def _filtered(
    record: EntityRecord, records: list[EntityRecord], configuration: MemoryConfiguration, now_s: float
) -> str | None:
    """Why a record is not eligible at all, or None."""
    if record.status is Status.DELIVERED:
        return "Delivered, so done"
    if record.status is Status.GRASPED:
        return "Held by the robot"
    if record.status is Status.LOST:
        return "Lost: looked for and not there"
    if not record.supported:
        return "Refused: no accepted evidence"
    kind = configuration.entities
    in_sight = record.source is Source.ONBOARD and now_s - record.stamp_s < IN_SIGHT_S
    if kind == "none" and not in_sight:
        return "Out of sight"
    if kind == "static" and record.source is not Source.INITIAL:
        known = any(r.source is Source.INITIAL and r.status in ACTIVE for r in records)
        return "Not in the initial map" if known or not in_sight else None
    return None


def _left_out(
    record: EntityRecord,
    records: list[EntityRecord],
    configuration: MemoryConfiguration,
    now_s: float,
    rank: dict[str, int],
    limit: int,
    last: float,
) -> str | None:
    place = rank.get(record.id)
    if place is None:
        return _filtered(record, records, configuration, now_s)
    return None if place <= limit else f"Ranked below K: record {limit} scores {last:.3f}"


def _scored(
    record: EntityRecord,
    factors: tuple[float, float, float, float, float, float],
    rank: int | None,
    left_out: str | None,
) -> Scored:
    weight, decay, nearness, distance_m, age_s, score = factors
    return Scored(
        entity=record.id,
        weight=weight,
        confidence=record.confidence,
        decay=decay,
        nearness=nearness,
        distance_m=distance_m,
        age_s=age_s,
        score=score,
        rank=rank,
        left_out=left_out,
    )
