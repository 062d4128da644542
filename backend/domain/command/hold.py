"""A stop: asked, latched from its commit, confirmed by measured standstill, released by a person."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.domain.digests import digest


class Stop(Struct, frozen=True, kw_only=True):
    id: str
    asked_by: str
    asked_seq: int
    asked_s: float
    reason: str = ""
    confirmed: bool = False
    unconfirmed_alarm: bool = False
    abort: bool = False


def to_be_released(stops: Sequence[Stop]) -> tuple[str, ...]:
    """Ids of those that a person may release; an abort's goes with the episode."""
    return tuple(stop.id for stop in stops if not stop.abort)


def digest_of_stops(ids: Sequence[str]) -> str:
    """By which a page says exactly which stops it showed, however many; empty where there are none."""
    return digest(tuple(ids)) if ids else ""
