"""What two memories believe otherwise at their moments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from backend.domain.episode.state import State
from backend.domain.geometry import Metric
from backend.domain.memory.record import VERIFIED, EntityRecord, Status

What = Literal["known", "place", "status"]
"""`known`: one alone has a record of it."""


class Otherwise(Struct, frozen=True, kw_only=True):
    """An entity of which the two believe otherwise, and in what. A side is None where it knows nothing."""

    entity: str
    left: EntityRecord | None
    right: EntityRecord | None
    what: tuple[What, ...]


def believed_otherwise(left: State, right: State) -> tuple[Otherwise, ...]:
    """In order of entity. Confidence and age alone are no other belief, nor where what is held or delivered
    was last seen."""
    ours, theirs = left.memory.records, right.memory.records
    found = []
    for entity in sorted({*ours, *theirs}):
        one, other = _known(ours.get(entity)), _known(theirs.get(entity))
        what = tuple(_what(one, other, left.site.metric))
        if what:
            found.append(Otherwise(entity=entity, left=one, right=other, what=what))
    return tuple(found)


def _known(record: EntityRecord | None) -> EntityRecord | None:
    """What the planner may be told of: neither taken away by a person nor never accepted."""
    if record is None or record.status is Status.REMOVED or not record.supported:
        return None
    return record


def _what(one: EntityRecord | None, other: EntityRecord | None, metric: Metric) -> Iterator[What]:
    if one is None or other is None:
        if one is not other:
            yield "known"
        return
    if one.status is not other.status:
        yield "status"
    if not {one.status, other.status} & VERIFIED and not metric.same_place(one.pose, other.pose):
        yield "place"
