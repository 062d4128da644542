"""A run's figures as one JSON document, and as tables to be read, each beside what the paper prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from backend.evaluation.document import in_pieces, run_head
from backend.evaluation.export import described
from backend.evaluation.published import Figure, NotMet, PrintedDifference, published
from backend.evaluation.statistics import CONFIDENCE, Estimate
from backend.evaluation.summary import METRICS, Cell, Difference, Summary
from backend.usecases.recordings import Recording
from backend.usecases.results import EpisodeResult

Row = tuple[str, ...]

NO_INTERVAL = "–"
"""In place of an interval where one value, or equal ones, say nothing of how others would spread."""


def document(
    summary: Summary, episodes: Iterable[EpisodeResult], recordings: Mapping[tuple[int, int], Recording] = {}
) -> Iterator[str]:
    """One JSON document in pieces, `episodes` last and one a line, so that it need not fit in memory.

    `recordings` by arm and seed: those episodes name the console's episode and their content digest.
    """
    run = summary.run
    head = {
        **run_head(run),
        "first_seed": run.study.first_seed,
        "seeds": run.study.seeds,
        "confidence": CONFIDENCE,
        "arms": run.study.arms,
        "cells": [cell_document(cell) for cell in summary.cells],
        "differences": [_difference_document(each) for each in summary.differences],
        "source": published().source,
    }
    return in_pieces(head, episodes, lambda row: described(run.study, row), recordings)


def cell_document(cell: Cell) -> dict[str, Any]:
    """`interval` and `success` are shares; `published` has what the paper prints of this cell."""
    paper = published()
    printed = {
        m: f
        for m in ("success", *cell.means, *(f"successful_{name}" for name in cell.successful))
        if (f := paper.figure(cell.scenario, cell.method, m)) and not cell.variant
    }
    short = [found for metric in printed if (found := unmet(cell, metric)) is not None]
    return {
        "scenario": cell.scenario,
        "method": cell.method,
        "variant": cell.variant,
        "n": cell.n,
        "successes": cell.successes,
        "success": cell.success.value,
        "interval": [cell.success.low, cell.success.high],
        "means": {metric: mean.value for metric, mean in cell.means.items()},
        "mean_intervals": {metric: [mean.low, mean.high] for metric, mean in cell.means.items()},
        "successful": {metric: mean.value for metric, mean in cell.successful.items()},
        "replans": cell.replans,
        "published": {metric: _figure_document(figure) for metric, figure in printed.items()},
        "not_met": [
            {"metric": each.metric, "seeds": each.seeds, "by": each.by, "reason": each.reason}
            for each in short
        ],
    }


Table = tuple[Row, list[Row]]
"""Headings and rows."""


def memory_tables(summary: Summary) -> Iterator[Table]:
    """Cells, and the differences between their methods where there are any."""
    yield cell_table(summary)
    if summary.differences:
        yield difference_table(summary)


def cell_table(summary: Summary) -> tuple[Row, list[Row]]:
    """Table I: a row a cell, the paper's figure in brackets beside ours."""
    header = (
        "SCENARIO",
        "METHOD",
        "N",
        "SUCCESS %",
        "STEPS",
        "CONTEXT",
        "CALLS",
        "STALE",
        "PATH M",
        "REPLANS",
    )
    return header, [_cell_row(cell) for cell in summary.cells]


def ablation_table(summary: Summary) -> tuple[Row, list[Row]]:
    """A row an arm; what else was measured stands last."""
    extra = sorted({name for cell in summary.cells for name in cell.means} - set(METRICS))
    header = ("VARIANT", "METHOD", "N", "SUCCESS %", "STEPS", "CONTEXT", "A CALL", "CALLS", "STALE")
    rows = [_ablation_row(summary, cell, extra) for cell in summary.cells]
    return (*header, *(name.upper() for name in extra)), rows


def difference_table(summary: Summary) -> tuple[Row, list[Row]]:
    header = ("SCENARIO", "DIFFERENCE", "PAIRS", "SUCCESS, POINTS", "STEPS", "CONTEXT", "CONTEXT %")
    rows: dict[tuple[str, str, str], dict[str, Difference]] = {}
    for each in summary.differences:
        rows.setdefault((each.scenario, each.variant, each.minus), {})[each.metric] = each
    means = {(c.scenario, c.variant, c.method): c.means["context"].value for c in summary.cells}
    return header, [
        _difference_row(found, means[scenario, variant, minus])
        for (scenario, variant, minus), found in rows.items()
    ]


def unmet(cell: Cell, metric: str) -> NotMet | None:
    """Why the figure is known not to be the printed one, where this run's own interval leaves that out."""
    paper = published()
    printed, ours = paper.figure(cell.scenario, cell.method, metric), cell.estimate(metric)
    if cell.variant or printed is None or ours is None or not ours.leaves_out(printed.value):
        return None
    return paper.shortfall(cell.scenario, cell.method, metric)


def shortfalls(summary: Summary) -> list[str]:
    """What this run does not meet, as far off as it was found to be, with its reason."""
    told = []
    for each in published().not_met:
        if any(unmet(cell, each.metric) is each for cell in summary.cells):
            of = f"{each.scenario}, {each.method}" if each.method else each.scenario
            name = each.metric.replace("_", " ")
            size = f"at {each.seeds:,} seeds: {each.by} than printed"
            told.append(f"Not met: {name} of {of}; {size}. {each.reason.strip()}")
    return told


def _cell_row(cell: Cell) -> Row:
    paper = published()

    def beside(metric: str, mean: Estimate, digits: int = 0) -> str:
        printed = None if cell.variant else paper.figure(cell.scenario, cell.method, metric)
        shown = "" if printed is None else f" [{_number(printed.value, digits)}]"
        return f"{_number(mean.value, digits)}{shown}"

    printed = None if cell.variant else paper.figure(cell.scenario, cell.method, "success")
    paper_success = "" if printed is None else f" [{100 * printed.value:.0f}]"
    scenario = f"{cell.scenario}, {cell.variant}" if cell.variant else cell.scenario
    return (
        scenario,
        cell.method,
        str(cell.n),
        f"{percent(cell.success)}{paper_success}",
        beside("steps", cell.means["steps"], 1),
        beside("context", cell.means["context"]),
        _number(cell.means["planner_calls"].value, 1),
        _number(cell.means["stale_visits"].value, 2),
        _number(cell.means["path_m"].value, 1),
        ", ".join(f"{cause} {count:.2f}" for cause, count in cell.replans.items()) or "none",
    )


def _ablation_row(summary: Summary, cell: Cell, extra: Sequence[str]) -> Row:
    calls, context, steps = (cell.means[name] for name in ("planner_calls", "context", "steps"))
    planner = summary.run.study.arms[cell.arm].planner
    return (
        cell.variant or cell.scenario,
        cell.method if planner == "policy" else f"{cell.method}, {planner}",
        str(cell.n),
        percent(cell.success),
        f"{_number(steps.value, 1)} ({bounds(steps, 1)})",
        _number(context.value, 0),
        _number(context.value / calls.value, 0) if calls.value else "",
        _number(calls.value, 1),
        _number(cell.means["stale_visits"].value, 2),
        *(_number(cell.means[name].value, 2) if name in cell.means else "" for name in extra),
    )


def _difference_row(found: dict[str, Difference], their_context: float) -> Row:
    success, steps, context = (found[metric] for metric in ("success", "steps", "context"))
    paper = published()

    def beside(each: Difference, scale: float, digits: int) -> str:
        printed = (
            None if each.variant else paper.difference(each.scenario, each.method, each.minus, each.metric)
        )
        return f"{spread(each.estimate, scale, digits)}{_printed(printed, scale, digits)}"

    printed = (
        None
        if context.variant
        else paper.difference(context.scenario, context.method, context.minus, "context")
    )
    relative = 100 * context.estimate.value / their_context
    of_paper = "" if printed is None or printed.relative is None else f" [{100 * printed.relative:+.1f}]"
    return (
        f"{success.scenario}, {success.variant}" if success.variant else success.scenario,
        f"{success.method} − {success.minus}",
        str(success.pairs),
        beside(success, 100, 1),
        beside(steps, 1, 1),
        spread(context.estimate, 1, 0),
        f"{relative:+.1f}{of_paper}",
    )


def _printed(printed: PrintedDifference | None, scale: float, digits: int) -> str:
    if printed is None:
        return ""
    interval = ""
    if printed.low is not None and printed.high is not None:
        interval = f", {scale * printed.low:+.{digits}f} to {scale * printed.high:+.{digits}f}"
    return f" [{scale * printed.value:+.{digits}f}{interval}]"


def spread(estimate: Estimate, scale: float, digits: int) -> str:
    """A difference with its sign, and its interval, or a dash where it has none."""
    if not estimate.has_interval:
        return f"{scale * estimate.value:+,.{digits}f} ({NO_INTERVAL})"
    low, high = (f"{scale * bound:+,.{digits}f}" for bound in (estimate.low, estimate.high))
    return f"{scale * estimate.value:+,.{digits}f} ({low} to {high})"


def bounds(mean: Estimate, digits: int) -> str:
    """A mean's interval, or a dash where it has none."""
    return f"{_number(mean.low, digits)}–{_number(mean.high, digits)}" if mean.has_interval else NO_INTERVAL


def percent(share: Estimate) -> str:
    """A share with its interval."""
    return f"{100 * share.value:.1f} ({100 * share.low:.1f}–{100 * share.high:.1f})"


def _number(value: float, digits: int) -> str:
    return f"{value:,.{digits}f}"


def _figure_document(figure: Figure) -> dict[str, Any]:
    interval = None if figure.low is None else [figure.low, figure.high]
    return {"value": figure.value, "interval": interval, "n": figure.n, "where": figure.where}


def _difference_document(each: Difference) -> dict[str, Any]:
    printed = (
        None if each.variant else published().difference(each.scenario, each.method, each.minus, each.metric)
    )
    return {
        "scenario": each.scenario,
        "variant": each.variant,
        "method": each.method,
        "minus": each.minus,
        "metric": each.metric,
        "pairs": each.pairs,
        "value": each.estimate.value,
        "interval": [each.estimate.low, each.estimate.high],
        "published": None
        if printed is None
        else {
            "value": printed.value,
            "interval": None if printed.low is None else [printed.low, printed.high],
            "relative": printed.relative,
            "where": printed.where,
        },
    }
