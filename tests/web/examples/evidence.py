"""The six tabs of the evidence panel, filled and empty."""

import json
from typing import Any

import msgspec

from backend.web.pages.audit import AuditFilter, AuditPanel, AuditRow
from backend.web.pages.context import BlockImage, BlockReading, BlockView, ContextPanel, DiffLine, OpenBlock
from backend.web.pages.evidence import Evidence, Tab, TabName
from backend.web.pages.exchange import (
    Argument,
    AttemptRow,
    BudgetLine,
    CodeView,
    ExchangePanel,
    Pane,
    PlanReading,
    PlanStep,
    TimeShare,
    Totals,
    json_tokens,
)
from backend.web.pages.frames import Circle, FilmStrip, FrameView, GateForm, Viewer
from backend.web.pages.log import LogChoice, LogLine, LogPanel, NoteLine, SentLine
from backend.web.pages.memory import MemoryRow, MemoryTable
from backend.web.pages.parts import (
    Choice,
    Empty,
    FieldError,
    Gauge,
    Link,
    Mark,
    Run,
    plain,
    strong,
    strong_figure,
)
from backend.web.pages.view import View
from tests.web.examples import written

# entity, status, source share, source, confidence, decay, age, nearness, distance, score, why
RECORDS = (
    ("can_07", "assigned", 0.85, "drone", 0.71, 0.94, "12 s", 1.00, "0.00 m", "0.565", "Target of plan 14"),
    ("can_12", "observed", 1.00, "onboard", 0.91, 0.70, "1:04", 0.70, "1.74 m", "0.444", ""),
    ("can_04", "observed", 1.00, "onboard", 0.88, 0.81, "38 s", 0.49, "4.19 m", "0.348", ""),
    ("bottle_16", "observed", 0.85, "drone", 0.66, 0.94, "11 s", 0.63, "2.33 m", "0.334", ""),
    ("can_10", "observed", 0.85, "drone", 0.77, 0.89, "21 s", 0.57, "3.01 m", "0.332", ""),
    ("bottle_09", "observed", 1.00, "onboard", 0.81, 0.59, "1:35", 0.54, "3.39 m", "0.259", ""),
    ("bottle_13", "observed", 0.85, "drone", 0.69, 0.83, "34 s", 0.52, "3.73 m", "0.251", ""),
    ("bottle_08", "reconsider", 1.00, "onboard", 0.74, 0.57, "1:42", 0.54, "3.47 m", "0.225", "Grasp failed"),
    ("can_14", "observed", 0.85, "drone", 0.60, 0.43, "2:30", 0.41, "5.68 m", "0.092", "Ranked below K"),
    ("bottle_06", "observed", 0.60, "map", 0.90, 0.01, "14:32", 0.50, "3.94 m", "0.002", "Ranked below K"),
    ("can_15", "unsupported", None, "drone", 0.48, None, "57 s", None, "6.00 m", "", "Refused: under 0.55"),
    ("bottle_11", "lost", None, "onboard", 0.31, None, "2:10", None, "2.08 m", "", "Lost: looked, not seen"),
    ("can_05", "delivered", None, "onboard", 0.98, None, "3:27", None, "7.10 m", "", "Delivered, so done"),
    ("bottle_02", "delivered", None, "onboard", 0.97, None, "6:12", None, "6.46 m", "", "Delivered, so done"),
    ("can_01", "delivered", None, "onboard", 0.98, None, "8:51", None, "7.10 m", "", "Delivered, so done"),
    (
        "bottle_03",
        "delivered",
        None,
        "onboard",
        0.97,
        None,
        "11:34",
        None,
        "6.46 m",
        "",
        "Delivered, so done",
    ),
)


MET_S = 872.0


def gauge(share: float | None, raw: str = "", met_s: float | None = None) -> Gauge:
    return Gauge(text="–" if share is None else f"{share:.2f}", share=share, raw=raw, raw_met_s=met_s)


def stamp_s(age: str) -> float:
    minutes, _, seconds = age.removesuffix(" s").rpartition(":")
    return MET_S - 60 * int(minutes or 0) - int(seconds)


def row(number: int, record: tuple[Any, ...]) -> MemoryRow:
    entity, status, weight, source, confidence, decay, age, nearness, distance, score, why = record
    return MemoryRow(
        rank=str(number) if score else "–",
        entity=entity,
        icon=status,
        status=status.capitalize(),
        source=gauge(weight, source),
        confidence=gauge(confidence),
        decay=gauge(decay, age, stamp_s(age)),
        nearness=gauge(nearness, distance),
        score=score or "filtered",
        why=why,
        tone="caution" if status in ("reconsider", "lost") else "quiet",
        is_target=number == 1,
    )


ROWS = tuple(row(number, record) for number, record in enumerate(RECORDS, 1))
MEMORY = MemoryTable(
    caption="Memory records by attention score: source weight times confidence times decay times nearness. "
    "The first eight reach the planner.",
    shown=ROWS[:8],
    k="K 8",
    kline=(plain("The planner sees the 8 above. 8 are left out."),),
    below=ROWS[8:],
)

BLOCKS = (
    ("Goal and completion", 142, 0, "b01e…"),
    ("Robot and last outcome", 96, 12, "77d2…"),
    ("Rules, stations, skills", 684, 0, "4c9a…"),
    ("Retrieved records", 371, 46, "e08f…"),
    ("Terminal summary", 64, 0, "19bb…"),
    ("Execution log", 512, 38, "a3c7…"),
    ("Notes", 288, 41, "5d10…"),
    ("Frames returned", 340, 340, "c6e4…"),
    ("Operator guidance", 56, 0, "02fa…"),
)
TOTAL = sum(size for _, size, _, _ in BLOCKS)


def block(index: int) -> BlockView:
    name, size, change, digest = BLOCKS[index]
    return BlockView(
        number=index + 1,
        name=name,
        size=f"{size:,}",
        share_text=f"{100 * size / TOTAL:.1f} %",
        start=sum(size for _, size, _, _ in BLOCKS[:index]) / TOTAL,
        share=size / TOTAL,
        meter=size / 698,
        change=f"+{change}" if change else "–",
        is_changed=bool(change),
        digest=digest,
        chosen=f"{index + 1}:difference",
        is_open=index == 3,
    )


CONTEXT = ContextPanel(
    episode="0417",
    at=None,
    decision=31,
    summary=(
        strong_figure("2,553"),
        plain(" tokens in, "),
        strong_figure("+477"),
        plain(" since call 30. Unfiltered memory would have sent "),
        strong_figure("5,208"),
        plain("."),
    ),
    blocks=tuple(block(index) for index in range(len(BLOCKS))),
    total="2,553",
    change="+477",
    digest="3be2…",
    open=OpenBlock(
        number=4,
        name="Retrieved records",
        summary="2 lines in, 1 out, 7 unchanged",
        view="difference",
        lines=(
            DiffLine(
                text="can_07 can pose 5.34 7.38 q 0.71 drone 12 s",
                kind="changed",
                runs=(
                    Run(text="can_07 can pose "),
                    Run(text="5.02 7.65", kind="removed"),
                    Run(text="5.34 7.38", kind="added"),
                    Run(text=" q 0.71 drone 12 s"),
                ),
                sources=(
                    Link(label="record can_07", href="/episodes/0417?tab=memory#record-can_07"),
                    Link(label="seq 1902", href="/episodes/0417?tab=audit&at=1902"),
                ),
            ),
            DiffLine(text="can_05 can pose 1.00 1.00 q 0.98 onboard 3 s", kind="removed"),
            DiffLine(text="can_12 can pose 4.20 8.70 q 0.91 onboard 64 s"),
            DiffLine(text="can_04 can pose 2.20 4.60 q 0.88 onboard 38 s"),
            DiffLine(text="bottle_16 bottle pose 7.25 8.70 q 0.66 drone 11 s", kind="added"),
            DiffLine(text="can_10 can pose 8.45 8.25 q 0.77 drone 21 s"),
            DiffLine(text="bottle_09 bottle pose 7.60 4.85 q 0.81 onboard 95 s"),
            DiffLine(text="bottle_13 bottle pose 8.65 5.65 q 0.69 drone 34 s"),
            DiffLine(text="bottle_08 bottle pose 1.90 6.90 q 0.74 reconsider"),
        ),
        readings=(
            BlockReading(name="difference", label="Difference", chosen="4:difference", is_open=True),
            BlockReading(name="sent", label="As sent", chosen="4:sent", is_open=False),
        ),
        sources=(Link(label="mission lab-b", href="/missions/lab-b"),),
    ),
    earlier="1702.",
)
FRAMES_OPEN = OpenBlock(
    number=8,
    name="Frames returned",
    summary="2 images, 14 withheld",
    view="sent",
    lines=(DiffLine(text="Frames 6 and 7 of action 40; 14 withheld"),),
    images=(
        BlockImage(
            sha256="f6", alt="Frame 6", size="512 × 512 px", href="/episodes/0417?tab=frames&chosen=40"
        ),
        BlockImage(sha256="f7", alt="Frame 7", size="640 × 480 px, sent as 512 × 384 px"),
    ),
)

FINDING = {
    "step": 5,
    "argument": "station",
    "rule": "object-station compatibility",
    "given": "station_plastic",
    "would_be_right": "station_metal",
}
ANSWER = """{
  "rationale": "nearest active can; bottle_08 just failed",
  "note": "bottle_08 slipped at 66 mm",
  "steps": [
    { "skill": "navigate", "to": [5.07, 7.16, 321] },
    { "skill": "approach", "target": "can_07", "standoff_m": 0.35 },
    { "skill": "grasp", "target": "can_07", "width_mm": 66 },
    { "skill": "navigate", "to": "station_metal" },
    { "skill": "deliver", "object": "can_07", "station": "station_metal" }
  ]
}"""
OK = Mark(icon="ok", text=(plain("Enforced"),))


def attempt(
    number: int, label: str, plan: Mark, figures: tuple[str, ...], times: tuple[float, ...]
) -> AttemptRow:
    tokens_in, cached, tokens_out, reasoning, latency, cost = figures
    starts = (0.0, times[0], times[0] + times[1])
    return AttemptRow(
        number=number,
        label=label,
        reply=OK,
        plan=plan,
        tokens_in=tokens_in,
        cached=cached,
        tokens_out=tokens_out,
        reasoning=reasoning,
        latency=latency,
        cost=cost,
        times=tuple(
            TimeShare(kind=kind, start=start, share=share)
            for kind, start, share in zip(("queue", "reasoning", "answer"), starts, times, strict=True)
        ),
        chosen=str(number),
        is_open=number == 2,
    )


EXCHANGE = ExchangePanel(
    episode="0417",
    at=None,
    decision=31,
    caption="Attempts of the exchange for plan 14",
    scale="Time, 0 to 5 s",
    attempts=(
        attempt(
            1,
            "Ask",
            Mark(icon="warn", text=(plain("1 finding"),), tone="caution"),
            ("2,553", "1,408", "212", "384", "2.24 s", "$0.0015"),
            (0.036, 0.264, 0.148),
        ),
        attempt(
            2,
            "Repair",
            Mark(icon="ok", text=(plain("Valid"),)),
            ("2,871", "2,432", "198", "128", "1.47 s", "$0.0008"),
            (0.024, 0.132, 0.138),
        ),
    ),
    totals=Totals(
        label="Both",
        tokens_in="5,424",
        cached="3,840",
        tokens_out="410",
        reasoning="512",
        latency="3.71 s",
        cost="$0.0023",
    ),
    left=CodeView(
        title="Finding sent back",
        digest="",
        tokens=json_tokens(json.dumps(FINDING, indent=2), frozenset({"station_plastic"})),
        choices=(
            Pane(name="2-findings", label="Findings", chosen="2:findingsplan", is_open=True),
            Pane(name="2-request", label="Request", chosen="2:requestplan", is_open=False),
            Pane(name="2-curl", label="curl", chosen="2:curlplan", is_open=False),
        ),
    ),
    right=CodeView(title="Answer, attempt 2", digest="9f3a…c41e", tokens=json_tokens(ANSWER)),
    facts=(
        "gpt-5-mini-2025-08-07",
        "responses interface",
        "request req_71",
        "first try",
        "prices of 2026-11-05",
    ),
    budgets=(
        BudgetLine(label="Calls", text="31 of 80", share=0.39),
        BudgetLine(label="Tokens", text="1,412,000 of 1,500,000", share=0.94, tone="caution"),
        BudgetLine(label="Known cost", text="$0.4120, no bound", share=None),
        BudgetLine(label="Steps", text="240 of 1,300", share=0.18),
    ),
    earlier="1702.",
)
FOUND = Mark(
    icon="warn",
    text=(strong("object-station compatibility: "), plain("A can goes to station_metal.")),
    tone="caution",
)
JUDGED = msgspec.structs.replace(
    EXCHANGE,
    said=Mark(
        icon="bad", text=(plain("Cut short. The reply was cut off after 6000 output tokens."),), tone="alarm"
    ),
    left=CodeView(
        title="Request as a command",
        digest="",
        tokens=json_tokens("curl https://api.openai.com/v1/responses"),
        note="The key stays in your environment; pictures stand by reference.",
    ),
    right=CodeView(
        title="Plan of attempt 1",
        digest="",
        plan=PlanReading(
            rationale="nearest active can; bottle_08 just failed",
            findings=(FOUND,),
            steps=(
                PlanStep(number=1, skill="grasp", arguments=(Argument(name="target", value="can_07"),)),
                PlanStep(
                    number=2,
                    skill="deliver",
                    arguments=(Argument(name="station", value="station_plastic", is_bad=True),),
                    findings=(FOUND,),
                ),
            ),
        ),
    ),
    later="1903.",
    newest="2",
)
UNREADABLE = msgspec.structs.replace(
    EXCHANGE,
    attempts=(
        msgspec.structs.replace(
            EXCHANGE.attempts[0],
            reply=Mark(icon="bad", text=(plain("No JSON"),), tone="alarm"),
            plan=Mark(icon="idle", text=(plain("Not read"),)),
            reasoning="–",
            times=(TimeShare(kind="total", start=0.0, share=0.45),),
            is_open=True,
        ),
    ),
    totals=None,
    left=None,
    right=CodeView(title="Answer, attempt 1", digest="", tokens=json_tokens("Sure! Here is a plan for you:")),
)

CHANGES = (None, 0.4, 0.6, 1.1, 0.9, 2.2, 7.8, 3.9, 1.4, 0.8, 0.5, 0.7, 1.0, 0.6, 0.4, 0.3)
CIRCLES = (Circle(x_px=256, y_px=270, radius_px=28), Circle(x_px=256, y_px=396, radius_px=28))


def frame(number: int) -> FrameView:
    change = CHANGES[number - 1]
    returned = number in (6, 7)
    return FrameView(
        number=str(number),
        sha256=f"f{number}",
        width_px=512,
        height_px=512,
        alt=f"Front camera, frame {number} of action 40",
        circles=CIRCLES,
        change="first" if change is None else f"{change} %",
        meter=min(1.0, (change or 0.0) / 10),
        is_over=change is not None and change > 5,
        is_returned=returned,
        verdict="Returned" if returned else "Withheld",
        chosen=f"40:{number}",
        pair={6: "before 7", 7: "after 6"}.get(number, ""),
        pair_chosen={6: "40:7", 7: "40:6"}.get(number, ""),
    )


FILM = FilmStrip(
    episode="0417",
    at=None,
    action=40,
    summary=(
        strong("2 of 16 returned, 14 withheld."),
        plain(" Frame 7 changed "),
        strong_figure("7.8 %"),
        plain(" in the 2 circles, over the "),
        strong_figure("5 %"),
        plain(" line. Frame 6 came before it."),
    ),
    frames=tuple(frame(number) for number in range(1, 17)),
    gate=GateForm(radius_px="28", level="30", share_percent="5"),
    seq=1822,
    earlier=38,
)
TRIED = msgspec.structs.replace(
    FILM,
    frames=tuple(
        msgspec.structs.replace(
            each, is_returned=index == 7, verdict="Returned", instead="in fact withheld" if index == 7 else ""
        )
        for index, each in enumerate(FILM.frames)
    ),
    gate=GateForm(
        radius_px="28",
        level="30",
        share_percent="3",
        is_tried=True,
        result=(plain("So set, "), strong("3 of 16 would be returned"), plain("; it was 2.")),
    ),
    query={"radius_px": "28", "level": "30", "share_percent": "3"},
)
MISTYPED = msgspec.structs.replace(
    FILM,
    gate=GateForm(
        radius_px="0",
        level="30",
        share_percent="5",
        errors=(
            FieldError(
                field="radius_px", message="The radius cannot be “0”.", remedy="Write a number from 1 to 512."
            ),
        ),
    ),
    query={"radius_px": "0", "level": "30", "share_percent": "5"},
)
SEEN = msgspec.structs.replace(
    FILM,
    viewer=Viewer(
        frame=msgspec.structs.replace(FILM.frames[6], is_open=True),
        title="Frame 7 of action 40",
        facts=(("Camera", "front"), ("Changed in the circles", "7.8 %, returned above 5 %")),
        before="f6",
        level=30,
        overlay=True,
        plain_chosen="40:7",
        overlay_chosen="40:7d",
        earlier="40:6d",
        later="40:8d",
        back="40",
    ),
)
NO_FILM = FilmStrip(
    episode="0417",
    at=None,
    action=41,
    summary=(strong("0 of 16 returned."),),
    empty=Empty(
        title="No frames for this action",
        text="The planner named no watch points, so none were returned. 16 were recorded.",
    ),
    gate=GateForm(
        radius_px="28",
        level="30",
        share_percent="5",
        why_not="The planner watched nothing, so nothing is there.",
    ),
    earlier=40,
    later=43,
)

LOG = LogPanel(
    episode="0417",
    lines=(
        LogLine(
            index="38",
            seq=1790,
            met="00:12:02",
            command="navigate bottle_08",
            result="Done",
            icon="ok",
            measured="at 1.92, 6.61 m, gripper open, holding nothing",
        ),
        LogLine(
            index="39",
            seq=1801,
            met="00:12:31",
            command="approach bottle_08",
            result="Done",
            icon="ok",
            measured="at 1.90, 6.55 m, gripper open, holding nothing",
        ),
        LogLine(
            index="40",
            seq=1822,
            met="00:12:50",
            command="grasp bottle_08",
            asked="at 1.90, 6.90 m",
            off="0.35 m off",
            result="Failed",
            icon="warn",
            tone="caution",
            measured="gripper closed at 8 mm, holding nothing: it slipped",
        ),
        LogLine(
            index="41",
            seq=1830,
            met="00:12:50",
            command="deliver bottle_08 station_plastic",
            result="NOT EXECUTED",
            icon="reject",
            tone="caution",
            measured="the grasp before it failed",
        ),
    ),
    notes=(
        NoteLine(
            number="30",
            seq=1702,
            author="planner",
            met="00:11:40",
            text="bottle_08 stands close to the wall.",
            is_shown=False,
        ),
        NoteLine(
            number="31",
            seq=1903,
            author="planner",
            met="00:14:20",
            text="bottle_08 slipped at 66 mm; come from the east next time.\nTake can_07 first: it is near.",
        ),
    ),
    readings=(
        LogChoice(name="table", label="Table", chosen=":table", is_open=True),
        LogChoice(name="planner", label="As the planner sees it", chosen=":planner", is_open=False),
    ),
    note_readings=(
        LogChoice(name="written", label="As written", chosen=":table", is_open=True),
        LogChoice(name="words", label="Differences", chosen=":tablewords", is_open=False),
    ),
    shown="The planner is shown the last 8 of 41 lines",
    notes_shown="The planner is shown the last 1 of 2 notes",
    earlier="38:table",
)
LOG_SENT = msgspec.structs.replace(
    LOG,
    reading="planner",
    lines=(),
    sent=(
        SentLine(seq=1790, text="38. t=722 s navigate bottle_08: succeeded (arrived)", is_shown=False),
        SentLine(seq=1801, text="39. t=751 s approach bottle_08: succeeded (lined_up)", is_shown=True),
    ),
    notes=(
        msgspec.structs.replace(
            LOG.notes[1],
            runs=(
                Run(text="bottle_08 "),
                Run(text="stands", kind="removed"),
                Run(text="slipped", kind="added"),
            ),
        ),
    ),
    later="440:plannerwords",
)
NO_LOG = LogPanel(
    episode="0417",
    no_lines=Empty(title="Nothing executed yet", text="A line is written when an action has ended."),
    no_notes=Empty(title="No notes", text="This planner has written none."),
)

AUDIT = AuditPanel(
    episode="0417",
    at=None,
    rows=(
        AuditRow(
            seq=1902,
            seq_text="1,902",
            met="00:14:20",
            actor="drone",
            verdict=Mark(icon="ok", text=(plain("Accepted"),)),
            subject="can_07.pose",
            change="5.02, 7.65 → 5.34, 7.38 m",
            reason="0.8 × 0.71 outweighs 0.8 × 0.79 decayed by 62 s",
        ),
        AuditRow(
            seq=1899,
            seq_text="1,899",
            met="00:14:18",
            actor="drone",
            verdict=Mark(icon="reject", text=(plain("Refused"),), tone="caution"),
            subject="can_15",
            change="8.60, 1.90 m at 0.48",
            reason="Confidence 0.48 is below 0.55",
        ),
        AuditRow(
            seq=1880,
            seq_text="1,880",
            met="00:13:58",
            actor="operator-1",
            verdict=Mark(icon="approve", text=(plain("Approved"),)),
            subject="plan 13",
            change="pending → approved",
            reason="",
        ),
    ),
    before=1880,
    shown="3 rows, seq 1,880 and later, of 1,904 events",
    filter=AuditFilter(
        actors=(Choice(value="", label="Anyone", chosen=True), Choice(value="drone", label="Drone")),
        kinds=(Choice(value="", label="Anything", chosen=True), Choice(value="plan", label="Plan")),
        entity="",
    ),
)
FILTERED = msgspec.structs.replace(
    AUDIT,
    rows=AUDIT.rows[:1],
    is_older=True,
    filter=AuditFilter(
        actors=(Choice(value="", label="Anyone"), Choice(value="drone", label="Drone", chosen=True)),
        kinds=(Choice(value="", label="Anything", chosen=True),),
        entity="can_07",
        query={"actor": "drone", "entity": "can_07"},
    ),
)

COUNTS = ("16", "2,553", "2", "2/16", "41", "118", "2")
NAMES: tuple[TabName, ...] = ("memory", "context", "exchange", "frames", "log", "audit", "annotations")
LABELS = ("Memory", "Context", "Exchange", "Frames", "Log and notes", "Audit", "Annotations")
TABS = tuple(
    Tab(name=name, label=label, count=count) for name, label, count in zip(NAMES, LABELS, COUNTS, strict=True)
)

OPEN: dict[str, Evidence] = {
    name: Evidence(
        episode="0417",
        at=None,
        tabs=TABS,
        open=name,
        panel=panel,
        tail=tail,
        as_of_met_s=MET_S if name == "memory" else None,
        as_of="00:14:32",
    )
    for name, panel, tail in (
        ("memory", MEMORY, (plain("Rev "), strong_figure("118"))),
        ("context", CONTEXT, (plain("Call "), strong_figure("31"), plain(" for plan 14"))),
        ("exchange", EXCHANGE, (plain("gpt-5-mini-2025-08-07"),)),
        ("frames", FILM, (plain("Action 40, grasp "), strong("bottle_08"))),
        ("log", LOG, ()),
        ("audit", AUDIT, ()),
        ("annotations", written.PANEL, ()),
    )
}
EXAMPLES: dict[str, View] = {
    "memory": MEMORY,
    "memory/unfiltered": msgspec.structs.replace(MEMORY, shown=ROWS, kline=None, below=()),
    "memory/none": MemoryTable(
        caption="Memory",
        shown=(),
        empty=Empty(
            title="This memory keeps no records",
            text="The planner sees only what is visible now (memory “none”).",
        ),
    ),
    "context": CONTEXT,
    "context/as sent, with images": msgspec.structs.replace(CONTEXT, open=FRAMES_OPEN),
    "context/none": ContextPanel(
        episode="0417",
        at=None,
        decision=None,
        empty=Empty(title="Nothing was sent", text="The policy planner reads values, not text."),
    ),
    "exchange": EXCHANGE,
    "exchange/no JSON": UNREADABLE,
    "exchange/a plan with findings": JUDGED,
    "exchange/none": ExchangePanel(
        episode="0417",
        at=None,
        decision=None,
        empty=Empty(title="No exchange yet", text="The planner has not been asked."),
    ),
    "frames": FILM,
    "frames/none": NO_FILM,
    "frames/what if": TRIED,
    "frames/what if, mistyped": MISTYPED,
    "frames/one in full": SEEN,
    "log": LOG,
    "log/as the planner sees it": LOG_SENT,
    "log/none": NO_LOG,
    "audit": AUDIT,
    "audit/filtered": FILTERED,
    "audit/none": AuditPanel(
        episode="0417", at=None, empty=Empty(title="Nothing yet", text="No change has been recorded.")
    ),
    **{f"evidence/{name}": evidence for name, evidence in OPEN.items()},
    "evidence/replayed": msgspec.structs.replace(OPEN["memory"], at=1287),
}
