"""The memory tab as it is looked at: tools, settings tried, scores, a record opened, corrections."""

from __future__ import annotations

from msgspec.structs import replace

from backend.web.pages.memory import Chart, ChartLine, DisputeLine, Tools, TriedField, TriedSettings, Undoable
from backend.web.pages.parts import Choice, FieldError, Mark, Notice, entity, plain, strong, strong_figure
from backend.web.pages.record import (
    Confirm,
    Deed,
    Draft,
    DraftField,
    HistoryRow,
    RecordField,
    RecordSheet,
    SheetDispute,
)
from backend.web.pages.view import View
from tests.web.examples import evidence

DISPUTED = (
    strong("Drone"), plain(" says pose "), strong("5.41, 7.38 m"),
    plain(" since 00:14:20; operator-1’s word stands."),
)  # fmt: skip
TOOLS = Tools(
    find="",
    shows=(Choice(value="", label="All records", chosen=True), Choice(value="disputed", label="Disputed")),
    sorts=(Choice(value="", label="Score", chosen=True), Choice(value="age", label="Newest")),
    kept={},
    views=(("What if", {"view": "try"}, False), ("Scores", {"view": "chart"}, False)),
    may_correct=True,
    adds={"do": "add"},
)
TABLE = replace(
    evidence.MEMORY,
    episode="0417",
    tools=TOOLS,
    disputes=(DisputeLine(entity="can_07", told=DISPUTED, seq=1890, kept=True),),
    shown=(
        replace(evidence.ROWS[0], is_locked=True, is_disputed=True, why="Drone says otherwise"),
        *evidence.ROWS[1:8],
    ),
)
FIELDS = (
    ("k", "K", "6", "8", ""),
    ("decay_s", "Decay", "18", "18", "s"),
    ("threshold", "Threshold", "0.55", "0.55", ""),
)
TRIED = replace(
    TABLE,
    query={"view": "try", "k": "6"},
    tried=TriedSettings(
        fields=tuple(
            TriedField(field=name, label=label, value=value, usual=usual, unit=unit, is_other=value != usual)
            for name, label, value, usual, unit in FIELDS
        ),
        kept={},
        back={"view": "try"},
        told=(strong("Would leave: "), entity("bottle_13"), plain(", "), entity("bottle_08"), plain(". ")),
    ),
    shown=evidence.ROWS[:6],
    k="K 6",
    below=(
        *(replace(row, moves="leaves", why="Would leave") for row in evidence.ROWS[6:8]),
        *evidence.ROWS[8:],
    ),
    later={"start": "100"},
)
MISTYPED = replace(
    TRIED,
    tried=replace(
        TRIED.tried,
        told=(),
        errors=(
            FieldError(
                field="k", message="K cannot be “many”.", remedy="Write a whole number from 1 to 1000."
            ),
        ),
    ),
)
CHARTED = replace(
    TABLE,
    query={"view": "chart"},
    chart=Chart(
        lines=(
            ChartLine(entity="can_07", style=0, score="0.565", drop={"view": "chart"}),
            ChartLine(entity="can_12", style=1, score="0.444", drop={"view": "chart"}),
        ),
        k=8,
        close={},
    ),
    shown=tuple(
        replace(row, charted=n < 2, chart={"view": "chart"}) for n, row in enumerate(evidence.ROWS[:8])
    ),
)
CORRECTED = replace(
    TABLE,
    query={"view": "corrections"},
    notice=Notice(icon="ok", title="Moved can_07.", text="It can be undone under Corrections."),
    undoable=(
        Undoable(
            seq=1880, met="00:14:12", told="Moved can_07", by="operator-1", undo={"do": "undo", "of": "1880"}
        ),
        Undoable(seq=1700, met="00:12:02", told="Removed can_15, undone by event 1712", by="operator-2"),
    ),
)
SHEET = RecordSheet(
    entity="can_07",
    icon="assigned",
    status="Assigned",
    tone="quiet",
    standing=(
        strong("Sent to the planner"), plain(", rank 1 of K 8. Score "), strong_figure("0.565"),
        plain(" = source 0.85 × confidence 0.71 × decay 0.94 × nearness 1.00."),
    ),
    fields=(
        RecordField(name="class", text="can", lock={"do": "lock", "field": "class"}),
        RecordField(
            name="pose", text="5.07, 7.16 m, frame map", said="said by operator-1 at 00:14:12: I see it",
            is_locked=True, lock={"do": "unlock", "field": "pose"},
        ),
        RecordField(name="status", text="observed", is_locked=True),
        RecordField(name="seen", text="12 s", said="operator", met_s=860.0),
    ),
    disputes=(SheetDispute(told=DISPUTED, ways=(("Believe drone", {"do": "move", "x_m": "5.41"}),)),),
    deeds=(
        Deed(do="move", label="Move", query={"do": "move"}, current=True),
        Deed(do="remove", label="Remove", query={"do": "remove"}),
    ),
    why_not="",
    history=(
        HistoryRow(
            seq=1890, seq_text="1,890", met="00:14:20", field="Pose", change="says 5.41, 7.38 m", by="drone",
            why="Pose is locked by operator-1", icon="warn", tone="caution",
        ),
        HistoryRow(
            seq=1880, seq_text="1,880", met="00:14:12", field="Pose", change="4.80, 7.00 m → 5.07, 7.16 m",
            by="operator-1", why="I see it",
        ),
    ),
    back={},
    chart={"view": "chart", "chart": "can_07"},
    more=True,
)  # fmt: skip
DRAFT = Draft(
    do="move",
    title="Say where it is: can_07",
    help="In metres, as the map shows them.",
    fields=(
        DraftField(field="x_m", label="x", type="number", value="40", unit="m"),
        DraftField(field="y_m", label="y", type="number", value="7.2", unit="m"),
        DraftField(field="cls", label="Class", type="choice", choices=(Choice(value="can", label="can"),)),
        DraftField(field="name", label="Robot’s own id", type="text", help="if it has one"),
        DraftField(field="lock", label="Lock it", type="check", value="yes"),
    ),
    kept={"do": "move"},
    cancel={},
    chosen="can_07",
    errors=(
        FieldError(field="x_m", message="(40, 7.2) m is outside the map.", remedy="Choose x from 0 to 12 m."),
    ),
)
CONFIRM = replace(
    DRAFT,
    errors=(),
    reason="I see it",
    why_not="operator-2 has the conn. Take it over to decide.",
    confirm=Confirm(
        told=(
            Mark(icon="ok", text=(plain("Pose of "), entity("can_07"), plain(" → "), strong("5.07, 7.16 m"))),
            Mark(
                icon="held",
                text=(strong("The robot is asked to cancel"), plain(" navigate can_07.")),
                tone="alarm",
            ),
            Mark(
                icon="stale",
                text=(plain("The waiting approval of plan 14 "), strong("lapses"), plain(".")),
                tone="caution",
            ),
        ),
        hidden={"do": "move", "blast": "9f3a", "seen_0": "118:can_07"},
        label="Confirm",
    ),
)
OPENED = replace(TABLE, sheet=SHEET)
EXAMPLES: dict[str, View] = {
    "memory/with tools": TABLE,
    "memory/what if": TRIED,
    "memory/what if, mistyped": MISTYPED,
    "memory/scores": CHARTED,
    "memory/corrections": CORRECTED,
    "memory/a record": OPENED,
    "memory/a correction, mistyped": replace(TABLE, sheet=replace(SHEET, draft=DRAFT)),
    "memory/a correction to confirm": replace(TABLE, sheet=replace(SHEET, draft=CONFIRM)),
    "memory/adding": replace(TABLE, draft=replace(DRAFT, do="add", title="Add a record", chosen="")),
    "memory/a record, watched": replace(
        OPENED,
        sheet=replace(SHEET, deeds=(), why_not="You may watch and hold. An operator decides.", history=()),
    ),
    "memory/found": replace(TABLE, kline=None, below=(), note="8 records", earlier={"find": "can"}),
}
OPEN = {name: replace(evidence.OPEN["memory"], panel=panel) for name, panel in EXAMPLES.items()}
"""The evidence panel with each of them, for pages."""
