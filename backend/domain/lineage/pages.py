"""A journal that is looked things up in: one event, a span of kinds, and where each kind stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

from backend.domain.episode.events import Recorded, kind_of


class Pages(Protocol):
    """Reading a few events of a long journal must not take reading all of it."""

    def one(self, seq: int) -> Recorded: ...

    def span(self, first: int, last: int, kinds: Sequence[str] = ()) -> Sequence[Recorded]:
        """Those from `first` to `last`, both in, of the kinds named or of any, in order."""

    def seqs(self, kind: str) -> Sequence[int]:
        """Where the events of a kind stand, in order."""

    @property
    def head(self) -> int: ...


class Listed:
    """Pages of a journal that is at hand as a list."""

    def __init__(self, events: Sequence[Recorded]) -> None:
        self._events = events

    def one(self, seq: int) -> Recorded:
        return self._events[seq - 1]

    def span(self, first: int, last: int, kinds: Sequence[str] = ()) -> Sequence[Recorded]:
        found = self._events[max(0, first - 1) : max(0, last)]
        return [each for each in found if not kinds or kind_of(each.event) in kinds]

    def seqs(self, kind: str) -> Sequence[int]:
        return [each.seq for each in self._events if kind_of(each.event) == kind]

    @property
    def head(self) -> int:
        return len(self._events)


def newest(pages: Pages, kind: str, until: int) -> Recorded | None:
    """The last of its kind up to `until`, that one in."""
    seqs = pages.seqs(kind)
    place = bisect_right(seqs, until)
    return pages.one(seqs[place - 1]) if place else None


def following(pages: Pages, kind: str, after: int) -> Recorded | None:
    """The first of its kind past `after`."""
    seqs = pages.seqs(kind)
    place = bisect_right(seqs, after)
    return pages.one(seqs[place]) if place < len(seqs) else None
