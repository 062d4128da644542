"""The conn: one operator commands an episode at a time."""

from __future__ import annotations

from msgspec import Struct


class Conn(Struct, frozen=True, kw_only=True):
    """`expires_s` is on the database's clock; the holder's page renews it."""

    holder: str
    since_seq: int
    expires_s: float

    def lasts(self, now_s: float) -> bool:
        """Whether the holder still has it at `now_s` on the database's clock."""
        return self.expires_s > now_s
