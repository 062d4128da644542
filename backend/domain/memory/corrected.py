"""A correction that was made, as long as it can be taken back."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.memory.record import EntityRecord

KEPT = 50
"""So many of the newest corrections can be undone."""


class Corrected(Struct, frozen=True, kw_only=True):
    """The correction of event `seq`, at mission time `met_s`: each record as it was `before`, and `after`.

    `before` is without those that the correction made.
    `origin`: the record that a split took another one from. `undone_by`: the event that took it back.
    """

    seq: int
    met_s: float
    by: str
    what: str
    before: tuple[EntityRecord, ...]
    after: tuple[EntityRecord, ...]
    origin: str = ""
    undone_by: int | None = None

    def was(self, entity: str) -> EntityRecord | None:
        return next((record for record in self.before if record.id == entity), None)
