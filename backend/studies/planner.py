"""A live model's report (ADM-Planner, section V-B): deliveries, tokens as the provider counts them, calls and
latency of each memory, and each seed's ways side by side.
"""

from __future__ import annotations

from backend.evaluation.charts.figures import label_of, mean_chart
from backend.evaluation.report import shortfalls
from backend.evaluation.summary import METRICS, Cell, Summary
from backend.studies.memory import chart, group_of, replans
from backend.studies.runs import asks_nobody
from backend.studies.values import difference_of, value_of
from backend.web.builders import words
from backend.web.pages.environment import url
from backend.web.pages.evaluation import Column, Section, Table, TableRow, Value
from backend.web.pages.parts import Link

FIRST = ("success", "deliveries", "input_tokens", "total_tokens", "model_calls", "latency_s")
"""What the paper reports, in its order; whatever else was measured follows."""
DRAWN = ("input_tokens", "total_tokens", "model_calls", "latency_s")
OTHER_MODEL = "The paper asked gpt-5-mini-2025-08-07; another model differs from it by what it is."
NO_MODEL = "The paper asked gpt-5-mini-2025-08-07; here the policy planned, and no model was asked."
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
    first = [name for name in FIRST if name in measured]
    rest = [name for name in (*extra, *LAST) if name in measured]
    by_policy = asks_nobody(summary.run.study)
    who = "The policy" if by_policy else "The live model"
    drawn = [name for name in DRAWN if name in measured]
    sections = [
        Section(
            id="cells",
            title="Tokens, calls and latency",
            note="Means a mission, tokens as the provider reports them. Each row opens its episodes.",
            charts=tuple([chart(name, mean_chart(summary, name)) for name in drawn]),
            table=_table(summary, f"{who} under each memory", first),
            notes=(*shortfalls(summary), NO_MODEL if by_policy else OTHER_MODEL),
        ),
        Section(
            id="rest",
            title="What else was measured",
            note="Means a mission.",
            table=_table(summary, "What else was measured under each memory", rest),
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
                table=_changes(summary, [*first, *rest]),
            )
        )
    return (*sections, replans(summary))


def _table(summary: Summary, caption: str, metrics: list[str]) -> Table:
    return Table(
        caption=caption,
        columns=(Column(label="Memory", is_figure=False), *[_column(name) for name in metrics]),
        rows=tuple([_row(summary, cell, metrics) for cell in summary.cells]),
    )


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
