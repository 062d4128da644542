"""How long ago each source last reported, from the journal: a runner that starts anew heard none of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Engine, and_, func, select

from backend.persistence.connect import now_s, reading
from backend.persistence.tables.journal import events
from backend.persistence.tables.memory import entity_audit


def sources_heard(engine: Engine, episode: str) -> Mapping[str, float]:
    """By source, such as `aerial`, seconds on the database's clock since its newest report was written."""
    newest = (
        select(entity_audit.c.source, func.max(entity_audit.c.seq).label("seq"))
        .where(entity_audit.c.episode == episode, entity_audit.c.source.is_not(None))
        .group_by(entity_audit.c.source)
        .subquery()
    )
    written = select(newest.c.source, events.c.utc).join(
        events, and_(events.c.episode == episode, events.c.seq == newest.c.seq)
    )
    with reading(engine) as connection:
        clock_s = now_s(connection)
        rows = connection.execute(written).all()
    return {source: max(0.0, clock_s - datetime.fromisoformat(utc).timestamp()) for source, utc in rows}
