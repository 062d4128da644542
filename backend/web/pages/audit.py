"""Every change and refusal in order: who, what, from which value to which, and why."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.parts import Empty, Mark
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


class AuditPanel(View, frozen=True, kw_only=True):
    """Newest first. `before`: the seq to ask older rows from, None at the beginning."""

    template = "episode/_audit.html"
    variable = "audit"

    episode: str
    at: int | None
    rows: tuple[AuditRow, ...] = ()
    before: int | None = None
    shown: str = ""
    empty: Empty | None = None
