"""What retrieval returned: each record's factors, its rank, and why it was left out."""

from __future__ import annotations

from msgspec import Struct


class Scored(Struct, frozen=True, kw_only=True):
    """One record under the attention score, factor by factor (section IV-C).

    `rank` counts from 1 among the records that passed the filter; None for one that was filtered.
    `left_out` is None for an exposed record, else the reason in words.
    """

    entity: str
    weight: float
    confidence: float
    decay: float
    nearness: float
    distance_m: float
    age_s: float
    score: float
    rank: int | None
    left_out: str | None


class Retrieval(Struct, frozen=True, kw_only=True):
    """`exposed` in the order shown; `count` is how many records
    the planner reads (an unfiltered history repeats them)."""

    exposed: tuple[str, ...]
    count: int
    scored: tuple[Scored, ...] = ()
