"""Takes texts out of a finished journal and keeps their hashes: the chain still holds, the words are gone.

Only what nothing is decided by is taken: what was sent to and came from a planner, notes, guidance,
rationales. What was done and measured stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Engine, delete, select, update

from backend.domain.episode import events as e
from backend.persistence.codec import payload_text
from backend.persistence.connect import now_s, utc_text, writing
from backend.persistence.derive import rebuilt
from backend.persistence.errors import RedactionRefused
from backend.persistence.events import entry_of
from backend.persistence.frames import FrameStore
from backend.persistence.heads import locked_head
from backend.persistence.plain import FRAME_REDACTED, audited
from backend.persistence.tables.experiments import experiments
from backend.persistence.tables.journal import events

GONE = "[redacted]"

_THINNED: Mapping[type, Callable[[Any], e.Event]] = {
    e.PlanRequested: lambda event: replace(
        event, blocks=tuple(replace(block, text=GONE) for block in event.blocks)
    ),
    e.ExchangeRecorded: lambda event: replace(
        event, exchange=replace(event.exchange, request={}, response={}, detail=GONE)
    ),
    e.DemonstrationShown: lambda event: replace(
        event,
        blocks=tuple(replace(block, text=GONE) for block in event.blocks),
        view=replace(event.view, summary=GONE),
    ),
    e.DemonstrationAnswered: lambda event: replace(
        event, answer=replace(event.answer, summary=GONE), viewing=replace(event.viewing, summary=GONE)
    ),
    e.NoteWritten: lambda event: replace(event, text=GONE),
    e.GuidanceGiven: lambda event: replace(event, text=GONE),
    e.PlanProposed: lambda event: replace(event, plan=replace(event.plan, rationale=GONE)),
}


def thinned(event: e.Event | None) -> e.Event | None:
    """The event without the texts that nothing is decided by; None where it has none."""
    thin = _THINNED.get(type(event))
    return None if thin is None or event is None else thin(event)


def redact(engine: Engine, episode: str, seq: int, actor: str, reason: str) -> None:
    """Removes the texts of one event and of its derived rows. Raises RedactionRefused, UnknownEpisode."""
    with writing(engine) as connection:
        head = locked_head(connection, episode)
        if head["expires_s"] > now_s(connection):
            raise RedactionRefused(
                f"Episode {episode} is running.", field="episode", remedy="Redact it when it has ended."
            )
        this = (events.c.episode == episode) & (events.c.seq == seq)
        row = connection.execute(select(events).where(this)).mappings().one_or_none()
        event = None if row is None else entry_of(row).recorded.event
        less = thinned(event)
        if less is None:
            raise RedactionRefused(
                f"Event {seq} holds no text that may be taken out.",
                field="seq",
                remedy="Name a call to a planner, a note, a guidance or a plan.",
            )
        told = f"{utc_text(now_s(connection))} {actor}: {reason}"
        connection.execute(update(events).where(this).values(payload=payload_text(less), redacted=told))
        # What-ifs were asked with these texts, and repeat them.
        connection.execute(delete(experiments).where(experiments.c.episode == episode))
        rebuilt(connection, episode)
        audited(connection, actor, "event.redacted", f"{episode} {seq}", None, reason)


def redact_frame(engine: Engine, store: FrameStore, sha256: str, actor: str, reason: str) -> None:
    """Removes a frame's bytes; every row that shows it keeps its hash."""
    with writing(engine) as connection:
        audited(connection, actor, FRAME_REDACTED, sha256, None, reason)
    store.remove(sha256)
