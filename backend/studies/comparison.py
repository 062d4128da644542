"""Two runs side by side: the second minus the first in every cell that both have, and what else differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from backend.evaluation.charts.rows import Row, interval_chart
from backend.evaluation.comparison import Compared
from backend.evaluation.statistics import Estimate
from backend.studies.memory import chart
from backend.studies.runs import run_row, seeds_of
from backend.studies.values import scale_of, signed, signed_interval
from backend.usecases.results import Arm, Run
from backend.web.builders import words
from backend.web.pages.chrome import Chrome
from backend.web.pages.environment import url
from backend.web.pages.evaluation import Column, ComparePage, Section, Table, TableRow, Value
from backend.web.pages.parts import Empty, Link

SHOWN = {
    "success": "Success, points",
    "steps": "Steps",
    "context": "Context, units",
    "stale_visits": "Stale visits",
}
Compareds = Sequence[Compared]


def compare_page(
    chrome: Chrome, first: Run, second: Run, compared: Compareds, *, version: str, now_s: float
) -> ComparePage:
    """`compared`: empty where the two have no cell with a seed in common."""
    return ComparePage(
        chrome=chrome,
        first=run_row(first, version, now_s),
        second=run_row(second, version, now_s),
        differing=tuple(_differing(first, second)),
        sections=_sections(first, second, compared) if compared else (),
        empty=None if compared else _nothing_shared(first),
    )


def _sections(first: Run, second: Run, compared: Compareds) -> tuple[Section, ...]:
    charts = tuple(
        chart(metric, _chart(compared, metric, f"{label}: run {second.id} minus run {first.id}", label))
        for metric, label in (("success", SHOWN["success"]), ("steps", SHOWN["steps"]))
    )
    return (
        Section(
            id="cells",
            title=f"Run {second.id} minus run {first.id}",
            note="Seed by seed over the seeds that both have, with the paired bootstrap’s 95 % interval.",
            charts=charts,
            table=_table(first, second, compared),
        ),
    )


def _table(first: Run, second: Run, compared: Compareds) -> Table:
    return Table(
        caption="Differences in each cell",
        columns=(
            Column(label="Memory", is_figure=False),
            *[Column(label=label) for label in SHOWN.values()],
            *[Column(label=f"Run {run.id}", is_figure=False) for run in (first, second)],
        ),
        rows=tuple([_row(first, second, each) for each in compared]),
    )


def _row(first: Run, second: Run, each: Compared) -> TableRow:
    figures = [_value(metric, each.differences[metric]) for metric in SHOWN]
    return TableRow(
        group=_group(each),
        values=(
            Value(text=each.method, interval=words.counted(each.pairs, "pair")),
            *figures,
            Value(text="Episodes", href=url("evaluation", first.id, "cells", each.first_arm)),
            Value(text="Episodes", href=url("evaluation", second.id, "cells", each.second_arm)),
        ),
    )


def _value(metric: str, estimate: Estimate) -> Value:
    factor, digits = scale_of(metric)
    return Value(
        text=signed(factor * estimate.value, digits), interval=signed_interval(estimate, factor, digits)
    )


def _chart(compared: Compareds, metric: str, title: str, label: str) -> str:
    factor, _ = scale_of(metric)
    rows = []
    for each in compared:
        value, low, high = (
            factor * getattr(each.differences[metric], name) for name in ("value", "low", "high")
        )
        rows.append(Row(each.method, value, low, high, _group(each)))
    return interval_chart(title, label, rows, zero=True)


def _group(each: Compared) -> str:
    return f"{each.scenario.upper()}{', ' + each.variant if each.variant else ''}"


def _differing(first: Run, second: Run) -> Iterator[tuple[str, str, str]]:
    told = (
        ("Version", first.code_version, second.code_version),
        ("Seeds", seeds_of(first), seeds_of(second)),
        ("Kind", first.study.kind, second.study.kind),
        ("Study", first.study.name, second.study.name),
    )
    yield from (each for each in told if each[1] != each[2])
    ours, theirs = _named(first), _named(second)
    for name in [*ours, *(each for each in theirs if each not in ours)]:
        if name not in ours or name not in theirs:
            yield name, _has(name in ours), _has(name in theirs)
            continue
        before, after = _flat(ours[name]), _flat(theirs[name])
        for field in sorted({*before, *after}):
            if before.get(field) != after.get(field):
                yield f"{name}: {field}", before.get(field, "–"), after.get(field, "–")


def _named(run: Run) -> dict[str, Arm]:
    return {
        ", ".join(part for part in (arm.scenario.upper(), arm.method, arm.variant) if part): arm
        for arm in run.study.arms
    }


def _has(is_there: bool) -> str:
    return "has the cell" if is_there else "does not"


def _flat(arm: Arm) -> Mapping[str, str]:
    """Every setting of an arm by its dotted name."""

    def walk(value: Any, name: str) -> Iterator[tuple[str, str]]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from walk(inner, f"{name}.{key}" if name else str(key))
        else:
            yield name, f"{value:g}" if isinstance(value, float) else str(value)

    return dict(walk(msgspec.to_builtins(arm), ""))


def _nothing_shared(first: Run) -> Empty:
    return Empty(
        title="The two have no cell with a seed in common",
        text="Compare runs of the same scenarios, methods and seeds.",
        way=Link(label=f"Run {first.id}", href=url("evaluation", first.id)),
    )
