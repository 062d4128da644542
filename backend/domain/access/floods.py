"""How many commands of one person an episode takes: each is kept, so a script could fill its journal.

Two bounds within a minute: one on what was refused, and a higher one on all that was sent, for what is
applied is kept as well. Denies and aborts are bounded where no hand comes, and HOLD never. The conn's renewal
is bounded only where it is refused, so that nobody loses the conn by commanding much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from backend.domain.command.intents import STOPPING, Action, Hold, RenewConn
from backend.domain.refusal import Refusal

WITHIN_S = 60.0
MOST_REFUSED = 30
MOST_SENT = 120
MOST_STOPS = 300

UNBOUNDED = ("attempted", "hold")
"""Kinds of what the console itself enters, and of what is never bounded: nobody need count them."""
BY_ITSELF = "renew_conn"
"""The kind of what a page sends without anybody's doing."""


class Sent(Struct, frozen=True, kw_only=True):
    """A command that may be bounded. `at_s`: when it came. `applied` None: not decided, or taken back."""

    at_s: float
    kind: str
    applied: bool | None = None


def refuse_flood(sent: Sequence[Sent], action: Action, now_s: float) -> Refusal | None:
    """`sent`: this person's commands to the episode within the last minute, oldest first; all times on one
    clock."""
    if isinstance(action, Hold):
        return None
    refused_s = [each.at_s for each in sent if each.applied is False]
    if isinstance(action, (*STOPPING, RenewConn)):
        return _too_many(refused_s, MOST_STOPS, now_s, "were refused")
    counted_s = [each.at_s for each in sent if each.kind != BY_ITSELF and not _answers(each)]
    return _too_many(refused_s, MOST_REFUSED, now_s, "were refused") or _too_many(
        counted_s, MOST_SENT, now_s, "came"
    )


def _answers(sent: Sent) -> bool:
    """An approval that was taken: there are no more of them than questions."""
    return sent.kind == "approve" and sent.applied is True


def _too_many(at_s: Sequence[float], most: int, now_s: float, what: str) -> Refusal | None:
    recent = [each for each in at_s if now_s - each < WITHIN_S]
    if len(recent) < most:
        return None
    wait_s = math.ceil(WITHIN_S - (now_s - recent[-most]))
    look = "Look at what they were refused for; wait" if what == "were refused" else "Wait"
    return Refusal("too_many", f"{most} commands of yours {what} within a minute.", f"{look} {wait_s} s.")
