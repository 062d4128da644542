"""Two episodes side by side, and the choice of them."""

import msgspec

from backend.web.pages.compare import (
    BeliefRow,
    Believed,
    CandidateRow,
    ChoosePage,
    ComparePage,
    Curve,
    FigureGroup,
    FigureRow,
    Known,
    Lane,
    LaneMark,
    PartingRow,
    Side,
    SideMap,
    Switch,
    Transport,
)
from backend.web.pages.parts import Empty, Link, Notice
from backend.web.pages.report import PlaceMark, ReportMap, Shape
from backend.web.pages.view import View
from tests.web.examples.frame import CHROME

GO = "/compare?left=0398&right=0399&by=step&at=41"


def side_map(x: float) -> SideMap:
    return SideMap(
        drawn=ReportMap(
            width=360,
            height=360,
            unit=45,
            mark=12,
            free=(Shape(x=0, y=0, width=360, height=360),),
            walls=(Shape(x=90, y=90, width=45, height=45),),
            regions=(),
            stations=(PlaceMark(x=20, y=340, label="Plastic 2"),),
            entities=(PlaceMark(x=x, y=180, label="can_09", shape="assigned"),),
            path="20,20 180,20 180,90",
            robot=PlaceMark(x=180, y=90, label="JetRover"),
            spoken="Map with 1 station and 1 entity on the floor",
        ),
        believed=(
            Believed(
                x=x, y=180, label="can_09", shape="assigned", in_k=True, is_target=True, is_otherwise=True
            ),
            Believed(x=20, y=60, label="", shape="observed", in_k=False, is_target=False, is_otherwise=False),
        ),
        route=("180,90 180,180", f"180,180 {x},180"),
    )


LEFT = Side(
    letter="A",
    episode="0398",
    title="Attention",
    href="/episodes/0398?at=310",
    place="00:01:36, seq 310",
    past="",
    switches=(
        Switch(label="entities", value="attention, K 8", differs=True),
        Switch(label="log", value="full", differs=False),
    ),
    map=side_map(90),
    plan="navigate can_09",
    plan_note="Plan 12 by policy, 3 steps left",
    facts=(("Delivered", "5 of 14"), ("Context, units", "156")),
    known=(Known(entity="can_09", is_alone=False), Known(entity="can_12", is_alone=True)),
    known_note="K 8, 4 records left out",
)
RIGHT = msgspec.structs.replace(
    LEFT, letter="B", episode="0399", title="Unfiltered", past="Ended at step 40", map=side_map(270), known=()
)
PARTED = ComparePage(
    chrome=msgspec.structs.replace(CHROME, title="Compare 0398 and 0399"),
    lead="Grid DN-14, seed 37. 1 setting differs.",
    notices=(Notice(icon="eye", title="B has not ended.", text="Load anew for the newest."),),
    by="step",
    ways=(Link(label="By step", href=GO), Link(label="By MET", href=GO), Link(label="By delivery", href=GO)),
    swap=Link(label="Swap A and B", href=GO),
    change=Link(label="Change episodes", href="/compare/choice?left=0398&right=0399"),
    sides=(LEFT, RIGHT),
    settings=(("memory.entities", "attention", "unfiltered"),),
    groups=(
        FigureGroup(
            title="At step 41",
            rows=(
                FigureRow(label="Delivered", left="5 of 14", right="4 of 14", difference="+1", weight="much"),
            ),
        ),
        FigureGroup(
            title="In all",
            rows=(
                FigureRow(
                    label="Outcome", left="Complete", right="Complete", difference="same", weight="same"
                ),
                FigureRow(label="Path", left="170.0 m", right="174.0 m", difference="−4.0 m"),
            ),
        ),
    ),
    beliefs=(BeliefRow(entity="can_09", left="3.00, 1.00 m", right="6.00, 4.00 m"),),
    more_beliefs=2,
    partings=(
        PartingRow(
            place="Step 4",
            href=GO,
            aspect="Record",
            text="A refuses a report of can_03, B takes it: remote confidence 0.480 is under 0.55",
            share=4.8,
            opens=(
                Link(label="A", href="/episodes/0398?at=34"),
                Link(label="B", href="/episodes/0399?at=34"),
            ),
        ),
        PartingRow(
            place="Step 41",
            href=GO,
            aspect="Failure",
            text="Only in B: grasp can_09 failed, absent",
            share=50,
            opens=(Link(label="B", href="/episodes/0399?at=140"),),
            is_current=True,
        ),
    ),
    more_partings=9,
    unparted=None,
    curve=Curve(
        left="0,90 110,91",
        right="0,88 220,2",
        cursor=110,
        ticks=("2,060", "1,030", "0"),
        spoken="A 100, B 2,060",
    ),
    lanes=tuple(
        Lane(
            letter=letter,
            phases=((0, 48.0, "ph-exec"), (48.0, 0.5, "ph-plan")),
            marks=(
                LaneMark(share=12, icon="delivered", label="Delivered can_03", href=GO),
                LaneMark(share=50, icon="fail", label="Grasp failed, can_09", href=GO, tone="caution"),
            ),
            end=98,
        )
        for letter in ("A", "B")
    ),
    axis=((0, "0"), (50, "41")),
    transport=Transport(
        here="Step 41",
        at=41,
        last=82,
        share=50,
        flag="STEP 41",
        address="/compare?left=0398&right=0399&by=step",
        before=Link(label="Back", href=GO),
        after=Link(label="On", href=GO),
        parting_before=Link(label="Difference before", href=GO),
        parting_after=None,
    ),
)
UNPARTED = msgspec.structs.replace(
    PARTED,
    notices=(
        Notice(icon="warn", tone="caution", title="They ran in different worlds.", text="Figures are."),
    ),
    by="delivery",
    settings=(),
    beliefs=(),
    more_beliefs=0,
    partings=(),
    more_partings=0,
    unparted=Empty(title="Not looked for", text="Two episodes can be held against each other in one world."),
    curve=None,
    transport=msgspec.structs.replace(
        PARTED.transport,
        at=0,
        share=0,
        here="Delivery 0",
        flag="DELIVERY 0",
        before=None,
        parting_before=None,
    ),
)
CHOICE = ChoosePage(
    chrome=msgspec.structs.replace(CHROME, title="Compare episodes"),
    left="0398",
    right="",
    query="hall",
    rows=(
        CandidateRow(
            episode="0398",
            mission="Recycling in the hall",
            facts="attention, seed 37, planner policy",
            outcome="Complete",
            note="00:03:20, 17 calls",
            is_left=True,
            is_right=False,
        ),
        CandidateRow(
            episode="0399",
            mission="Recycling in the hall",
            facts="unfiltered, seed 37, planner policy",
            outcome="Goes on",
            note="mission and seed of A",
            is_left=False,
            is_right=True,
        ),
    ),
    shown="2 episodes",
)
EXAMPLES: dict[str, View] = {
    "compare/parted": PARTED,
    "compare/unparted": UNPARTED,
    "compare/choice": CHOICE,
    "compare/none": msgspec.structs.replace(
        CHOICE,
        left="",
        query="",
        rows=(),
        shown="0 episodes",
        empty=Empty(
            title="There is no episode to compare yet",
            text="Run a mission twice.",
            way=Link(label="Evaluation", href="/evaluation"),
        ),
    ),
}
