"""A stop: asked, latched from its commit, confirmed by measured standstill, released by a person."""

from __future__ import annotations

from msgspec import Struct


class Stop(Struct, frozen=True, kw_only=True):
    id: str
    asked_by: str
    asked_seq: int
    asked_s: float
    reason: str = ""
    confirmed: bool = False
    unconfirmed_alarm: bool = False
    abort: bool = False
