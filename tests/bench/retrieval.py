"""Retrieval over very many records against the bare numpy of it, on the same arrays."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.attention import best
from backend.domain.memory.columns import Columns, columns_of
from backend.domain.memory.configuration import AttentionSettings
from backend.domain.memory.record import EntityRecord, Source, Status

RECORDS = 100_000
ROUNDS = 60
NOW_S = 600.0
PLACE = Pose(100.0, 100.0)
SETTINGS = AttentionSettings()
METRIC = Metric()


class Retrieval(NamedTuple):
    ours_ms: float
    bare_ms: float
    ratio: float
    columns_ms: float


def retrieval() -> Retrieval:
    records = made(RECORDS)
    begun_s = time.thread_time()
    columns = columns_of(records, SETTINGS)
    columns_s = time.thread_time() - begun_s
    found = [index for index, _ in best(records, columns, SETTINGS, METRIC, PLACE, NOW_S, SETTINGS.k)]
    if found != bare_top_k(columns):
        raise AssertionError("retrieval and bare numpy do not find the same records")
    timed = [
        (
            _once_s(lambda: best(records, columns, SETTINGS, METRIC, PLACE, NOW_S, SETTINGS.k)),
            _once_s(lambda: bare_top_k(columns)),
        )
        for _ in range(ROUNDS)
    ]
    ours_s, bare_s = (median(column) for column in zip(*timed, strict=True))
    return Retrieval(1e3 * ours_s, 1e3 * bare_s, ours_s / bare_s, 1e3 * columns_s)


def bare_top_k(columns: Columns) -> list[int]:
    """As one would write it by hand, without the guarantee of the last digit."""
    k = SETTINGS.k
    distance = np.hypot(columns.x_m - PLACE.x_m, columns.y_m - PLACE.y_m)
    decay = np.exp(-(NOW_S - columns.stamp_s) / SETTINGS.decay_s)
    score = columns.weight * columns.confidence * decay / (1 + distance / METRIC.length_m)
    top = np.argpartition(score, score.size - k)[score.size - k :]
    indices: list[int] = top[np.argsort(-score[top], kind="stable")].tolist()
    return indices


def made(count: int) -> list[EntityRecord]:
    chance = np.random.default_rng(1)
    places, confidences = chance.uniform(0, 500, (count, 2)), chance.uniform(0.2, 1.0, count)
    stamps, sources = chance.uniform(0, NOW_S, count), chance.integers(0, len(Source), count)
    return [
        EntityRecord(
            id=f"can_{n}",
            cls="can",
            pose=Pose(x_m, y_m),
            confidence=confidence,
            status=Status.OBSERVED,
            stamp_s=stamp_s,
            source=list(Source)[source],
            order=n,
            class_seq=1,
            pose_seq=1,
            status_seq=1,
            belief_seq=1,
        )
        for n, ((x_m, y_m), confidence, stamp_s, source) in enumerate(
            zip(places.tolist(), confidences.tolist(), stamps.tolist(), sources.tolist(), strict=True)
        )
    ]


def _once_s(work: Callable[[], Any]) -> float:
    begun_s = time.thread_time()
    work()
    return time.thread_time() - begun_s
