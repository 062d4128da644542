"""Very many records as arrays, so that the best K are found without looking at each (ADM-Planner, Eq. 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.configuration import AttentionSettings
from backend.domain.memory.record import EntityRecord

Floats = npt.NDArray[np.float64]

MARGIN = 2e-9
"""Scores are compared in steps of 1e-9, and the exponential of an array may differ in its last digit.
Whatever may still be among the best K lies within this of the K-th."""


class Columns(NamedTuple):
    """One element a record, in order of creation. Lengths in metres, times in seconds."""

    x_m: Floats
    y_m: Floats
    confidence: Floats
    stamp_s: Floats
    weight: Floats


def columns_of(records: Sequence[EntityRecord], settings: AttentionSettings) -> Columns:
    values = np.array(
        [(r.pose.x_m, r.pose.y_m, r.confidence, r.stamp_s, settings.weights.of(r.source)) for r in records],
        dtype=np.float64,
    ).reshape(len(records), len(Columns._fields))
    return Columns(*np.ascontiguousarray(values.T))


def contenders(
    columns: Columns, settings: AttentionSettings, metric: Metric, task_place: Pose, now_s: float, count: int
) -> list[int]:
    """Indices of all that may be among the best `count`, in order: a few more than these, none missing."""
    score = scores(columns, settings, metric, task_place, now_s)
    if count >= score.size:
        return list(range(score.size))
    last = np.partition(score, score.size - count)[score.size - count]
    indices: list[int] = np.flatnonzero(score >= last - MARGIN).tolist()
    return indices


def scores(
    columns: Columns, settings: AttentionSettings, metric: Metric, task_place: Pose, now_s: float
) -> Floats:
    """Each record's score, up to its last digit."""
    x_m, y_m, confidence, stamp_s, weight = columns
    score = np.ones_like(confidence) if "confidence" in settings.off else confidence.copy()
    if "weight" not in settings.off:
        score *= weight
    if "decay" not in settings.off:
        age_s = np.maximum(now_s - stamp_s, 0.0)
        score *= np.exp(np.divide(age_s, -settings.decay_s, out=age_s), out=age_s)
    if "distance" not in settings.off:
        across, up = x_m - task_place.x_m, y_m - task_place.y_m
        if metric.kind == "manhattan":
            distance = np.abs(across, out=across)
            distance += np.abs(up, out=up)
        else:
            distance = np.hypot(across, up, out=across)
        distance /= metric.length_m
        distance += 1.0
        score /= distance
    return score
