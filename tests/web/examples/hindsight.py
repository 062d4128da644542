"""What is known now beside what was believed, and the page that explains a failure."""

import msgspec

from backend.web.pages.documents import Fact
from backend.web.pages.hindsight import KnownRow, KnownTable
from backend.web.pages.memory import MemoryTable
from backend.web.pages.parts import Choice, Empty, Link
from backend.web.pages.view import View
from backend.web.pages.why import EffectRow, LabelForm, MissedRow, ShownFrame, WhyChoice, WhyPage, WhyPart
from tests.web.examples import evidence, frame

KNOWN = KnownTable(
    met="00:09:48",
    summary="2 of 12 entities were otherwise than memory had it.",
    source="Known now from the simulator, which recorded where everything was.",
    misled="Plans rested on a wrong belief for 3 s of 1:23 in which plans rested on records.",
    relied="The plan of this moment rests on what was wrong of can_05.",
    rows=(
        KnownRow(
            entity="can_05",
            icon="assigned",
            status="Assigned",
            believed="4.35, 8.28 m",
            known="1.20, 2.00 m",
            difference="Wrong pose, 7.03 m",
            basis="simulator",
            tone="alarm",
            is_relied_on=True,
        ),
        KnownRow(
            entity="can_11",
            icon="unsupported",
            status="No record",
            believed="–",
            known="6.00, 3.00 m",
            difference="Not yet known, or about to be",
            basis="seen by the robot at 00:10:02",
            basis_seq=1301,
            is_record=False,
            tone="caution",
        ),
        KnownRow(
            entity="bottle_02",
            icon="delivered",
            status="Delivered",
            believed="delivered",
            known="at its station",
            difference="",
            basis="simulator",
        ),
    ),
)
LOOKED_BACK = msgspec.structs.replace(
    evidence.OPEN["memory"].panel, episode="0417", at=1287, known=KNOWN, sheet=None
)
assert isinstance(LOOKED_BACK, MemoryTable)
OPEN = msgspec.structs.replace(evidence.OPEN["memory"], at=1287, panel=LOOKED_BACK, shows_known=True)

WHY = WhyPage(
    chrome=msgspec.structs.replace(frame.CHROME, title="Why, 0417"),
    episode="0417",
    mission="Recycle Lab B",
    at=1257,
    headline="Grasp can_05 failed. can_05 is not at (4.35, 8.28) m.",
    tone="caution",
    verdict="Plan 8 rested on a wrong pose of can_05, 7.03 m off, 00:09:30 to 00:09:33. "
    "A false report was believed.",
    source="Known now from the simulator.",
    parts=(
        WhyPart(
            seq=1242,
            met="00:09:29",
            icon="observed",
            title="Evidence: pose of can_05",
            text="Drone told can_05 at 4.35, 8.28 m, confidence 0.59, sensed at 00:09:25.",
            facts=(Fact(label="pose", value="4.35, 8.28 m"),),
            known="It was at 1.20, 2.00 m, 7.03 m away. Known from: simulator.",
            links=(
                Link(label="moment", href="/episodes/0417?at=1242"),
                Link(label="what it changed", href="/episodes/0417/why?seq=1242"),
            ),
            tone="caution",
        ),
        WhyPart(
            seq=1247,
            met="00:09:30",
            icon="ask",
            title="Question: call 8",
            text="Asked because: Plan 7 ran to its end.",
            quote="can_05: class can, pose (4.35, 8.28) m, confidence 0.59, status observed, seen 5 s ago",
            facts=(Fact(label="Records sent", value="8"), Fact(label="can_05", value="rank 1")),
            frames=(ShownFrame(sha256="f1", alt="front, world step 1188"),),
        ),
        WhyPart(seq=1251, met="00:09:30", icon="approve", title="Approved by operator-1", text=""),
        WhyPart(
            seq=1257,
            met="00:09:33",
            icon="fail",
            title="Measured: grasp failed",
            text="can_05 is not at (4.35, 8.28) m.",
            tone="caution",
        ),
    ),
    missed=(
        MissedRow(
            entity="can_10",
            k="9",
            score="0.104",
            short_by="0.019",
            used="Plan 11, at 00:10:40",
            used_seq=1330,
        ),
        MissedRow(
            entity="can_12", k="10", score="0.080", short_by="0.043", used="No later plan was about it"
        ),
    ),
    missed_more=2,
    missed_call="call 8",
    effects=(
        EffectRow(seq=1257, met="00:09:33", what="can_05: observed → lost", why="So until seq 1,296."),
        EffectRow(
            seq=1259,
            met="00:09:33",
            what="Plan 8 lapsed",
            why="grasp failed: can_05 is not there.",
            tone="caution",
        ),
    ),
    effects_more=3,
    choices=(
        WhyChoice(seq=812, met="00:06:52", what="Grasp failed"),
        WhyChoice(seq=1257, met="00:09:33", what="Grasp failed", is_open=True),
    ),
    made="2027-01-15 14:06:51 UTC",
    label=LabelForm(
        seq=1257,
        text="Grasp failed. can_05 is not at (4.35, 8.28) m.",
        causes=(
            Choice(value="stale-target", label="Stale target"),
            Choice(value="false-report", label="False report", chosen=True),
        ),
        outcomes=(Choice(value="outcome-failure", label="Failure"),),
        suggested="False report",
        given=("False report, by operator-1",),
    ),
)
NOTHING = msgspec.structs.replace(
    WHY, at=None, headline="Nothing to explain yet", tone="quiet", verdict="", source="", parts=(),
    missed=(), missed_more=0, effects=(), effects_more=0, choices=(), label=None,
    empty=Empty(
        title="No step has gone yet",
        text="As soon as one ends, this page tells why it was taken and what came of it.",
        way=Link(label="To the episode", href="/episodes/0417"),
    ),
)  # fmt: skip

EXAMPLES: dict[str, View] = {
    "memory/known now": OPEN,
    "episode/why": WHY,
    "episode/why, nothing yet": NOTHING,
}
