"""Memory with its factors: what the planner is shown, by which score, and why the rest is left out.

One record opened is in `backend/web/pages/record.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from backend.web.pages.hindsight import KnownTable
from backend.web.pages.parts import Choice, Empty, FieldError, Gauge, Icon, Notice, Phrase, Tone
from backend.web.pages.record import Draft, RecordSheet
from backend.web.pages.view import View


class MemoryRow(Struct, frozen=True, kw_only=True):
    """One record.

    `rank` is "–" for one that was filtered, `score` then a word. `why`: its role, or why it is left out.
    `moves`: into or out of what is sent, under the settings tried. `charted`: its score is drawn; `chart`:
    the query that turns this.
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
    is_locked: bool = False
    is_disputed: bool = False
    moves: Literal["", "enters", "leaves"] = ""
    charted: bool = False
    chart: Mapping[str, str] = {}


class Tools(Struct, frozen=True, kw_only=True):
    """Find, filter and sort. `kept`: what of the query these fields do not say. `views`: what can be opened
    above the table, as (label, query, whether it is)."""

    find: str
    shows: tuple[Choice, ...]
    sorts: tuple[Choice, ...]
    kept: Mapping[str, str]
    views: tuple[tuple[str, Mapping[str, str], bool], ...]
    may_correct: bool
    adds: Mapping[str, str]
    adding: bool = False


class TriedField(Struct, frozen=True, kw_only=True):
    field: str
    label: str
    value: str
    usual: str
    unit: str = ""
    is_other: bool = False


class TriedSettings(Struct, frozen=True, kw_only=True):
    """Other settings of attention, and what they would change. `told` is empty while nothing differs."""

    fields: tuple[TriedField, ...]
    kept: Mapping[str, str]
    back: Mapping[str, str]
    told: Phrase = ()
    errors: tuple[FieldError, ...] = ()
    why_not: str = ""


class ChartLine(Struct, frozen=True, kw_only=True):
    """`style`: which of the lines' manners, from 0. `score`: now."""

    entity: str
    style: int
    score: str
    drop: Mapping[str, str]


class Chart(Struct, frozen=True, kw_only=True):
    """`entities` in the order of `lines`. `k`: 0 where this memory draws no line."""

    lines: tuple[ChartLine, ...]
    k: int
    close: Mapping[str, str]
    note: str = ""


class DisputeLine(Struct, frozen=True, kw_only=True):
    """A source against a person's word on a record; `seq`: since when."""

    entity: str
    told: Phrase
    seq: int
    kept: bool


class Undoable(Struct, frozen=True, kw_only=True):
    """A correction that was made. `undo`: the query that rehearses taking it back; None where it was."""

    seq: int
    met: str
    told: str
    by: str
    undo: Mapping[str, str] | None = None


class MemoryTable(View, frozen=True, kw_only=True):
    """`kline` None: this memory draws no line (unfiltered, static, oracle), so `below` is empty or differs by
    filter, or the rows stand in another order than by score.

    `query`: how the table is looked at, for the addresses in it. `sheet`: one record, in place of the table.
    `draft`: a correction of no record in particular. `earlier`, `later`: the rows before and after these.
    `known`: what is known now beside it, in place of the table.
    """

    template = "episode/_memory.html"
    variable = "memory"

    caption: str
    shown: tuple[MemoryRow, ...]
    k: str = ""
    kline: Phrase | None = None
    below: tuple[MemoryRow, ...] = ()
    empty: Empty | None = None
    episode: str = ""
    at: int | None = None
    query: Mapping[str, str] = {}
    tools: Tools | None = None
    tried: TriedSettings | None = None
    chart: Chart | None = None
    disputes: tuple[DisputeLine, ...] = ()
    undoable: tuple[Undoable, ...] = ()
    notice: Notice | None = None
    sheet: RecordSheet | None = None
    draft: Draft | None = None
    note: str = ""
    earlier: Mapping[str, str] | None = None
    later: Mapping[str, str] | None = None
    known: KnownTable | None = None


class ScoreSeries(Struct, frozen=True, kw_only=True):
    entity: str
    score: tuple[float | None, ...]


class ScoreData(Struct, frozen=True, kw_only=True):
    """What the chart is drawn from: one value a time, seconds of mission time. `kth`: the lowest score that
    was sent, None while all were; `k` 0: this memory draws no line."""

    seq: int
    met_s: tuple[float, ...]
    k: int
    kth: tuple[float | None, ...]
    series: tuple[ScoreSeries, ...]
