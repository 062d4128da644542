"""The timeline: its shell, and the JSON that its island draws from.

`GET /episodes/{episode}/timeline.json` answers with a `TimelineData`. It covers the whole episode in live and
in replay alike; what lies after the playhead is drawn pale. Order is seq alone; met_s places a thing on the
axis.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import FieldError
from backend.web.pages.view import View

PhaseKind = Literal["planning", "waiting", "asking", "executing", "held"]
"""`waiting`: a person was asked and has answered since; `asking`: is being asked now."""

MarkKind = Literal["plan", "replan", "failure", "delivery", "rejected", "hold", "operator", "annotation"]
"""`operator`: what else a person did, such as approving, releasing or guiding. `annotation`: what one wrote
beside the episode."""


class PhaseSpan(Struct, frozen=True, kw_only=True):
    start_s: float
    end_s: float
    kind: PhaseKind


class AnnotatedSpan(Struct, frozen=True, kw_only=True):
    """An annotation that lasts, drawn as a line below the marks."""

    start_s: float
    end_s: float
    label: str


class TimelineMark(Struct, frozen=True, kw_only=True):
    """An event worth a shape. `label`: "Replan: bottle_03 pose"."""

    seq: int
    met_s: float
    kind: MarkKind
    label: str


class Bin(Struct, frozen=True, kw_only=True):
    """A stretch of `bin_s` seconds: how many pieces of evidence came, and the last seq in it (of before, if
    none).
    """

    evidence: int
    seq: int


class Tick(Struct, frozen=True, array_like=True):
    """The last event by a mission time: where a replay stands then."""

    met_s: float
    seq: int


class TimelineData(Struct, frozen=True, kw_only=True):
    """`head_seq`, `head_met_s`: the newest event.

    `span_s`: where the axis ends (the budget, or beyond the head). `ticks`: in order, fine enough to play by.
    """

    head_seq: int
    head_met_s: float
    span_s: float
    phases: tuple[PhaseSpan, ...]
    marks: tuple[TimelineMark, ...]
    bin_s: float
    bins: tuple[Bin, ...]
    ticks: tuple[Tick, ...] = ()
    spans: tuple[AnnotatedSpan, ...] = ()


class AbortSheet(View, frozen=True, kw_only=True):
    """Abort asks again: what is held, what is left undone."""

    template = "episode/_abort.html"
    variable = "abort"

    episode: str
    consequence: str
    reason: str = ""
    errors: tuple[FieldError, ...] = ()


class TimelineView(View, frozen=True, kw_only=True):
    """`back`, `forward`: neighbouring seqs, None at an end.

    `head`: the newest. `aborting`: the sheet, when asked for.
    """

    template = "episode/_timeline.html"
    variable = "timeline"

    episode: str
    at: int | None
    met: str
    met_s: float
    seq: int
    seq_text: str
    head: int
    back: int | None
    forward: int | None
    may_abort: bool
    is_over: bool = False
    aborting: AbortSheet | None = None
