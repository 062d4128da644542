"""A cell's episodes, failures first, each open for replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from backend.domain.hindsight.labels import LABELS as CAUSES
from backend.evaluation.tabletop_arms import is_table
from backend.studies.runs import notices_of
from backend.studies.values import number
from backend.usecases.results import Arm, EpisodeResult, Run
from backend.web.pages import figures
from backend.web.pages.chrome import Chrome
from backend.web.pages.environment import url
from backend.web.pages.evaluation import CellPage, Column, Table, TableRow, Value
from backend.web.pages.parts import Empty, Link

PAGE = 100
WORDS = {
    "completed": "Complete",
    "budget": "Out of budget",
    "asks a person": "Asks a person",
    "failed": "Failed",
}
LABELS = ("Outcome", "Steps", "Context", "Calls", "Stale visits", "Delivered", "Way, m", "Replans")
AT_TABLE = ("Outcome", "Steps", "Tokens", "Calls", "Images", "in the demonstration", "returned")
"""Of an episode at a table, where nothing is visited or delivered."""


class Beside(Struct, frozen=True):
    """Another method's episodes of the same seeds: `addresses` of the comparisons, one a row; empty where it
    has none."""

    method: str
    addresses: Sequence[str]


def cell_page(
    chrome: Chrome,
    run: Run,
    index: int,
    rows: Sequence[EpisodeResult],
    *,
    page: int,
    total: int,
    version: str,
    addresses: Sequence[str],
    beside: Beside | None = None,
    labelled: Mapping[int, Mapping[str, int]] | None = None,
) -> CellPage:
    """`rows`: page `page` (from 0) of `total` episodes; `addresses`: where each of them opens. `beside`: what
    each is to be compared with. `labelled`: by seed of the whole cell, how often people gave each label."""
    arm = run.study.arms[index]
    first = page * PAGE
    here = url("evaluation", run.id, "cells", index)
    return CellPage(
        chrome=chrome,
        run=run.id,
        title=name_of(arm),
        lead=lead_of(arm),
        table=_table(rows, addresses, beside, labelled or {}, is_table(arm)) if rows else None,
        labels=_labels(labelled or {}, total),
        shown=f"{first + 1} to {first + len(rows)} of {figures.count(total)}" if rows else "",
        before=Link(label="Before", href=f"{here}?page={page - 1}") if page > 0 and rows else None,
        after=Link(label="After", href=f"{here}?page={page + 1}") if first + len(rows) < total else None,
        trajectories=_ways(here, rows[0].seed) if rows and not is_table(arm) else None,
        notices=notices_of(run, version),
        empty=None if rows else _empty(run, total),
    )


def _ways(here: str, seed: int) -> Link:
    return Link(label="Ways side by side", href=f"{here}/paths?seed={seed}")


def name_of(arm: Arm) -> str:
    return f"{arm.scenario.upper()}, {arm.method}{', ' + arm.variant if arm.variant else ''}"


def lead_of(arm: Arm) -> str:
    """What about the arm is not as the paper has it, and what plans."""
    attention = arm.memory.attention
    told = [f"Planner {arm.planner}"]
    if is_table(arm):
        told += [f"{name.replace('_', ' ')} {value}" for name, value in arm.asked.items()]
    if arm.memory.entities == "attention":
        told.append(f"K {attention.k}, threshold {attention.threshold:g}, decay {attention.decay_s:g} s")
    told += [f"{name.replace('_', ' ')} {value:g}" for name, value in arm.parameters.items()]
    if arm.tolerance_m is not None:
        told.append(f"pose tolerance {arm.tolerance_m:g} m")
    return ". ".join([told[0], ", ".join(told[1:])]) + "." if len(told) > 1 else f"{told[0]}."


def _labels(labelled: Mapping[int, Mapping[str, int]], total: int) -> str:
    """Of how many episodes people gave each label, in a sentence."""
    if not labelled:
        return ""
    counts = Counter(label for each in labelled.values() for label in each)
    told = ", ".join(f"{words.lower()} {counts[label]}" for label, words in CAUSES.items() if counts[label])
    return f"People labelled {len(labelled)} of {figures.count(total)}: {told}."


def _table(
    rows: Sequence[EpisodeResult],
    addresses: Sequence[str],
    beside: Beside | None,
    labelled: Mapping[int, Mapping[str, int]],
    at_table: bool,
) -> Table:
    others = beside.addresses if beside is not None else [""] * len(rows)
    method = beside.method if beside is not None else ""
    compared = (Column(label="Compare", is_figure=False),) if beside is not None else ()
    told = (Column(label="Labels", is_figure=False),) if labelled else ()
    shown = AT_TABLE if at_table else LABELS
    return Table(
        caption="Episodes, failures first, then by seed",
        columns=(
            Column(label="Episode" if at_table else "Seed", is_figure=False),
            *[Column(label=label, is_figure=label not in ("Outcome", "Replans")) for label in shown],
            *told,
            *compared,
        ),
        rows=tuple(
            [
                _row(row, address, method, other, _said(labelled, row.seed))
                for row, address, other in zip(rows, addresses, others, strict=True)
            ]
        ),
    )


def _said(labelled: Mapping[int, Mapping[str, int]], seed: int) -> tuple[Value, ...]:
    """An episode's labels; no value at all where the cell has none."""
    if not labelled:
        return ()
    return (Value(text=", ".join(CAUSES[label].lower() for label in labelled.get(seed, {})) or "–"),)


def _row(row: EpisodeResult, address: str, method: str, other: str, labels: tuple[Value, ...]) -> TableRow:
    values = (
        Value(text=str(row.seed), href=address),
        Value(text=WORDS.get(row.outcome, row.outcome.capitalize()), is_odd=not row.success),
        *(_at_table(row) if "images" in row.extra else _on_floor(row)),
        *labels,
        *((Value(text=f"beside {method}" if other else "–", href=other),) if method else ()),
    )
    return TableRow(values=values)


def _on_floor(row: EpisodeResult) -> tuple[Value, ...]:
    causes = ", ".join(f"{cause} {count}" for cause, count in row.replans.items())
    return (
        Value(text=figures.count(row.steps)),
        Value(text=figures.count(row.context)),
        Value(text=str(row.planner_calls)),
        Value(text=str(row.stale_visits)),
        Value(text=str(row.delivered)),
        Value(text=number(row.path_m, 0)),
        Value(text=causes or "none"),
    )


def _at_table(row: EpisodeResult) -> tuple[Value, ...]:
    counted = (row.extra[name] for name in ("images", "images_demonstration", "images_returned"))
    return (
        Value(text=figures.count(row.steps)),
        Value(text=figures.count(row.context)),
        Value(text=str(row.planner_calls)),
        *[Value(text=figures.count(int(count))) for count in counted],
    )


def _empty(run: Run, total: int) -> Empty:
    back = Link(label=f"Run {run.id}", href=url("evaluation", run.id))
    if total:
        return Empty(title="There are no more episodes", text=f"The cell has {total}.", way=back)
    return Empty(
        title="No episode of this cell is there yet",
        text="The run has not come so far. Its page shows what it does.",
        way=back,
    )
