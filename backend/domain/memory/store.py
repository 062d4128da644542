"""Dynamic memory: the current records, and how many pieces of evidence have been seen in all."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backend.domain.memory.record import EntityRecord
from backend.domain.memory.reports import Reports


class Memory(Struct, frozen=True, kw_only=True):
    """`records` maps entity id to its one current record and is never mutated in place.

    `history` counts every report and sighting ever judged (what an unfiltered memory shows), `reports` holds
    them where the memory is such a one.
    `revision` is the sequence number of the last change to any p or σ, `changed_entity` whose it was.
    """

    records: Mapping[str, EntityRecord] = {}
    history: int = 0
    revision: int = 0
    changed_entity: str | None = None
    reports: Reports = Reports()

    def ordered(self) -> list[EntityRecord]:
        """Records in order of creation."""
        return sorted(self.records.values(), key=lambda record: record.order)
