"""The watched-frame filmstrip: every recorded frame, the circles watched, what changed, what was returned or
withheld.
"""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.parts import Empty, Phrase
from backend.web.pages.view import View


class Circle(Struct, frozen=True, kw_only=True):
    """A watch point, in pixels of the frame. `is_hot`: the picture changed here by more than the limit."""

    x_px: float
    y_px: float
    radius_px: float


class FrameView(Struct, frozen=True, kw_only=True):
    """`change`: the share of watched pixels that differ from the frame kept before, "first" where there is
    none.

    `meter`: that share on a bar whose middle is the limit (0 to 1).
    """

    number: str
    sha256: str
    width_px: int
    height_px: int
    alt: str
    circles: tuple[Circle, ...]
    change: str
    meter: float
    is_over: bool
    is_returned: bool
    verdict: str


class FilmStrip(View, frozen=True, kw_only=True):
    """`action` is the number of the action in the execution log; `earlier`, `later`: neighbours that recorded
    frames.
    """

    template = "episode/_frames.html"
    variable = "film"

    episode: str
    at: int | None
    action: int | None
    summary: Phrase = ()
    frames: tuple[FrameView, ...] = ()
    earlier: int | None = None
    later: int | None = None
    empty: Empty | None = None
