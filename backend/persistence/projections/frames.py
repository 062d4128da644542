"""The frames an action left behind, withheld ones too."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import asdict

from backend.domain.episode.events import FramesRecorded
from backend.persistence.codec import json_text
from backend.persistence.projections.row import Passage, Row, row
from backend.persistence.tables.execution import frames


def rows(passage: Passage) -> Iterator[Row]:
    event = passage.recorded.event
    if not isinstance(event, FramesRecorded):
        return
    watch = None if event.watched.watch is None else json_text(event.watched.watch)
    for n, frame in enumerate(event.watched.frames):
        values = {"n": n, "dispatch_id": event.dispatch_id, "watch": watch, **asdict(frame)}
        yield row(frames, {**passage.anchor, **values})
