"""A run in figures: each cell with its intervals, and paired differences between methods."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from backend.evaluation.statistics import Estimate, Floats, bootstrap_means, paired_differences, wilson
from backend.usecases.results import Arm, EpisodeResult, Results, Run

Integers = npt.NDArray[np.int64]

METRICS = ("success", "steps", "context", "planner_calls", "stale_visits", "path_m")
"""What is averaged and compared; success as a share."""


class Cell(Struct, frozen=True, kw_only=True):
    """One arm's figures over `n` episodes. `success` has Wilson's interval, `means` have bootstrap intervals.

    `replans`: cause -> mean number an episode. `successful`: the same means over the successful episodes
    alone, where there are some: how long a mission takes that is accomplished.
    """

    arm: int
    scenario: str
    method: str
    variant: str
    n: int
    successes: int
    success: Estimate
    means: Mapping[str, Estimate]
    successful: Mapping[str, Estimate]
    replans: Mapping[str, float]

    def estimate(self, metric: str) -> Estimate | None:
        """`successful_…`: over the successful episodes alone. None where it was not measured."""
        if metric == "success":
            return self.success
        if metric.startswith("successful_"):
            return self.successful.get(metric.removeprefix("successful_"))
        return self.means.get(metric)


class Difference(Struct, frozen=True, kw_only=True):
    """`method` minus `minus`, seed by seed, over the `pairs` that both have."""

    scenario: str
    variant: str
    method: str
    minus: str
    metric: str
    pairs: int
    estimate: Estimate


class Summary(Struct, frozen=True, kw_only=True):
    run: Run
    cells: tuple[Cell, ...]
    differences: tuple[Difference, ...]


class Columns(Struct, frozen=True):
    """An arm's episodes in order of seed: a row each, a column for each of `names`."""

    seeds: Integers
    names: tuple[str, ...]
    values: Floats
    replans: Mapping[str, float]


def summarise(run: Run, results: Results, compared: str = "attention") -> Summary:
    """Cells of every arm that has episodes; differences of `compared` minus each other method of its row."""
    columns = {
        index: read
        for index in range(len(run.study.arms))
        if (read := columns_of(results.episodes(run.id, arm=index))).seeds.size
    }
    cells = tuple(_cell(index, run.study.arms[index], read) for index, read in columns.items())
    return Summary(run=run, cells=cells, differences=tuple(_differences(run.study.arms, columns, compared)))


def columns_of(rows: Iterable[EpisodeResult]) -> Columns:
    """`METRICS` and what else every one of them measured: a mean over some would pass for one over all."""
    seeds: array[int] = array("q")
    values: array[float] = array("d")
    causes: Counter[str] = Counter()
    extra: tuple[str, ...] = ()
    for row in rows:
        extra = extra if seeds else tuple(sorted(row.extra))
        seeds.append(row.seed)
        values.extend([float(getattr(row, metric)) for metric in METRICS])
        values.extend([row.extra.get(name, np.nan) for name in extra])
        causes.update(row.replans)
    names = METRICS + extra
    table = np.asarray(values, dtype=np.float64).reshape(-1, len(names))
    whole = np.flatnonzero(~np.isnan(table).any(axis=0))
    return Columns(
        np.asarray(seeds, dtype=np.int64),
        tuple([names[column] for column in whole]),
        table[:, whole],
        {cause: count / len(seeds) for cause, count in sorted(causes.items())},
    )


def differences(ours: Columns, theirs: Columns) -> tuple[int, dict[str, Estimate]]:
    """Ours minus theirs over the seeds that both have: how many these are, and each metric's difference."""
    _, of_ours, of_theirs = np.intersect1d(ours.seeds, theirs.seeds, assume_unique=True, return_indices=True)
    if of_ours.size == 0:
        return 0, {}
    names = [name for name in ours.names if name in theirs.names]
    estimates = paired_differences(_chosen(ours, of_ours, names), _chosen(theirs, of_theirs, names))
    return int(of_ours.size), dict(zip(names, estimates, strict=True))


def _chosen(columns: Columns, rows: Integers, names: Sequence[str]) -> Floats:
    return columns.values[rows][:, [columns.names.index(name) for name in names]]


def _cell(index: int, arm: Arm, columns: Columns) -> Cell:
    n, successes = len(columns.seeds), int(columns.values[:, METRICS.index("success")].sum())
    means = dict(zip(columns.names, bootstrap_means(columns.values), strict=True))
    succeeded = columns.values[columns.values[:, METRICS.index("success")] > 0]
    of_these = bootstrap_means(succeeded) if successes else ()
    successful = dict(zip(columns.names, of_these, strict=bool(successes)))
    for each in (means, successful):
        each.pop("success", None)
    return Cell(
        arm=index,
        scenario=arm.scenario,
        method=arm.method,
        variant=arm.variant,
        n=n,
        successes=successes,
        success=wilson(successes, n),
        means=means,
        successful=successful,
        replans=columns.replans,
    )


def _differences(arms: Sequence[Arm], columns: Mapping[int, Columns], compared: str) -> Iterator[Difference]:
    for index, ours in columns.items():
        arm = arms[index]
        others = [
            other for other in columns if _row(arms[other]) == _row(arm) and arms[other].method != compared
        ]
        for other in others if arm.method == compared else ():
            pairs, estimates = differences(ours, columns[other])
            for metric, estimate in estimates.items():
                yield Difference(
                    scenario=arm.scenario,
                    variant=arm.variant,
                    method=compared,
                    minus=arms[other].method,
                    metric=metric,
                    pairs=pairs,
                    estimate=estimate,
                )


def _row(arm: Arm) -> tuple[str, str]:
    return arm.scenario, arm.variant
