"""Every episode as the rules of retention look at it, with its size and its pictures."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, LargeBinary, cast, func, select
from sqlalchemy.engine import RowMapping

from backend.domain.retention.rules import Candidate
from backend.persistence.annotations import newest_of
from backend.persistence.connect import now_s
from backend.persistence.tables.annotations import annotation_versions
from backend.persistence.tables.episodes import episodes, orders
from backend.persistence.tables.execution import frames, telemetry
from backend.persistence.tables.journal import events, heads
from backend.persistence.tables.studies import study_recordings

ENVELOPE_BYTES = 300
"""What a row of the journal takes beside payload and meta: digests, stamps, names."""
SAMPLE_BYTES = 120
DAY_S = 86_400.0


def candidates(connection: Connection, episode: str | None = None) -> list[Candidate]:
    """All, the oldest first, or one."""
    clock_s = now_s(connection)
    query = select(
        heads.c.episode,
        heads.c.seq,
        heads.c.expires_s,
        orders.c.utc,
        episodes.c.updated_utc,
        episodes.c.title,
        episodes.c.mission,
        episodes.c.outcome,
    )
    query = query.join(orders, orders.c.episode == heads.c.episode)
    query = query.outerjoin(episodes, episodes.c.episode == heads.c.episode)
    if episode is not None:
        query = query.where(heads.c.episode == episode)
    rows = connection.execute(query.order_by(orders.c.utc, heads.c.episode)).mappings().all()
    sizes, pictures = _sizes(connection, episode), pictures_of(connection, episode)
    measured = set(connection.execute(select(study_recordings.c.episode)).scalars())
    annotated = set(connection.execute(select(annotation_versions.c.episode).distinct()).scalars())
    return [
        _candidate(connection, row, clock_s, sizes, pictures, row["episode"] in measured, annotated)
        for row in rows
    ]


def pictures_of(connection: Connection, episode: str | None = None) -> Mapping[str, frozenset[str]]:
    """By episode, the hashes of its pictures."""
    query = select(frames.c.episode, frames.c.sha256).distinct()
    if episode is not None:
        query = query.where(frames.c.episode == episode)
    found: dict[str, set[str]] = {}
    for row in connection.execute(query):
        found.setdefault(row.episode, set()).add(row.sha256)
    return {name: frozenset(hashes) for name, hashes in found.items()}


def octets(connection: Connection, column: Any) -> ColumnElement[int]:
    """How many bytes a text takes, alike on both databases."""
    if connection.dialect.name == "postgresql":
        return func.octet_length(column)
    return func.length(cast(column, LargeBinary))


def _sizes(connection: Connection, episode: str | None) -> dict[str, int]:
    texts = octets(connection, events.c.payload) + func.coalesce(octets(connection, events.c.meta), 0)
    journal = select(events.c.episode, func.sum(texts + ENVELOPE_BYTES).label("size")).group_by(
        events.c.episode
    )
    samples = select(telemetry.c.episode, (func.count() * SAMPLE_BYTES).label("size")).group_by(
        telemetry.c.episode
    )
    if episode is not None:
        journal = journal.where(events.c.episode == episode)
        samples = samples.where(telemetry.c.episode == episode)
    sizes: dict[str, int] = {}
    for query in (journal, samples):
        for row in connection.execute(query):
            sizes[row.episode] = sizes.get(row.episode, 0) + int(row.size)
    return sizes


def _candidate(
    connection: Connection,
    row: RowMapping,
    clock_s: float,
    sizes: Mapping[str, int],
    pictures: Mapping[str, frozenset[str]],
    is_measured: bool,
    annotated: set[str],
) -> Candidate:
    episode = row["episode"]
    written = newest_of(connection, episode) if episode in annotated else []
    last = datetime.fromisoformat(row["updated_utc"] or row["utc"])
    return Candidate(
        episode=episode,
        title=row["title"] or "",
        mission=row["mission"] or "",
        seq=row["seq"],
        outcome=row["outcome"] or "",
        is_held=row["expires_s"] > clock_s,
        is_measured=is_measured,
        age_days=max(0.0, (clock_s - last.timestamp()) / DAY_S),
        annotations=len(written),
        tags=tuple(dict.fromkeys(tag for each in written for tag in each.tags)),
        bytes=sizes.get(episode, 0),
        pictures=pictures.get(episode, frozenset()),
    )
