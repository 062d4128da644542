"""The conn: one operator commands an episode at a time. Whoever wants it from another asks for it first."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

CONN_LEASE_S = 60.0
"""How long the conn stays with a page that has fallen silent."""
GRACE_S = 15.0
"""How long the holder has to answer before who asked may take the conn over."""
ASKED_FOR_S = 120.0
"""How long after that the asking still counts; then one asks again."""

OnOperatorLoss = Literal["go_on", "finish_skill_and_hold", "hold_now"]
"""What the robot does when the page of who commands has fallen silent for as long as the lease lasts."""


class ConnRequest(Struct, frozen=True, kw_only=True):
    """Somebody asks the holder for the conn. `asked_s` is on the database's clock.

    `kept`: the holder has refused; `reason` says why, where they said so.
    """

    by: str
    seq: int
    asked_s: float
    kept: bool = False
    reason: str = ""

    def left_s(self, now_s: float) -> float:
        """How long the holder still has to answer; 0 when the time is up."""
        return max(0.0, self.asked_s + GRACE_S - now_s)

    def counts(self, now_s: float) -> bool:
        """Whether the holder can still answer it, and who asked act on it."""
        return not self.kept and now_s < self.asked_s + GRACE_S + ASKED_FOR_S


class Conn(Struct, frozen=True, kw_only=True):
    """`expires_s` is on the database's clock; the holder's page renews it. `asked`: who wants it."""

    holder: str
    since_seq: int
    expires_s: float
    asked: ConnRequest | None = None

    def lasts(self, now_s: float) -> bool:
        """Whether the holder still has it at `now_s` on the database's clock."""
        return self.expires_s > now_s


def held_at(conn: Conn | None, now_s: float) -> Conn | None:
    """The conn where somebody has it at `now_s`: one that has run out is nobody's."""
    return conn if conn is not None and conn.lasts(now_s) else None
