"""The query as sent: its blocks with size and share, what differs from the call before, and where each line
came from."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import Empty, Link, Phrase, Run
from backend.web.pages.view import View


class BlockView(Struct, frozen=True, kw_only=True):
    """`start`, `share` (0 to 1): its place in the bar of the whole query.

    `meter`: relative to the largest block. `chosen`: what opens it.
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
    chosen: str = ""
    is_open: bool = False


class DiffLine(Struct, frozen=True, kw_only=True):
    """`runs`: what of a changed line changed. `sources`: the record, note, frame or step that it tells of."""

    text: str
    kind: Literal["same", "added", "removed", "changed"] = "same"
    runs: tuple[Run, ...] = ()
    sources: tuple[Link, ...] = ()


class BlockImage(Struct, frozen=True, kw_only=True):
    """A frame within a block, by content address. `size`: as recorded, and as sent where that differs."""

    sha256: str
    alt: str
    size: str = ""
    href: str = ""


class BlockReading(Struct, frozen=True, kw_only=True):
    """A way to read the open block."""

    name: Literal["difference", "sent"]
    label: str
    chosen: str
    is_open: bool


class OpenBlock(Struct, frozen=True, kw_only=True):
    """The block being read, as a difference from the call before or exactly as sent.

    `sources`: what the whole of it comes from.
    """

    number: int
    name: str
    summary: str
    view: Literal["difference", "sent"]
    lines: tuple[DiffLine, ...]
    images: tuple[BlockImage, ...] = ()
    readings: tuple[BlockReading, ...] = ()
    sources: tuple[Link, ...] = ()


class ContextPanel(View, frozen=True, kw_only=True):
    """`total`, `change`: of all blocks, with "≈" where the provider gave no count. `gone`: blocks of the call
    before that this one lacks. `earlier`, `later`: what opens the calls beside it, `newest` the newest one;
    `asked_at`: the event that asked this one.

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
    gone: str = ""
    open: OpenBlock | None = None
    earlier: str = ""
    later: str = ""
    newest: str = ""
    asked_at: int | None = None
    empty: Empty | None = None
