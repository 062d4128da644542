"""The query as sent: its blocks with size and share, and what differs from the call before."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import Empty, Phrase
from backend.web.pages.view import View


class BlockView(Struct, frozen=True, kw_only=True):
    """`start`, `share` (0 to 1): its place in the bar of the whole query.

    `meter`: relative to the largest block.
    """

    number: int
    name: str
    size: str
    share_text: str
    start: float
    share: float
    meter: float
    change: str
    is_changed: bool
    digest: str


class DiffLine(Struct, frozen=True, kw_only=True):
    text: str
    kind: Literal["same", "added", "removed"] = "same"


class BlockImage(Struct, frozen=True, kw_only=True):
    """A frame within a block, by content address."""

    sha256: str
    alt: str


class OpenBlock(Struct, frozen=True, kw_only=True):
    """The block being read, as a difference from the call before or exactly as sent."""

    number: int
    name: str
    summary: str
    view: Literal["difference", "sent"]
    lines: tuple[DiffLine, ...]
    images: tuple[BlockImage, ...] = ()


class ContextPanel(View, frozen=True, kw_only=True):
    """`total`, `change`: of all blocks, with "≈" where the provider gave no count.

    `decision` is the call's number.
    """

    template = "episode/_context.html"
    variable = "context"

    episode: str
    at: int | None
    decision: int | None
    summary: Phrase = ()
    blocks: tuple[BlockView, ...] = ()
    total: str = ""
    change: str = ""
    digest: str = ""
    open: OpenBlock | None = None
    empty: Empty | None = None
