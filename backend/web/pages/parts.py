"""Small parts that many contexts are made of. They mirror the macros of `frontend/_parts.html`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Tone = Literal["quiet", "ask", "caution", "alarm", "pending", "replay"]
"""Why something is coloured: asks you, judge it, failed or stopped, asked and not confirmed, not now; else it
is not.
"""

Icon = Literal[
    "mark", "ask", "hold", "held", "more", "warn", "bad", "ok", "stale", "fresh", "idle", "observed",
    "assigned", "grasped", "delivered", "reconsider", "lost", "unsupported", "plan", "replan", "fail",
    "approve", "reject", "plus", "minus", "fit", "follow", "pause", "play", "back", "fwd", "run", "done",
    "removed", "lock",
    "copy", "eye", "history", "search", "drone", "queue", "person", "note",
    "up", "down",
]  # fmt: skip
"""The shapes of `frontend/_sprite.html`."""


class Span(Struct, frozen=True, kw_only=True):
    """A run of text in one manner.

    With `met_s` or `utc_ms` it is an age since then, and ticks while it is shown.

    `entity` links to the record of that id; `code` is an id, argument or digest.
    """

    text: str
    kind: Literal["plain", "strong", "figure", "strong_figure", "entity", "code"] = "plain"
    met_s: float | None = None
    utc_ms: int | None = None


Phrase = tuple[Span, ...]
"""A sentence with its figures and names marked; spaces are part of the spans."""


def plain(text: str) -> Span:
    return Span(text=text)


def strong(text: str) -> Span:
    return Span(text=text, kind="strong")


def figure(text: str, *, met_s: float | None = None, utc_ms: int | None = None) -> Span:
    return Span(text=text, kind="figure", met_s=met_s, utc_ms=utc_ms)


def strong_figure(text: str, *, met_s: float | None = None) -> Span:
    return Span(text=text, kind="strong_figure", met_s=met_s)


def entity(id: str) -> Span:
    return Span(text=id, kind="entity")


def code(text: str) -> Span:
    return Span(text=text, kind="code")


class Link(Struct, frozen=True, kw_only=True):
    """One way on. `href` stays in this console."""

    label: str
    href: str

    def __post_init__(self) -> None:
        if not self.href.startswith(("/", "?", "#")) or self.href.startswith("//"):
            raise ValueError(f"{self.href!r} leads out of the console")


class Run(Struct, frozen=True, kw_only=True):
    """A piece of a text beside what it was before."""

    text: str
    kind: Literal["same", "added", "removed"] = "same"


class Mark(Struct, frozen=True, kw_only=True):
    """A shape and a sentence: a check, a risk, a verdict."""

    icon: Icon
    text: Phrase
    tone: Tone = "quiet"


class Notice(Struct, frozen=True, kw_only=True):
    """What happened instead of what was asked, what was kept, and a way on."""

    icon: Icon
    title: str
    text: str
    tone: Tone = "quiet"
    way: Link | None = None


class Empty(Struct, frozen=True, kw_only=True):
    """What is missing, why, and one way on."""

    title: str
    text: str
    way: Link | None = None


class FieldError(Struct, frozen=True, kw_only=True):
    """Shown beside the field `field` of a form: what is wrong and what would be right."""

    field: str
    message: str
    remedy: str


class Gauge(Struct, frozen=True, kw_only=True):
    """A figure with its bar.

    `share` (0 to 1) None: not computed, drawn as a dotted line. `raw`: what it comes from; with `raw_met_s`
    an age since then, which ticks.
    """

    text: str
    share: float | None = None
    raw: str = ""
    raw_met_s: float | None = None
    tone: Tone = "quiet"


class Choice(Struct, frozen=True, kw_only=True):
    """One option of a form. A choice that is not `available` says why in `text`."""

    value: str
    label: str
    text: str = ""
    chosen: bool = False
    available: bool = True
