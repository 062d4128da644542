"""Memory with its factors: what the planner is shown, by which score, and why the rest is left out."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.parts import Empty, Gauge, Icon, Phrase, Tone
from backend.web.pages.view import View


class MemoryRow(Struct, frozen=True, kw_only=True):
    """One record.

    `rank` is "–" for one that was filtered, `score` then a word. `why`: its role, or why it is left out.
    """

    rank: str
    entity: str
    icon: Icon
    status: str
    source: Gauge
    confidence: Gauge
    decay: Gauge
    nearness: Gauge
    score: str
    why: str = ""
    tone: Tone = "quiet"
    is_target: bool = False


class MemoryTable(View, frozen=True, kw_only=True):
    """`kline` None: this memory draws no line (unfiltered, static, oracle), so `below` is empty or differs by
    filter.
    """

    template = "episode/_memory.html"
    variable = "memory"

    caption: str
    shown: tuple[MemoryRow, ...]
    k: str = ""
    kline: Phrase | None = None
    below: tuple[MemoryRow, ...] = ()
    empty: Empty | None = None
