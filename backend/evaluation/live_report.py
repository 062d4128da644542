"""The study with a live model as tables: each method beside what the paper prints, and each episode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from backend.evaluation.published import published
from backend.evaluation.report import Row, Table, bounds, percent, spread
from backend.evaluation.statistics import Estimate
from backend.evaluation.summary import Cell, Difference, Summary
from backend.usecases.recordings import Recording
from backend.usecases.results import EpisodeResult, Study

COLUMNS = (
    ("deliveries", "DELIVERED", 1),
    ("steps", "STEPS", 1),
    ("stale_visits", "STALE", 2),
    ("model_calls", "CALLS", 1),
    ("input_tokens", "INPUT", 0),
    ("cached_tokens", "CACHED", 0),
    ("output_tokens", "OUTPUT", 0),
    ("total_tokens", "TOTAL", 0),
    ("latency_s", "LATENCY S", 2),
    ("query_size", "≈ TEXT", 0),
)
"""Metric, heading, digits. What the provider did not count has a dash."""

UNKNOWN = "–"


def live_tables(
    summary: Summary, rows: Iterable[EpisodeResult], recordings: Mapping[tuple[int, int], Recording]
) -> Iterator[Table]:
    """Methods, their differences where there are two, and every episode."""
    yield method_table(summary)
    if summary.differences:
        yield change_table(summary)
    yield episode_table(summary.run.study, rows, recordings)


def method_table(summary: Summary) -> Table:
    """Means with their intervals, the paper's in brackets."""
    header = ("METHOD", "N", "SUCCESS %", *(heading for _, heading, _ in COLUMNS))
    return header, [_method_row(cell) for cell in summary.cells]


def episode_table(
    study: Study, rows: Iterable[EpisodeResult], recordings: Mapping[tuple[int, int], Recording]
) -> Table:
    """An episode a row, with the console's id for it where its journal is kept."""
    header = ("METHOD", "SEED", "OUTCOME", *(heading for _, heading, _ in COLUMNS), "EPISODE")
    return header, [_episode_row(study, row, recordings.get((row.arm, row.seed))) for row in rows]


def change_table(summary: Summary) -> Table:
    """The paired differences, absolute and in per cent of the other's mean, the paper's in brackets."""
    means = {cell.method: cell.means for cell in summary.cells}
    header = ("DIFFERENCE", "PAIRS", "OF", "MEAN", "%")
    rows = [
        _change_row(each, heading, digits, means[each.minus][metric])
        for metric, heading, digits in COLUMNS
        for each in summary.differences
        if each.metric == metric
    ]
    return header, rows


def _method_row(cell: Cell) -> Row:
    shown = (_beside(cell, metric, digits) for metric, _, digits in COLUMNS)
    return (cell.method, str(cell.n), percent(cell.success), *shown)


def _beside(cell: Cell, metric: str, digits: int) -> str:
    mean = cell.means.get(metric)
    if mean is None:
        return UNKNOWN
    printed = published().figure(cell.scenario, cell.method, metric)
    paper = "" if printed is None else f" [{printed.value:,.{digits}f}]"
    return f"{mean.value:,.{digits}f} ({bounds(mean, digits)}){paper}"


def _episode_row(study: Study, row: EpisodeResult, recording: Recording | None) -> Row:
    values = {**row.extra, "steps": row.steps, "stale_visits": row.stale_visits}
    shown = (
        f"{values[metric]:,.{2 if metric == 'latency_s' else 0}f}" if metric in values else UNKNOWN
        for metric, _, _ in COLUMNS
    )
    episode = "" if recording is None else recording.episode
    return (study.arms[row.arm].method, str(row.seed), row.outcome, *shown, episode)


def _change_row(each: Difference, heading: str, digits: int, theirs: Estimate) -> Row:
    printed = published().difference(each.scenario, each.method, each.minus, each.metric)
    mean, share = spread(each.estimate, 1, digits), ""
    if theirs.value:
        share = f"{100 * each.estimate.value / theirs.value:+.1f}"
    if printed is not None:
        mean = f"{mean} [{printed.value:+,.{digits}f}]"
        share = share if printed.relative is None else f"{share} [{100 * printed.relative:+.1f}]"
    return (f"{each.method} − {each.minus}", str(each.pairs), heading.lower(), mean, share)
