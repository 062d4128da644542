"""Every report and sighting, in the order of arrival: what an unfiltered memory shows (section V-A)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from backend.domain.memory.evidence import Evidence

PAGE = 64
"""Reports in a full page. Adding one copies a page at most, so that long histories cost no more each time."""


class Report(Struct, frozen=True):
    """`entity` is the record it was about. `times` counts coalesced repetitions."""

    entity: str
    evidence: Evidence
    refused: bool = False
    times: int = 1


class Reports(Struct, frozen=True):
    """`pages` are full, `last` is not."""

    pages: tuple[tuple[Report, ...], ...] = ()
    last: tuple[Report, ...] = ()

    def followed_by(self, report: Report) -> Reports:
        last = (*self.last, report)
        return Reports(self.pages, last) if len(last) < PAGE else Reports((*self.pages, last), ())

    def __iter__(self) -> Iterator[Report]:
        for page in self.pages:
            yield from page
        yield from self.last
