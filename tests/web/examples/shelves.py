"""Missions, sites, settings, and the report of an episode."""

import msgspec

from backend.web.pages.documents import (
    ChangeLine,
    Changes,
    DocumentPage,
    DocumentRow,
    DocumentsPage,
    Fact,
    MapForm,
    SiteMap,
    VersionLine,
)
from backend.web.pages.parts import Choice, Empty, FieldError, Link, Mark, Notice, plain
from backend.web.pages.report import (
    DecisionLine,
    FailureLine,
    Outline,
    PlaceMark,
    ReportMap,
    ReportPage,
    Shape,
    WrongLine,
)
from backend.web.pages.settings import PlannerCard, SettingsPage
from backend.web.pages.view import View
from tests.web.examples.frame import CHROME

TEXT = "name: lab-b\ntitle: Recycle Lab B\nworld: {name: grid, scenario: dn-14}\n"
MISSIONS = DocumentsPage(
    chrome=msgspec.structs.replace(CHROME, title="Missions"),
    shelf="missions",
    heading="Missions",
    note="What is to be done.",
    may_edit=True,
    may_start=True,
    rows=(
        DocumentRow(
            name="lab-b",
            title="Recycle Lab B",
            summary="14 containers on 8 × 8 m.",
            version="Version 3",
            edited="operator-1, 2026-11-30 14:06 UTC",
        ),
        DocumentRow(
            name="broken",
            title="broken",
            summary="",
            version="The file",
            error="broken.yaml: goal is missing. Add it.",
        ),
    ),
)
MISSION = DocumentPage(
    chrome=msgspec.structs.replace(CHROME, title="Recycle Lab B"),
    shelf="missions",
    name="lab-b",
    heading="Recycle Lab B",
    text=TEXT,
    shown_version=3,
    may_edit=True,
    versions=(
        VersionLine(
            label="Version 3",
            said="operator-1, 2026-11-30 14:06 UTC",
            link=Link(label="Read", href="/missions/lab-b?version=3"),
            is_open=True,
            is_newest=True,
        ),
        VersionLine(
            label="The file",
            said="as it came along",
            link=Link(label="Read", href="/missions/lab-b?version=0"),
            is_open=False,
            is_newest=False,
        ),
    ),
    changes=Changes(
        since="version 2",
        lines=(
            ChangeLine(field="budgets.steps", kind="changed", was="1300", now="900"),
            ChangeLine(field="site", kind="came", was="", now="hall"),
            ChangeLine(field="instructions", kind="went", was="Keep left.", now=""),
        ),
        note="And 2 more.",
        others=(Link(label="the file", href="/missions/lab-b?version=3&against=0#changes-h"),),
    ),
    facts=(Fact(label="World", value="grid dn-14", meaning="14 containers on 8 × 8 m."),),
    ran=(Link(label="lab-b-0417", href="/episodes/lab-b-0417"),),
)
SITE = msgspec.structs.replace(
    MISSION,
    shelf="sites",
    name="hall",
    heading="The hall",
    text="name: hall\nfloor: 3609c12079\n",
    ran=(),
    map=SiteMap(
        source="/sites/hall/map.json?version=3",
        may_draw=True,
        shown_version=3,
        typed='{"regions": [], "stations": []}',
        errors=(
            FieldError(
                field="drawn",
                message="regions[0].name is empty.",
                remedy="Give each region a name of its own.",
            ),
        ),
        export=Link(label="Save for map_server", href="/sites/hall/map.zip?version=3"),
    ),
    importing=MapForm(name="hall"),
)
SETTINGS = SettingsPage(
    chrome=msgspec.structs.replace(CHROME, title="Settings"),
    planners=(
        PlannerCard(
            name="policy",
            title="Policy",
            meaning="Computes each plan.",
            verdict=Mark(icon="ok", text=(plain("Ready: it needs no server."),)),
        ),
        PlannerCard(
            name="openai",
            title="Language model",
            meaning="A model behind chat completions.",
            verdict=Mark(icon="warn", text=(plain("Schema not enforced."),), tone="caution"),
            probed="2026-11-30 14:06:51 UTC",
            facts=(Fact(label="Key", value="set", meaning="QUARTERDECK_PLANNER_API_KEY"),),
            can_probe=True,
        ),
    ),
    prices=(Fact(label="As of", value="2026-11-05", meaning="https://example.org/pricing"),),
    policies=(Choice(value="every_plan", label="Every plan", text="You approve each plan."),),
    rules=(Fact(label="Confidence below", value="0.6", meaning="A belief weaker than this asks"),),
)
REPORT = ReportPage(
    chrome=msgspec.structs.replace(CHROME, title="Report of 0417"),
    episode="0417",
    at=None,
    mission="Recycle Lab B",
    outcome="Completed",
    tone="quiet",
    message="All containers stand at their stations.",
    as_of="",
    facts=(Fact(label="Mission", value="lab-b, version 3"),),
    figures=(Fact(label="Delivered", value="15 of 15"),),
    map=ReportMap(
        width=360,
        height=360,
        unit=45,
        mark=12,
        free=(Shape(x=0, y=0, width=360, height=360),),
        walls=(Shape(x=90, y=90, width=45, height=45),),
        regions=(Outline(points="0,0 90,0 90,90", label="wet floor", x=0, y=0, is_restricted=True),),
        stations=(PlaceMark(x=20, y=20, label="Metal 2"),),
        entities=(PlaceMark(x=180, y=180, label="can_07", shape="observed"),),
        path="20,20 180,20",
        robot=PlaceMark(x=180, y=20, label="JetRover"),
        spoken="Map with 1 station",
    ),
    decisions=(
        DecisionLine(
            number="14",
            seq=1903,
            met="00:14:20",
            author="openai",
            what="5 steps for can_07",
            why="pose of can_07 changed",
            decided="operator-1 at 00:14:31",
            came="Done, 5 of 5 steps",
        ),
    ),
    more_decisions=3,
    failures=(FailureLine(seq=1822, met="00:12:50", icon="warn", what="grasp failed", why="It slipped."),),
    more_failures=1,
    misled="Plans rested on a wrong belief for 0:48 of 9:12 in which plans rested on records.",
    by_cause="A false report was believed: 31 s; it moved after it was last seen: 17 s.",
    known_from="Known now from the simulator.",
    wrong=(
        WrongLine(
            seq=1240,
            met="00:09:30",
            what="Plan 8, 31 s: wrong pose of can_05, 7.03 m off",
            why="A false report was believed",
        ),
        WrongLine(
            seq=1730,
            met="00:12:33",
            what="Plan 12, 17 s: wrong pose of can_07, 0.42 m off",
            why="It moved after it was last seen",
        ),
    ),
    more_wrong=2,
    made="2026-11-30 14:06:51 UTC",
)
EXAMPLES: dict[str, View] = {
    "missions": MISSIONS,
    "sites/none": msgspec.structs.replace(
        MISSIONS,
        shelf="sites",
        heading="Sites",
        rows=(),
        may_start=False,
        empty=Empty(title="No site is kept yet", text="A mission runs on what its bridge declares."),
        importing=MapForm(
            typed="Hall",
            errors=(FieldError(field="map", message="resolution is 0.", remedy="Give metres."),),
        ),
    ),
    "sites/one": SITE,
    "missions/one": MISSION,
    "missions/one, refused": msgspec.structs.replace(
        MISSION,
        errors=(
            FieldError(field="text", message="goal is missing.", remedy="Add it."),
        ),
    ),
    "missions/one, written meanwhile": msgspec.structs.replace(
        MISSION,
        is_old=True,
        notice=Notice(
            icon="stale",
            title="operator-2 saved version 4 meanwhile.",
            text="Nothing was saved.",
            tone="caution",
        ),
    ),
    "missions/new": msgspec.structs.replace(
        MISSION, name="", heading="New mission", shown_version=0, versions=(), facts=(), ran=()
    ),
    "missions/one, for a viewer": msgspec.structs.replace(MISSION, may_edit=False),
    "settings": SETTINGS,
    "settings/one planner": SETTINGS.planners[1],
    "report": REPORT,
    "report/goes on": msgspec.structs.replace(
        REPORT, outcome="Goes on", message="", as_of="As of 00:14:32, seq 1,904", decisions=(), failures=(),
        more_decisions=0, more_failures=0,
    ),
}  # fmt: skip
