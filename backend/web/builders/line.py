"""A line of the audit, as the modules that write lines share it."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.parts import Icon, Mark, Tone, plain


class Line(Struct, frozen=True, kw_only=True):
    """`actor` empty: as recorded."""

    verdict: Mark
    subject: str
    change: str = ""
    reason: str = ""
    actor: str = ""


def mark(icon: Icon, text: str, tone: Tone = "quiet") -> Mark:
    return Mark(icon=icon, text=(plain(text),), tone=tone)
