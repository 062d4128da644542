"""A live model's report (ADM-Planner, section V-B): deliveries, tokens as the provider counts them, calls and
latency of each memory, and each seed's ways side by side.
"""

from __future__ import annotations

from backend.evaluation.charts.figures import label_of, mean_chart
from backend.evaluation.report import shortfalls
from backend.evaluation.summary import METRICS, Cell, Summary
from backend.studies.memory import chart, group_of, replans
from backend.studies.values import difference_of, value_of
from backend.web.builders import words
from backend.web.pages.environment import url
from backend.web.pages.evaluation import Column, Section, Table, TableRow, Value
from backend.web.pages.parts import Link

FIRST = ("success", "deliveries", "input_tokens", "total_tokens", "model_calls", "latency_s")
"""What the paper reports, in its order; whatever else was measured follows."""
DRAWN = ("input_tokens", "total_tokens", "model_calls", "latency_s")
OTHER_MODEL = "The paper asked gpt-5-mini-2025-08-07; another model differs from it by what it is."
LAST = ("steps", "context", "planner_calls", "stale_visits")
LABELS = {
    "deliveries": "Deliveries",
    "input_tokens": "Input tokens",
    "total_tokens": "Total tokens",
    "model_calls": "Calls to the model",
    "latency_s": "Latency, s",
    "query_size": "≈ Text of the query",
    "cost_usd": "Cost, $",
}


def planner_sections(summary: Summary) -> tuple[Section, ...]:
    measured = {name for cell in summary.cells for name in cell.means} | {"success"}
    extra = sorted(measured - set(METRICS) - set(FIRST))
    metrics = [name for name in (*FIRST, *extra, *LAST) if name in measured]
    drawn = [name for name in DRAWN if name in measured]
    sections = [
        Section(
            id="cells",
            title="Tokens, calls and latency",
            note="Means a mission, tokens as the provider reports them. Each row opens its episodes.",
            charts=tuple([chart(name, mean_chart(summary, name)) for name in drawn]),
            table=Table(
                caption="The live model under each memory",
                columns=(Column(label="Memory", is_figure=False), *[_column(name) for name in metrics]),
                rows=tuple([_row(summary, cell, metrics) for cell in summary.cells]),
            ),
            notes=(*shortfalls(summary), OTHER_MODEL),
        ),
        _ways(summary),
    ]
    if summary.differences:
        method = summary.differences[0].method
        sections.append(
            Section(
                id="differences",
                title=f"Paired differences: {method} minus each other",
                note="Seed by seed, with the paired bootstrap’s 95 % interval. Few seeds leave much open.",
                table=_changes(summary, metrics),
            )
        )
    return (*sections, replans(summary))


def _column(name: str) -> Column:
    return Column(label="Success, %" if name == "success" else LABELS.get(name, label_of(name)))


def _row(summary: Summary, cell: Cell, metrics: list[str]) -> TableRow:
    planner = summary.run.study.arms[cell.arm].planner
    head = Value(
        text=cell.method,
        interval=f"{planner}, {words.counted(cell.n, 'seed')}",
        href=url("evaluation", summary.run.id, "cells", cell.arm),
    )
    return TableRow(values=(head, *[value_of(cell, name) for name in metrics]), group=group_of(cell))


def _changes(summary: Summary, metrics: list[str]) -> Table:
    """A row a metric and pair of memories, in the order of the table above."""
    means = {(cell.variant, cell.method): cell.means for cell in summary.cells}
    rows = []
    for metric in metrics:
        for each in summary.differences:
            if each.metric == metric:
                theirs = means[each.variant, each.minus].get(metric)
                head = Value(
                    text=_column(metric).label,
                    interval=f"− {each.minus}, {words.counted(each.pairs, 'pair')}",
                )
                change = difference_of(each, their_mean=None if theirs is None else theirs.value)
                rows.append(TableRow(values=(head, change)))
    return Table(
        caption="Paired differences in what the model was asked and answered",
        columns=(Column(label="Measured", is_figure=False), Column(label="Difference")),
        rows=tuple(rows),
    )


def _ways(summary: Summary) -> Section:
    """As in the paper's Fig. 3: one seed, both memories."""
    run = summary.run
    arm = summary.cells[0].arm
    return Section(
        id="ways",
        title="Ways",
        note="Each seed on its map, the memories side by side.",
        links=tuple(
            [
                Link(label=f"Seed {seed}", href=url("evaluation", run.id, "cells", arm, "paths", seed=seed))
                for seed in range(run.study.first_seed, run.study.first_seed + min(run.study.seeds, 24))
            ]
        ),
    )
