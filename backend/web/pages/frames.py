"""The watched-frame filmstrip: every recorded frame, the circles watched, what changed, what was returned or
withheld; one frame in full with what changed since the one before it; and the gate set otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backend.web.pages.parts import Empty, FieldError, Phrase
from backend.web.pages.view import View


class Circle(Struct, frozen=True, kw_only=True):
    """A watch point, in the pixels that planners name points in."""

    x_px: float
    y_px: float
    radius_px: float


class FrameView(Struct, frozen=True, kw_only=True):
    """`width_px`, `height_px`: its size as planners name points in it, whatever it was recorded at.

    `change`: the share of watched pixels that differ from the frame kept before, "first" where there is
    none. `meter`: that share on a bar whose middle is the limit (0 to 1). `pair`: the frame that it was
    returned with, and `pair_chosen` what opens that. `instead`: what became of it in fact, where the gate is
    set otherwise and says another thing. `chosen` opens it in full.
    """

    number: str
    sha256: str
    width_px: float
    height_px: float
    alt: str
    circles: tuple[Circle, ...]
    change: str
    meter: float
    is_over: bool
    is_returned: bool
    verdict: str
    chosen: str
    pair: str = ""
    pair_chosen: str = ""
    instead: str = ""
    is_open: bool = False


class Viewer(Struct, frozen=True, kw_only=True):
    """One frame in full. `before`: the SHA-256 of the frame that it is compared with, empty for the first.

    `overlay`: whether what changed is drawn over it; `plain_chosen` and `overlay_chosen` switch.
    """

    frame: FrameView
    title: str
    facts: tuple[tuple[str, str], ...]
    before: str
    level: int
    overlay: bool
    plain_chosen: str
    overlay_chosen: str
    earlier: str
    later: str
    back: str


class GateForm(Struct, frozen=True, kw_only=True):
    """The gate set otherwise, over the frames that are stored. `result`: what it would have returned.

    `why_not`: why there is nothing to try. `is_tried`: what the strip shows is not what happened.
    """

    radius_px: str
    level: str
    share_percent: str
    result: Phrase = ()
    why_not: str = ""
    is_tried: bool = False
    errors: tuple[FieldError, ...] = ()


class FilmStrip(View, frozen=True, kw_only=True):
    """`action` is the number of the action in the execution log; `earlier`, `later`: neighbours that recorded
    frames. `query`: what the addresses of other states of this panel carry on.
    """

    template = "episode/_frames.html"
    variable = "film"

    episode: str
    at: int | None
    action: int | None
    seq: int | None = None
    summary: Phrase = ()
    frames: tuple[FrameView, ...] = ()
    viewer: Viewer | None = None
    gate: GateForm | None = None
    query: Mapping[str, str] = {}
    earlier: int | None = None
    later: int | None = None
    empty: Empty | None = None
