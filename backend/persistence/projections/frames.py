"""The pictures that an event names: of an action, withheld ones too, views after it, a demonstration's."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import asdict, replace

from backend.domain.episode.events import (
    DemonstrationRecorded,
    EpisodeOpened,
    Event,
    FramesRecorded,
    StepEnded,
)
from backend.domain.execution.frames import Frame, View
from backend.persistence.codec import json_text
from backend.persistence.projections.row import Passage, Row, row
from backend.persistence.tables.execution import frames


def rows(passage: Passage) -> Iterator[Row]:
    event = passage.recorded.event
    for n, frame in enumerate(_named(event)):
        values = {"n": n, "dispatch_id": _dispatch(event), "watch": None, **asdict(frame)}
        yield row(frames, {**passage.anchor, **values})
    if not isinstance(event, FramesRecorded):
        return
    watch = None if event.watched.watch is None else json_text(event.watched.watch)
    for n, frame in enumerate(event.watched.frames):
        values = {"n": n, "dispatch_id": event.dispatch_id, "watch": watch, **asdict(frame)}
        yield row(frames, {**passage.anchor, **values})


def _named(event: Event) -> tuple[Frame, ...]:
    """Of what is shown to every decision, and so counts as returned."""
    if isinstance(event, DemonstrationRecorded):
        return tuple(replace(frame, returned=True) for frame in event.film.frames)
    if isinstance(event, EpisodeOpened):
        return tuple(_seen(event.table.views)) if event.table else ()
    return tuple(_seen(event.outcome.views or ())) if isinstance(event, StepEnded) else ()


def _seen(views: tuple[View, ...]) -> Iterator[Frame]:
    for view in views:
        yield replace(view.frame, returned=True)
        if view.depth_sha256 is not None:
            yield replace(view.frame, sha256=view.depth_sha256, camera=f"{view.frame.camera} depth")


def _dispatch(event: Event) -> str:
    return event.outcome.dispatch_id if isinstance(event, StepEnded) else ""
