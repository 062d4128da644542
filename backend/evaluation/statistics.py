"""The statistics of the paper: Wilson intervals for success, paired bootstrap intervals for differences
(section V-A).
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
from msgspec import Struct

CONFIDENCE = 0.95
RESAMPLES = 5_000
SEED = 20_260_902
"""Of the bootstrap's resampling, so that the same results give the same intervals."""

_AT_ONCE = 2_000_000
"""Draws held in memory at a time."""

Floats = npt.NDArray[np.float64]


class Estimate(Struct, frozen=True):
    """A value and its interval at `CONFIDENCE`."""

    value: float
    low: float
    high: float


def wilson(successes: int, n: int) -> Estimate:
    """The share of successes with Wilson's score interval, without continuity correction; all 0 to 1."""
    if not 0 <= successes <= n or n == 0:
        raise ValueError(f"{successes} successes of {n} episodes is no share.")
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    share, spread = successes / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    # At the ends rounding would leave a whisker beyond what is possible.
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == n else middle + half
    return Estimate(share, low, high)


def bootstrap_mean(values: Floats) -> Estimate:
    """The mean of `values` with its percentile bootstrap interval."""
    if values.size == 0:
        raise ValueError("There is no value to take the mean of.")
    mean = float(values.mean())
    if values.size == 1 or bool(np.all(values == values[0])):
        return Estimate(mean, mean, mean)
    low, high = np.percentile(_resampled_means(values), _percentiles())
    return Estimate(mean, float(low), float(high))


def paired_difference(ours: Floats, theirs: Floats) -> Estimate:
    """The mean of `ours` - `theirs`, value by value of the same seed, with its bootstrap interval."""
    if ours.shape != theirs.shape:
        raise ValueError(f"{ours.size} and {theirs.size} values are no pairs.")
    return bootstrap_mean(ours - theirs)


def _resampled_means(values: Floats) -> Floats:
    chance = np.random.Generator(np.random.PCG64(SEED))
    rows = max(1, _AT_ONCE // values.size)
    means = [
        values[chance.integers(0, values.size, (min(rows, RESAMPLES - done), values.size))].mean(axis=1)
        for done in range(0, RESAMPLES, rows)
    ]
    return np.concatenate(means)


def _percentiles() -> tuple[float, float]:
    tail = 100 * (1 - CONFIDENCE) / 2
    return tail, 100 - tail
