"""Notes: what the planner wrote at each decision, every one kept verbatim (LogLook, section 3.4)."""

from __future__ import annotations

from msgspec import Struct


class Note(Struct, frozen=True, kw_only=True):
    seq: int
    decision: int
    met_s: float
    author: str
    text: str


def shown(notes: tuple[Note, ...], switch: str) -> tuple[Note, ...]:
    """The notes that the configuration's `notes` switch lets the planner see."""
    if switch == "off":
        return ()
    return notes[-1:] if switch == "latest" else notes
