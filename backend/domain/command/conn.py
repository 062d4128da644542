"""The conn: one operator commands an episode at a time."""

from __future__ import annotations

from msgspec import Struct


class Conn(Struct, frozen=True, kw_only=True):
    """`expires_s` is on the database's clock; the holder's page renews it."""

    holder: str
    since_seq: int
    expires_s: float
