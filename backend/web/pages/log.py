"""The execution log, written by the system from what was measured, beside the notes, kept verbatim."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import Empty, Icon, Run, Tone
from backend.web.pages.view import View


class LogLine(Struct, frozen=True, kw_only=True):
    """One executed action: `command` and `asked` (the place it was grounded to) against `measured`, right
    after; for one NOT EXECUTED, why. `off`: how far from that place the robot was found; `stands_off`: that
    near it was to come, so that it is nothing abnormal.
    """

    index: str
    seq: int
    met: str
    command: str
    result: str
    icon: Icon
    measured: str
    tone: Tone = "quiet"
    asked: str = ""
    off: str = ""
    stands_off: bool = False


class SentLine(Struct, frozen=True, kw_only=True):
    """A line as the planner reads it. `is_shown` False: its memory leaves it out."""

    seq: int
    text: str
    is_shown: bool


class NoteLine(Struct, frozen=True, kw_only=True):
    """`runs`: the note with what it took the place of in the one before it; empty where it is read plainly.

    `is_shown` False: the planner's memory leaves it out.
    """

    number: str
    seq: int
    author: str
    met: str
    text: str
    runs: tuple[Run, ...] = ()
    is_shown: bool = True


class LogChoice(Struct, frozen=True, kw_only=True):
    name: str
    label: str
    chosen: str
    is_open: bool


class LogPanel(View, frozen=True, kw_only=True):
    """`reading`: the log as a table, asked against measured, or as the planner sees it.

    `shown`: how much of it the planner is shown. `earlier`, `later`: what opens the lines before and after.
    """

    template = "episode/_log.html"
    variable = "log"

    episode: str
    at: int | None = None
    reading: Literal["table", "planner"] = "table"
    readings: tuple[LogChoice, ...] = ()
    lines: tuple[LogLine, ...] = ()
    sent: tuple[SentLine, ...] = ()
    shown: str = ""
    notes: tuple[NoteLine, ...] = ()
    note_readings: tuple[LogChoice, ...] = ()
    notes_shown: str = ""
    earlier: str = ""
    later: str = ""
    no_lines: Empty | None = None
    no_notes: Empty | None = None
