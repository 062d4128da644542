"""An ablation's report: its question, its curves, and every arm in figures."""

from __future__ import annotations

from backend.evaluation.ablations import ABLATIONS, Ablation, ablation
from backend.evaluation.charts.figures import ablation_charts, label_of
from backend.evaluation.summary import METRICS, Cell, Summary
from backend.studies.memory import chart
from backend.studies.values import number, value_of
from backend.usecases.results import Run
from backend.web.builders import words
from backend.web.pages.environment import url
from backend.web.pages.evaluation import Column, Section, Table, TableRow, Value

SHOWN = ("success", "steps", "context", "planner_calls", "stale_visits")


def known_ablation(run: Run) -> Ablation | None:
    """The ablation that the run is of, as this version has it; None where its arms are others by now."""
    if run.study.name not in ABLATIONS:
        return None
    found = ablation(run.study.name)
    return found if found.arms == run.study.arms else None


def ablation_sections(summary: Summary, of: Ablation | None) -> tuple[Section, ...]:
    """Without `of` there is no axis to draw along, and the table stands alone."""
    table = _table(summary)
    if of is None:
        return (Section(id="cells", title="Arms", note=_UNDRAWN, table=table),)
    charts = tuple([chart(metric, drawn) for metric, drawn in ablation_charts(of, summary).items()])
    return (
        Section(
            id="curves",
            title="Curves" if not of.is_named else "Variants",
            note="Whiskers are 95 % intervals; a series is told by its mark and dashes.",
            charts=charts,
            notes=("The table below has the same figures.",),
        ),
        Section(id="cells", title="Arms", note="Each arm opens its episodes.", table=table),
    )


_UNDRAWN = (
    "This version has no ablation of this name with the same arms, so that there is no axis to draw along."
)


def _table(summary: Summary) -> Table:
    extra = sorted({name for cell in summary.cells for name in cell.means} - set(METRICS))
    labels = [
        *("Success, %", "Steps", "Context, units", "Calls", "Stale visits"),
        "Context a call",
        *map(label_of, extra),
    ]
    return Table(
        caption="Every arm of the ablation",
        columns=(Column(label="Variant", is_figure=False), *[Column(label=label) for label in labels]),
        rows=tuple([_row(summary, cell, extra) for cell in summary.cells]),
    )


def _row(summary: Summary, cell: Cell, extra: list[str]) -> TableRow:
    arm = summary.run.study.arms[cell.arm]
    calls, context = cell.means["planner_calls"].value, cell.means["context"].value
    planner = "" if arm.planner == "policy" else f", {arm.planner}"
    head = Value(
        text=cell.variant or cell.scenario,
        interval=f"{cell.method}{planner}, {words.counted(cell.n, 'seed')}",
        href=url("evaluation", summary.run.id, "cells", cell.arm),
    )
    values = [value_of(cell, metric) for metric in SHOWN]
    a_call = Value(text=number(context / calls, 0) if calls else "–")
    return TableRow(values=(head, *values, a_call, *[value_of(cell, name) for name in extra]))
