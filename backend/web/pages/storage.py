"""The page of storage: what takes how much room, what rules would let go, and the button that lets it go."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.parts import FieldError, Gauge, Link, Notice


class UseRow(Struct, frozen=True, kw_only=True):
    """`size` with its share of all. `note`: how many episodes, of a mission."""

    name: str
    size: Gauge
    note: str = ""


class GoingRow(Struct, frozen=True, kw_only=True):
    episode: Link
    title: str
    outcome: str
    reason: str
    size: str


class KeptRow(Struct, frozen=True, kw_only=True):
    reason: str
    count: str


class Proposal(Struct, frozen=True, kw_only=True):
    """What the rules would let go. `digest`: of exactly these; posted with the deletion. `more`: episodes
    that go and are not listed, in words."""

    summary: str
    going: tuple[GoingRow, ...]
    kept: tuple[KeptRow, ...]
    digest: str
    confirm: str
    more: str = ""


class RulesForm(Struct, frozen=True, kw_only=True):
    """As typed."""

    keep_days: str
    keep_failed: bool
    keep_annotated: bool
    keep_tags: str


class StoragePage(Page, frozen=True, kw_only=True):
    """`form`: for admins alone."""

    template = "storage/show.html"

    room: str
    kinds: tuple[UseRow, ...]
    missions: tuple[UseRow, ...]
    spare: str = ""
    form: RulesForm | None = None
    proposal: Proposal | None = None
    errors: tuple[FieldError, ...] = ()
    notice: Notice | None = None
