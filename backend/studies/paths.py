"""One seed's ways under each memory, side by side on the map (ADM-Planner, Fig. 3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.evaluation.charts.paths import path_chart
from backend.studies.addresses import compare_address
from backend.studies.cells import WORDS
from backend.studies.memory import chart
from backend.studies.values import number
from backend.usecases.recordings import Trajectory
from backend.usecases.results import Arm, EpisodeResult, Run
from backend.web.pages import figures
from backend.web.pages.chrome import Chrome
from backend.web.pages.environment import url
from backend.web.pages.evaluation import Chart, Column, PathsPage, Table, TableRow, Value
from backend.web.pages.parts import Link, Notice

SEEDS = 12
"""Links to the seeds beside this one."""


class Walked(Struct, frozen=True):
    """An episode with its way. `address`: where it opens; `notice`: what is to be said of it."""

    index: int
    arm: Arm
    row: EpisodeResult
    trajectory: Trajectory
    address: str
    notice: Notice | None = None


def beside(run: Run, index: int) -> list[int]:
    """The arms that share scenario and variant with this one: the methods to be seen side by side."""
    mine = run.study.arms[index]
    return [
        place
        for place, arm in enumerate(run.study.arms)
        if (arm.scenario, arm.variant, arm.parameters) == (mine.scenario, mine.variant, mine.parameters)
    ]


def paths_page(chrome: Chrome, run: Run, index: int, seed: int, walked: Sequence[Walked]) -> PathsPage:
    arm = run.study.arms[index]
    scenario = f"{arm.scenario.upper()}{', ' + arm.variant if arm.variant else ''}"
    return PathsPage(
        chrome=chrome,
        run=run.id,
        title=f"Ways of seed {seed}",
        lead=f"{scenario}, the same events under each memory. A line a trip, from one delivery to the next.",
        charts=tuple([_chart(each) for each in walked]),
        table=_table(walked),
        seeds=tuple(
            [
                Link(label=str(other), href=url("evaluation", run.id, "cells", index, "paths", seed=other))
                for other in _near(run, seed)
            ]
        ),
        notices=tuple([each.notice for each in walked if each.notice is not None]),
    )


def _chart(each: Walked) -> Chart:
    return chart(f"way-{each.index}", path_chart(_title(each), each.trajectory))


def _title(each: Walked) -> str:
    row = each.row
    ended = "" if row.success else f", {WORDS.get(row.outcome, row.outcome).lower()}"
    return f"{each.arm.method}: {row.delivered} delivered in {row.steps} steps{ended}"


def _near(run: Run, seed: int) -> range:
    first = run.study.first_seed
    last = first + run.study.seeds
    start = max(first, min(seed - SEEDS // 2, last - SEEDS))
    return range(start, min(last, start + SEEDS))


def _table(walked: Sequence[Walked]) -> Table:
    labels = ("Steps", "Way, m", "Picked", "In vain", "Calls", "Context", "Compare", "Order of picking")
    return Table(
        caption="The same in figures",
        columns=(
            Column(label="Memory", is_figure=False),
            *[Column(label=label, is_figure=label not in labels[-2:]) for label in labels],
        ),
        rows=tuple([_row(each, _other(each, walked)) for each in walked]),
    )


def _other(each: Walked, walked: Sequence[Walked]) -> Walked | None:
    """Whom it is held against: the first method, and that one against the second."""
    return next((other for other in walked if other.index != each.index), None)


def _row(each: Walked, other: Walked | None) -> TableRow:
    picked = [visit.entity for visit in each.trajectory.visits if visit.picked]
    in_vain = [visit for visit in each.trajectory.visits if visit.reason == "absent"]
    values = (
        Value(text=each.arm.method, interval="open the episode", href=each.address),
        Value(text=figures.count(each.row.steps)),
        Value(text=number(each.row.path_m, 0)),
        Value(text=str(len(picked))),
        Value(text=str(len(in_vain))),
        Value(text=str(each.row.planner_calls)),
        Value(text=figures.count(each.row.context)),
        Value(text="–")
        if other is None
        else Value(text=f"beside {other.arm.method}", href=compare_address(each.address, other.address)),
        Value(text=", ".join(picked)),
    )
    return TableRow(values=values)
