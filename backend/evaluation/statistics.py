"""The statistics of the papers: Wilson intervals for success, paired bootstrap intervals for differences
(ADM-Planner, section V-A), and the sign test of LogLook.
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

    @property
    def has_interval(self) -> bool:
        """False where a single value, or equal ones, left the bootstrap nothing to resample."""
        return self.low < self.high

    def leaves_out(self, value: float) -> bool:
        """Whether there is an interval, and `value` lies outside it."""
        return self.has_interval and not self.low <= value <= self.high


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


def sign_test(wins: int, losses: int) -> float:
    """Two-sided exact p-value of a sign test over the pairs that differ: how likely a split at least as
    uneven is where each is a win or a loss with equal chance (LogLook, section 4.1). 1 without any.
    """
    if wins < 0 or losses < 0:
        raise ValueError(f"{wins} wins and {losses} losses are no counts.")
    n, fewer = wins + losses, min(wins, losses)
    tail = sum(math.comb(n, k) for k in range(fewer + 1))
    return float(min(1.0, 2 * tail / 2**n))


def bootstrap_means(columns: Floats) -> list[Estimate]:
    """The mean of each column of `columns` (n × k) with its percentile bootstrap interval.

    All columns see the same resamples of the n rows.
    """
    n, k = columns.shape
    if n == 0:
        raise ValueError("There is no value to take the mean of.")
    means = columns.mean(axis=0)
    bounds = (
        np.percentile(_resampled_means(columns), _percentiles(), axis=0) if n > 1 else np.stack([means] * 2)
    )
    # A column that never varies has no interval, whatever rounding makes of its sums.
    constant = (columns == columns[0]).all(axis=0)
    low, high = np.where(constant, means, bounds[0]), np.where(constant, means, bounds[1])
    return [Estimate(float(means[i]), float(low[i]), float(high[i])) for i in range(k)]


def paired_differences(ours: Floats, theirs: Floats) -> list[Estimate]:
    """Per column the mean of `ours` - `theirs` (each n × k), row by row of the same seed."""
    if ours.shape != theirs.shape:
        raise ValueError(f"{len(ours)} and {len(theirs)} values are no pairs.")
    return bootstrap_means(ours - theirs)


def _resampled_means(columns: Floats) -> Floats:
    """(resamples × k). A resample is how often it takes each row, so that one product serves all columns."""
    n = len(columns)
    chance = np.random.Generator(np.random.PCG64(SEED))
    most = max(1, _AT_ONCE // n)
    means = []
    for done in range(0, RESAMPLES, most):
        rows = min(most, RESAMPLES - done)
        taken = chance.integers(0, n, (rows, n)) + n * np.arange(rows)[:, None]
        times = np.bincount(taken.ravel(), minlength=rows * n).reshape(rows, n)
        means.append(times @ columns / n)
    return np.concatenate(means)


def _percentiles() -> tuple[float, float]:
    tail = 100 * (1 - CONFIDENCE) / 2
    return tail, 100 - tail
