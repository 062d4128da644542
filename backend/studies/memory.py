"""A memory run's report: Table I, what of it is not met, success and context, differences, seeds, replans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from markupsafe import Markup

from backend.evaluation.charts.bars import BarRow, stacked_chart
from backend.evaluation.charts.figures import difference_chart, mean_chart, seed_chart, success_chart
from backend.evaluation.report import shortfalls
from backend.evaluation.summary import Cell, Difference, Summary
from backend.studies.values import difference_of, number, value_of
from backend.usecases.results import EpisodeResult
from backend.web.builders import words
from backend.web.pages.environment import url
from backend.web.pages.evaluation import Chart, Column, Section, Table, TableRow, Value

SEEDS_DRAWN = 200
"""Seeds of a cell that the dot plot shows, the first ones; more would be a smear."""

COLUMNS = {
    "success": "Success, %",
    "steps": "Steps",
    "context": "Context, units",
    "planner_calls": "Calls",
    "stale_visits": "Stale visits",
    "path_m": "Way, m",
}
Seeds = Mapping[int, Sequence[EpisodeResult]]
"""Arm -> its first episodes by seed."""


def memory_sections(summary: Summary, seeds: Seeds) -> tuple[Section, ...]:
    sections = (table_one(summary), _methods(summary), *beside_the_table(summary, seeds))
    return tuple(sections)


def beside_the_table(summary: Summary, seeds: Seeds) -> list[Section]:
    """Differences, seeds and replans, whichever table they belong to."""
    differences = [_differences(summary)] if summary.differences else []
    return [*differences, *_seeds(summary, seeds), replans(summary)]


def table_one(summary: Summary) -> Section:
    return Section(
        id="cells",
        title="Table I",
        note="Each cell opens its episodes. Intervals are at 95 %: Wilson’s for success, else the bootstrap.",
        table=Table(
            caption="Success, length and context of each memory in each scenario",
            columns=_columns(COLUMNS.values()),
            rows=tuple([cell_row(summary, cell) for cell in summary.cells]),
        ),
        notes=tuple(shortfalls(summary)),
    )


def cell_row(summary: Summary, cell: Cell, name: str = "") -> TableRow:
    head = Value(
        text=name or cell.method,
        interval=f"{cell.n} seed" + ("" if cell.n == 1 else "s"),
        href=url("evaluation", summary.run.id, "cells", cell.arm),
    )
    return TableRow(values=(head, *[value_of(cell, metric) for metric in COLUMNS]), group=group_of(cell))


def group_of(each: Cell | Difference) -> str:
    return f"{each.scenario.upper()}{', ' + each.variant if each.variant else ''}"


def _methods(summary: Summary) -> Section:
    return Section(
        id="methods",
        title="Success, context and length",
        note="Marks are means with their 95 % interval; rings are what the paper prints. Context is on a "
        "logarithmic axis.",
        charts=(
            chart("success", success_chart(summary)),
            chart("context", mean_chart(summary, "context", is_log=True)),
            chart("steps", mean_chart(summary, "steps")),
        ),
        notes=("Table I has the same figures.",),
    )


def _differences(summary: Summary) -> Section:
    method = summary.differences[0].method
    return Section(
        id="differences",
        title=f"Paired differences: {method} minus each other",
        note="Seed by seed over the same tapes, with the paired bootstrap’s 95 % interval; rings are the "
        "paper’s. An interval that holds 0 leaves open which is better.",
        charts=(
            chart("difference-success", difference_chart(summary, "success")),
            chart("difference-steps", difference_chart(summary, "steps")),
        ),
        table=difference_table(summary),
    )


def difference_table(summary: Summary) -> Table:
    by_row: dict[tuple[str, str, str], dict[str, Difference]] = {}
    for each in summary.differences:
        by_row.setdefault((each.scenario, each.variant, each.minus), {})[each.metric] = each
    means = {(c.scenario, c.variant, c.method): c.means["context"].value for c in summary.cells}
    rows = [
        TableRow(
            group=group_of(found["success"]),
            values=(
                Value(text=f"− {minus}", interval=words.counted(found["success"].pairs, "pair")),
                difference_of(found["success"]),
                difference_of(found["steps"]),
                difference_of(found["context"], their_mean=means[scenario, variant, minus]),
                difference_of(found["stale_visits"]),
            ),
        )
        for (scenario, variant, minus), found in by_row.items()
    ]
    labels = ("Success, points", "Steps", "Context, units", "Stale visits")
    return Table(caption="Paired differences between methods", columns=_columns(labels), rows=tuple(rows))


def _seeds(summary: Summary, seeds: Seeds) -> list[Section]:
    """A chart a scenario, and the spread of each method's lengths in figures."""
    arms = summary.run.study.arms
    groups: dict[str, list[Cell]] = {}
    for cell in summary.cells:
        groups.setdefault(group_of(cell), []).append(cell)
    charts = tuple(
        chart(
            f"seeds-{place}",
            seed_chart(arms, {cell.arm: seeds[cell.arm] for cell in cells}, "steps").replace(
                "Steps of every seed", f"{group}: steps of every seed"
            ),
        )
        for place, (group, cells) in enumerate(groups.items())
    )
    drawn = max((len(rows) for rows in seeds.values()), default=0)
    more = max((cell.n for cell in summary.cells), default=0) > drawn
    return [
        Section(
            id="seeds",
            title="Every seed",
            note="A dot an episode, a diamond one that failed.",
            charts=charts,
            table=_spread(summary, seeds),
            notes=(f"Drawn and counted here: the first {drawn} seeds of each cell.",) if more else (),
        )
    ]


def _spread(summary: Summary, seeds: Seeds) -> Table:
    rows = []
    for cell in summary.cells:
        steps = np.asarray([row.steps for row in seeds[cell.arm]], dtype=np.float64)
        failed = sum(not row.success for row in seeds[cell.arm])
        quartiles = [number(float(each), 0) for each in np.percentile(steps, (0, 25, 50, 75, 100))]
        values = [Value(text=cell.method), *[Value(text=each) for each in quartiles], Value(text=str(failed))]
        rows.append(TableRow(values=tuple(values), group=group_of(cell)))
    labels = ("Shortest", "First quarter", "Median", "Third quarter", "Longest", "Failed")
    return Table(
        caption="How the lengths of single episodes spread", columns=_columns(labels), rows=tuple(rows)
    )


def replans(summary: Summary) -> Section:
    causes = sorted({cause for cell in summary.cells for cause in cell.replans})
    bars = [BarRow(cell.method, dict(cell.replans), group_of(cell)) for cell in summary.cells]
    rows = [
        TableRow(
            group=group_of(cell),
            values=(
                Value(text=cell.method),
                *[Value(text=number(cell.replans.get(cause, 0.0), 2)) for cause in causes],
            ),
        )
        for cell in summary.cells
    ]
    return Section(
        id="replans",
        title="Replans by cause",
        note="Mean an episode. Changed: what the plan rests on changed; failed: a skill did.",
        charts=(chart("replans", stacked_chart("Replans by cause", "Replans an episode", bars)),),
        table=Table(
            caption="Mean replans an episode by cause",
            columns=_columns([cause.capitalize() for cause in causes]),
            rows=tuple(rows),
        ),
    )


def chart(name: str, svg: str) -> Chart:
    """The charts escape their own texts, so that the picture is markup already."""
    return Chart(name=name, svg=Markup(svg))


def _columns(labels: Iterable[str]) -> tuple[Column, ...]:
    return (Column(label="Memory", is_figure=False), *[Column(label=each) for each in labels])
