"""Evaluation: runs, a run's report, a cell, ways, two runs beside each other, and an evaluation's episode."""

import msgspec
from markupsafe import Markup

from backend.evaluation.charts.bars import BarRow, stacked_chart
from backend.evaluation.charts.paths import path_chart
from backend.evaluation.charts.rows import DotRow, Row, dot_chart, interval_chart
from backend.usecases.recordings import Delivery, Trajectory, Visit
from backend.web.pages.chrome import Page
from backend.web.pages.evaluation import (
    CellPage,
    Chart,
    Column,
    ComparePage,
    PathsPage,
    Progress,
    RunHead,
    RunList,
    RunPage,
    RunRow,
    RunsPage,
    Section,
    StartForm,
    Table,
    TableRow,
    Value,
)
from backend.web.pages.origin import Origin
from backend.web.pages.parts import Choice, Empty, FieldError, Link, Notice
from backend.web.pages.view import View
from tests.web.examples import page
from tests.web.examples.frame import CHROME


def run(number: int, **more: object) -> RunRow:
    made = RunRow(
        number=number,
        href=f"/evaluation/{number}",
        kind="Memory",
        study="every memory in every scenario",
        seeds="0 to 99",
        done="2,000 of 2,000",
        done_share=1.0,
        state="finished",
        state_text="Finished",
        started="2026-11-30 13:40",
        started_iso="2026-11-30T13:40:00Z",
        by="operator-1",
        version="0.1.0",
        is_other_version=False,
    )
    return msgspec.structs.replace(made, **more)


ROWS = (
    run(4, state="running", state_text="Running", done="431 of 2,000", done_share=0.2155),
    run(3, state="still", state_text="Still for 4:02", done="60 of 2,000", done_share=0.03, seeds="7"),
    run(2, kind="Ablation", study="false-reports", version="0.0.9", is_other_version=True),
    run(1, state="unreadable", state_text="Unreadable here", seeds="–"),
)
COMMAND = "quarterdeck evaluate memory --scenario all --method all --seeds 100"
LIST = RunList(summary="4 runs, the newest first. 1 under way.", rows=ROWS, live=True, command=COMMAND)
NO_RUNS = RunList(
    summary="None yet.",
    rows=(),
    live=True,
    command=COMMAND,
    empty=Empty(title="Nothing has been measured yet", text="The command below gives Table I."),
)

TABLE = Table(
    caption="Success, length and context of each memory in each scenario",
    columns=(
        Column(label="Memory", is_figure=False),
        Column(label="Success, %"),
        Column(label="Steps"),
        Column(label="Context, units"),
    ),
    rows=(
        TableRow(
            group="DN-14",
            values=(
                Value(text="unfiltered", interval="100 seeds", href="/evaluation/4/cells/2"),
                Value(text="95.0", interval="88.8 to 97.8", printed="paper 97.0, here −2.0 points"),
                Value(
                    text="204.4", interval="201.0 to 207.8", printed="paper 209.7, here −2.5 %", is_short=True
                ),
                Value(
                    text="59,300",
                    interval="58,000 to 60,500",
                    printed="paper 53,049, here +11.8 %",
                    is_odd=True,
                ),
            ),
        ),
        TableRow(
            group="DN-14",
            values=(
                Value(text="attention", interval="100 seeds", href="/evaluation/4/cells/3"),
                Value(text="100.0", interval="96.3 to 100.0"),
                Value(text="194.9", interval="192.0 to 197.9"),
                Value(text="–"),
            ),
        ),
    ),
)
INTERVALS = Chart(
    name="success",
    svg=Markup(
        interval_chart(
            "Success with Wilson's 95 % interval",
            "Success, %",
            [
                Row("unfiltered", 95, 88.8, 97.8, "DN-14", 1, 97),
                Row("attention", 100, 96.3, 100, "DN-14", 0, 100),
            ],
            holds=(0.0, 100.0),
        )
    ),
)
DOTS = Chart(
    name="seeds",
    svg=Markup(
        dot_chart(
            "Steps of every seed; diamonds failed", "Steps", [DotRow("static", (181, 240), (False, True))]
        )
    ),
)
BARS = Chart(
    name="replans",
    svg=Markup(
        stacked_chart(
            "Replans by cause", "Replans an episode", [BarRow("static", {"changed": 1.6, "failed": 2.8})]
        )
    ),
)
WAY = Trajectory(
    width=3,
    height=3,
    stations={"station_metal": (0, 0), "station_plastic": (2, 2)},
    starts={"can_01": (1, 0), "can_02": (2, 0)},
    classes={"can_01": "can", "can_02": "can"},
    cells=((0, 0), (1, 0), (1, 0), (0, 0), (0, 0), (1, 0), (2, 0), (2, 0)),
    visits=(
        Visit(step=1, cell=(1, 0), entity="can_01", picked=True, reason="grasped"),
        Visit(step=6, cell=(2, 0), entity="can_02", picked=False, reason="absent"),
    ),
    deliveries=(Delivery(step=3, cell=(0, 0), entity="can_01", station="station_metal"),),
)
WAYS = Chart(name="way-0", svg=Markup(path_chart("static: 1 delivered in 8 steps", WAY)))

PROGRESS = Progress(
    run=4,
    icon="run",
    tone="quiet",
    title="Running: 431 of 2,000 episodes",
    text="What is below is of the episodes that are there.",
    share=0.2155,
    live=True,
)
STILL = msgspec.structs.replace(
    PROGRESS,
    icon="warn",
    tone="caution",
    title="No episode came for 4:02; 1,569 are missing",
    command=COMMAND,
    may_go_on=True,
)
OTHER_VERSION = Notice(
    icon="warn",
    title="Measured by version 0.0.9; this is 0.1.0.",
    text="The figures are as they were measured.",
)
SHOW = RunPage(
    chrome=msgspec.structs.replace(CHROME, title="Run 4"),
    head=RunHead(
        number=4,
        title="every memory in every scenario",
        lead="Beside each figure what the paper prints.",
        facts=(("Kind", "Memory"), ("Seeds", "0 to 99"), ("Version", "0.1.0")),
        exports=(Link(label="CSV", href="/evaluation/4/episodes.csv"),),
    ),
    sections=(
        Section(
            id="cells",
            title="Table I",
            note="Each cell opens its episodes.",
            table=TABLE,
            notes=("Not met: steps.",),
        ),
        Section(id="methods", title="Success", charts=(INTERVALS,), notes=("Table I has the same figures.",)),
        Section(id="seeds", title="Every seed", charts=(DOTS,), table=TABLE),
        Section(id="replans", title="Replans by cause", charts=(BARS,), table=TABLE),
        Section(
            id="ways", title="Ways", links=(Link(label="Seed 0", href="/evaluation/4/cells/0/paths?seed=0"),)
        ),
    ),
    compared=(
        Choice(value="attention", label="attention", chosen=True),
        Choice(value="static", label="static"),
    ),
    others=(Choice(value="2", label="Run 2: Ablation, false-reports"),),
)
CELL = CellPage(
    chrome=msgspec.structs.replace(CHROME, title="Cell 3 of run 4"),
    run=4,
    title="DN-14, attention",
    lead="Planner policy. K 8, threshold 0.55, decay 18 s.",
    table=TABLE,
    shown="101 to 200 of 300",
    before=Link(label="Before", href="/evaluation/4/cells/3?page=0"),
    after=Link(label="After", href="/evaluation/4/cells/3?page=2"),
    trajectories=Link(label="Ways side by side", href="/evaluation/4/cells/3/paths?seed=7"),
    notices=(OTHER_VERSION,),
)
PATHS = PathsPage(
    chrome=msgspec.structs.replace(CHROME, title="Ways of seed 7"),
    run=4,
    title="Ways of seed 7",
    lead="DN-14, the same events under each memory.",
    charts=(WAYS, msgspec.structs.replace(WAYS, name="way-1")),
    table=TABLE,
    seeds=(Link(label="6", href="/evaluation/4/cells/0/paths?seed=6"),),
    notices=(OTHER_VERSION,),
)
COMPARE = ComparePage(
    chrome=msgspec.structs.replace(CHROME, title="Run 4 beside run 2"),
    first=run(2),
    second=run(4),
    differing=(("Version", "0.0.9", "0.1.0"), ("DN-14, attention: memory.attention.k", "8", "4")),
    sections=(Section(id="cells", title="Run 4 minus run 2", charts=(INTERVALS,), table=TABLE),),
)
ORIGIN = Origin(
    title="Evaluation: DN-14, attention, seed 7",
    text="Played again by version 0.1.0, with the same figures. No robot is behind it.",
    differs=(),
    way=Link(label="Run 4", href="/evaluation/4/cells/3"),
)
DIFFERING = msgspec.structs.replace(
    ORIGIN,
    text="Not the episode that was measured. It comes out otherwise:",
    differs=("steps 190, stored 188", "context 2,478, stored 2,250"),
)
START = StartForm(
    studies=(
        Choice(value="memory:all", label="Every memory in every scenario", chosen=True),
        Choice(value="ablation:k", label="Ablation k: How many records does the planner have to see?"),
    ),
    seeds="100",
)
REFUSED = msgspec.structs.replace(
    START,
    seeds="many",
    errors=(
        FieldError(field="study", message="“x” is no study.", remedy="Choose one."),
        FieldError(field="seeds", message="“many” is no such number.", remedy="Write 1 to 1,000."),
    ),
)
RUNS = RunsPage(chrome=msgspec.structs.replace(CHROME, title="Evaluation"), runs=LIST, start=START)

EXAMPLES: dict[str, View] = {
    "evaluation": RUNS,
    "evaluation/none": msgspec.structs.replace(RUNS, runs=NO_RUNS, start=None),
    "evaluation/refused": msgspec.structs.replace(RUNS, start=REFUSED),
    "evaluation/list": LIST,
    "evaluation/run": SHOW,
    "evaluation/run, goes on": msgspec.structs.replace(SHOW, progress=PROGRESS),
    "evaluation/run, stands still": msgspec.structs.replace(
        SHOW, progress=STILL, notices=(OTHER_VERSION,), sections=(), empty=Empty(title="None", text="Wait.")
    ),
    "evaluation/progress": STILL,
    "evaluation/cell": CELL,
    "evaluation/cell, empty": msgspec.structs.replace(
        CELL, table=None, shown="", before=None, after=None, trajectories=None,
        empty=Empty(title="No episode yet", text="Wait.", way=Link(label="Run 4", href="/evaluation/4")),
    ),
    "evaluation/paths": PATHS,
    "evaluation/compare": COMPARE,
    "evaluation/compare, nothing": msgspec.structs.replace(
        COMPARE, differing=(), sections=(), empty=Empty(title="Nothing in common", text="Choose others.")
    ),
    "origin": ORIGIN,
    "origin/differs": DIFFERING,
    "episode/evaluated": msgspec.structs.replace(page.LIVE, origin=ORIGIN),
    "episode/evaluated, replayed": msgspec.structs.replace(page.REPLAYED, origin=DIFFERING),
}  # fmt: skip
PAGES: dict[str, Page] = {"evaluation": RUNS}
