"""How often one may try to sign in: freely a few times, then after a wait that doubles with each failure.

Counted by account and by address: the first slows down who guesses one password from many places, the second
who tries many names from one. It never locks anybody out for longer than `LONGEST_WAIT_S`, and concerns
neither those who are signed in nor the link of the server's terminal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from backend.domain.refusal import Refusal

Kind = Literal["account", "address"]
FREE: Mapping[Kind, int] = {"account": 5, "address": 20}
FIRST_WAIT_S = 15.0
LONGEST_WAIT_S = 900.0
FORGET_S = 3600.0
"""Failures are forgotten when this long none was added."""


class Tries(Struct, frozen=True, kw_only=True):
    """`last_s`: of the newest failure, on the database's clock."""

    failures: int = 0
    last_s: float = 0.0

    def counted(self, now_s: float) -> int:
        return 0 if now_s - self.last_s > FORGET_S else self.failures


def wait_s(kind: Kind, failures: int) -> float:
    """0 for the first `FREE[kind]`, then 15, 30, 60 … s, up to a quarter of an hour."""
    past = failures - FREE[kind]
    return 0.0 if past < 0 else min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(past, 16))


def refuse_attempt(tries: Mapping[Kind, Tries], now_s: float) -> Refusal | None:
    """Why this attempt is not even looked at, and for how long."""
    left_s = max(
        (each.last_s + wait_s(kind, each.counted(now_s)) - now_s for kind, each in tries.items()), default=0.0
    )
    if left_s <= 0:
        return None
    return Refusal("too_many", "Too many tries.", f"Wait {_said(left_s)}, then try again.")


def _said(left_s: float) -> str:
    seconds = math.ceil(left_s)
    if seconds < 120:
        return f"{seconds} s"
    return f"{math.ceil(seconds / 60)} min"
