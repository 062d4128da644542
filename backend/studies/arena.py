"""An arena run's report: Table II (ADM-Planner, section V-C), and what every report of memories has."""

from __future__ import annotations

from backend.evaluation.charts.figures import mean_chart, success_chart
from backend.evaluation.report import shortfalls
from backend.evaluation.summary import Cell, Summary
from backend.studies.memory import Seeds, beside_the_table, chart, group_of
from backend.studies.values import value_of
from backend.web.builders import words
from backend.web.pages.environment import url
from backend.web.pages.evaluation import Column, Section, Table, TableRow, Value

COLUMNS = {
    "success": "Success, %",
    "stale_visits": "Stale visits",
    "context": "Context, units",
    "planner_calls": "Calls",
    "successful_steps": "Time, s",
    "successful_path_m": "Way, m",
}


def arena_sections(summary: Summary, seeds: Seeds) -> tuple[Section, ...]:
    table = Table(
        caption="Success, context, time and way of each memory in the arena",
        columns=(
            Column(label="Memory", is_figure=False),
            *[Column(label=label) for label in COLUMNS.values()],
        ),
        rows=tuple([_row(summary, cell) for cell in summary.cells]),
    )
    return (
        Section(
            id="cells",
            title="Table II",
            note="Each cell opens its episodes. Time and way are of the successful ones, as in the paper.",
            charts=(
                chart("success", success_chart(summary)),
                chart("context", mean_chart(summary, "context")),
            ),
            table=table,
            notes=tuple(shortfalls(summary)),
        ),
        *beside_the_table(summary, seeds),
    )


def _row(summary: Summary, cell: Cell) -> TableRow:
    head = Value(
        text=cell.method,
        interval=words.counted(cell.n, "seed"),
        href=url("evaluation", summary.run.id, "cells", cell.arm),
    )
    return TableRow(values=(head, *[value_of(cell, metric) for metric in COLUMNS]), group=group_of(cell))
