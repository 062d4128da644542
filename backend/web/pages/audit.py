"""Every change and refusal in order: who, what, from which value to which, and why."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backend.web.pages.parts import Choice, Empty, Mark
from backend.web.pages.view import View


class AuditRow(Struct, frozen=True, kw_only=True):
    """`subject`: an entity's field, a plan, an approval.

    `change`: "5.02, 7.65 → 5.34, 7.38 m", or what was said.
    """

    seq: int
    seq_text: str
    met: str
    actor: str
    verdict: Mark
    subject: str
    change: str
    reason: str


class AuditFilter(Struct, frozen=True, kw_only=True):
    """What is asked for; empty: everything. `query`: the same as an address carries it on."""

    actors: tuple[Choice, ...]
    kinds: tuple[Choice, ...]
    entity: str
    query: Mapping[str, str] = {}

    @property
    def is_set(self) -> bool:
        return bool(self.query)


class AuditPanel(View, frozen=True, kw_only=True):
    """Newest first. `before`: the seq to ask older rows from, None at the beginning; `is_older`: whether
    newer rows are left out."""

    template = "episode/_audit.html"
    variable = "audit"

    episode: str
    at: int | None
    filter: AuditFilter | None = None
    rows: tuple[AuditRow, ...] = ()
    before: int | None = None
    is_older: bool = False
    shown: str = ""
    empty: Empty | None = None
