"""The execution log, written by the system from what was measured, beside the notes, kept verbatim."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.parts import Empty, Icon, Tone
from backend.web.pages.view import View


class LogLine(Struct, frozen=True, kw_only=True):
    """One executed action. `measured` is what was measured right after; for one NOT EXECUTED, why."""

    index: str
    seq: int
    met: str
    command: str
    result: str
    icon: Icon
    measured: str
    tone: Tone = "quiet"


class NoteLine(Struct, frozen=True, kw_only=True):
    number: str
    author: str
    met: str
    text: str


class LogPanel(View, frozen=True, kw_only=True):
    template = "episode/_log.html"
    variable = "log"

    episode: str
    lines: tuple[LogLine, ...] = ()
    notes: tuple[NoteLine, ...] = ()
    no_lines: Empty | None = None
    no_notes: Empty | None = None
