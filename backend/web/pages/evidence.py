"""The evidence panel: its tabs, one of them open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from backend.web.pages.annotations import AnnotationsPanel
from backend.web.pages.audit import AuditPanel
from backend.web.pages.context import ContextPanel
from backend.web.pages.exchange import ExchangePanel
from backend.web.pages.frames import FilmStrip
from backend.web.pages.log import LogPanel
from backend.web.pages.memory import MemoryTable
from backend.web.pages.parts import Phrase
from backend.web.pages.table import DemonstrationPanel, TablePanel
from backend.web.pages.view import View

TabName = Literal[
    "table", "demonstration", "memory", "context", "exchange", "frames", "log", "audit", "annotations"
]


Panel = (
    MemoryTable
    | ContextPanel
    | ExchangePanel
    | FilmStrip
    | LogPanel
    | AuditPanel
    | AnnotationsPanel
    | TablePanel
    | DemonstrationPanel
)


class Tab(Struct, frozen=True, kw_only=True):
    name: TabName
    label: str
    count: str


class Evidence(View, frozen=True, kw_only=True):
    """`chosen` is what within the panel is open (a block, an attempt, an action) and `query` what else it is
    asked with (a filter, a gate), both kept when the panel is fetched again. `is_still`: somebody writes in
    it, so that no event fetches it again. `shows_known`: what is known now, and the map draws it too.
    `as_of_met_s`: the time that the scores shown are of, None where no time goes on; said while live alone.
    """

    template = "episode/_evidence.html"
    variable = "evidence"

    episode: str
    at: int | None
    tabs: tuple[Tab, ...]
    open: TabName
    panel: Panel
    tail: Phrase = ()
    chosen: str = ""
    query: Mapping[str, str] = {}
    is_still: bool = False
    shows_known: bool = False
    as_of_met_s: float | None = None
    as_of: str = ""
