"""A table with an arm: what its cameras see now, the point that a pixel shows, and the action asked against
measured; and the demonstration that was watched before the first plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from backend.web.pages.frames import Circle
from backend.web.pages.parts import Empty, FieldError, Phrase
from backend.web.pages.view import View

Tone = Literal["ok", "bad", "wait", "idle"]


class CameraView(Struct, frozen=True, kw_only=True):
    """`circles`: watched in this picture. `cursor_px`: the pixel that is read, None where it is another's.
    `has_depth`: whether a pixel of it can be read.
    """

    camera: str
    sha256: str
    width_px: float
    height_px: float
    alt: str
    circles: tuple[Circle, ...] = ()
    cursor_px: tuple[float, float] | None = None
    has_depth: bool = True


class Probe(Struct, frozen=True, kw_only=True):
    """The pixel as it was typed, and what it shows. `is_seen`: there is a point."""

    cameras: tuple[tuple[str, bool], ...]
    x_px: str
    y_px: str
    said: Phrase = ()
    is_seen: bool = False
    errors: tuple[FieldError, ...] = ()


class PartRow(Struct, frozen=True, kw_only=True):
    """A part of a sequence, or a chunk: asked, its check, and what was measured right after it."""

    number: int
    asked: str
    check: str
    measured: str
    state: str
    tone: Tone


class ActionTold(Struct, frozen=True, kw_only=True):
    """`asked` against `measured`; `parts` of a sequence or chunks of a phrase. `title`: which it is."""

    title: str
    asked: str
    result: str
    tone: Tone
    measured: str = ""
    parts: tuple[PartRow, ...] = ()


class TablePanel(View, frozen=True, kw_only=True):
    """`saved`: how many images gating kept from the planner so far, of how many."""

    template = "episode/_table.html"
    variable = "table"

    episode: str
    at: int | None
    instruction: str
    views: tuple[CameraView, ...] = ()
    probe: Probe | None = None
    facts: tuple[tuple[str, str], ...] = ()
    action: ActionTold | None = None
    saved: Phrase = ()
    empty: Empty | None = None


class SeenFrame(Struct, frozen=True, kw_only=True):
    number: int
    sha256: str
    width_px: int
    height_px: int
    alt: str


class ViewRow(Struct, frozen=True, kw_only=True):
    """One call about the demonstration. `asked`: the ranges wanted closer; `refused`: what of them was not
    given, and why; `chosen` opens its frames.
    """

    number: int
    kind: str
    segment: str
    shown: str
    asked: str
    refused: str
    summary: str
    is_open: bool
    chosen: str


class DemonstrationPanel(View, frozen=True, kw_only=True):
    """`frames`: shown in the view that is open. `summary`: the running one after it."""

    template = "episode/_demonstration.html"
    variable = "demonstration"

    episode: str
    at: int | None
    told: Phrase = ()
    segments: tuple[Mapping[str, str], ...] = ()
    rows: tuple[ViewRow, ...] = ()
    frames: tuple[SeenFrame, ...] = ()
    frames_title: str = ""
    summary: str = ""
    empty: Empty | None = None
