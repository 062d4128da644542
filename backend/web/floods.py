"""Whose commands were too many lately, by what the inbox holds: all web processes see the same, and so does
one that was started anew."""

from __future__ import annotations

from backend.domain.access.floods import WITHIN_S, refuse_flood
from backend.domain.command.intents import Action, Hold
from backend.web.deps import Inbox
from backend.web.errors import TooMany


def check_flood(inbox: Inbox, name: str, action: Action) -> None:
    """Raises TooMany. HOLD asks nothing of the store: it waits for nobody."""
    if isinstance(action, Hold):
        return
    sent, now_s = inbox.lately(name, WITHIN_S)
    refusal = refuse_flood(sent, action, now_s)
    if refusal is not None:
        raise TooMany(refusal.message, remedy=refusal.remedy, kept="Nothing was done.", code=refusal.code)
