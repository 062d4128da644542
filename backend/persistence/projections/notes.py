"""Every note, verbatim."""

from __future__ import annotations

from collections.abc import Iterator

from backend.domain.episode.events import NoteWritten
from backend.persistence.projections.row import Passage, Row, row
from backend.persistence.tables.execution import notes


def rows(passage: Passage) -> Iterator[Row]:
    event = passage.recorded.event
    if isinstance(event, NoteWritten):
        yield row(
            notes, {**passage.anchor, "decision": event.decision, "author": event.author, "text": event.text}
        )
