"""Keeps the index up with journals and annotations: a page of an episode a transaction, so that no runner
waits for long.

Nothing of it is needed to run an episode: it is made behind the journal's back, and again at any time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from sqlalchemy import Connection, Engine, Select, delete, func, insert, or_, select

from backend.domain.episode.events import StepDispatched
from backend.domain.plans.plan import Step
from backend.domain.search.moments import RULES, Moment, moment_of, moments_of
from backend.persistence.annotations import newest_of
from backend.persistence.codec import storable
from backend.persistence.connect import reading, writing
from backend.persistence.errors import EventUnreadable, UnknownEpisode
from backend.persistence.events import entries
from backend.persistence.heads import locked_head
from backend.persistence.statements import upsert
from backend.persistence.tables.annotations import annotation_versions
from backend.persistence.tables.journal import events, heads
from backend.persistence.tables.search import search_heads, search_moments
from backend.usecases.reading import Entry

PAGE = 500
"""Events a transaction."""


def catch_up(engine: Engine, is_over: Callable[[], bool] = lambda: False) -> int:
    """Indexes what is not, until nothing is left or `is_over`; how many episodes are left.

    A journal that cannot be read is left as it is, and keeps no other from being found.
    """
    left: set[str] = set()
    tried: set[str] = set()
    while waiting := [each for each in behind(engine) if each not in tried]:
        for episode in waiting:
            if is_over():
                return len(behind(engine))
            tried.add(episode)
            if not _finish(engine, episode, is_over):
                left.add(episode)
    return len(left)


def _finish(engine: Engine, episode: str, is_over: Callable[[], bool]) -> bool:
    """Up to its newest event; False where that cannot be, or not in time."""
    try:
        while (after := _advance(engine, episode)) is not None:
            if is_over() or not after:
                return False
    except (EventUnreadable, UnknownEpisode):
        return False
    return True


def behind(engine: Engine) -> list[str]:
    """Episodes whose index lacks events or annotations, the newest first."""
    with reading(engine) as connection:
        return [row.episode for row in connection.execute(_behind())]


def forget(engine: Engine) -> None:
    """Throws the whole index away; the next search, or `catch_up`, makes it again."""
    with writing(engine) as connection:
        connection.execute(delete(search_moments))
        connection.execute(delete(search_heads))


def _behind() -> Select[tuple[str]]:
    written = _versions().subquery()
    return (
        select(heads.c.episode)
        .outerjoin(search_heads, search_heads.c.episode == heads.c.episode)
        .outerjoin(written, written.c.episode == heads.c.episode)
        .where(
            heads.c.seq > 0,
            or_(
                search_heads.c.seq.is_(None),
                search_heads.c.seq < heads.c.seq,
                search_heads.c.rules != RULES,
                search_heads.c.annotated != func.coalesce(written.c.versions, 0),
            ),
        )
        .order_by(heads.c.episode.desc())
    )


def _versions() -> Select[tuple[str, int]]:
    this = annotation_versions
    return select(this.c.episode, func.count().label("versions")).group_by(this.c.episode)


def _advance(engine: Engine, episode: str) -> int | None:
    """One page further: how many events that were; None at the newest."""
    with writing(engine) as connection:
        head = locked_head(connection, episode)["seq"]
        query = select(search_heads).where(search_heads.c.episode == episode)
        known = connection.execute(query).mappings().one_or_none()
        if known is not None and known["rules"] != RULES:
            connection.execute(delete(search_moments).where(search_moments.c.episode == episode))
            known = None
        after = known["seq"] if known is not None else 0
        page = entries(connection, episode, after=after, limit=PAGE)
        _write(connection, episode, list(_moments(connection, episode, page)))
        seq = page[-1].recorded.seq if page else after
        annotated = known["annotated"] if known is not None else 0
        written = _versions().where(annotation_versions.c.episode == episode)
        row = connection.execute(written).one_or_none()
        versions = row.versions if row is not None else 0
        if seq >= head and annotated != versions:
            _annotate(connection, episode)
            annotated = versions
        values = {"episode": episode, "seq": seq, "annotated": annotated, "rules": RULES}
        connection.execute(upsert(connection, search_heads).values(values))
        return None if seq >= head else len(page)


def _moments(connection: Connection, episode: str, page: Sequence[Entry]) -> Iterator[Moment]:
    step = _dispatched_before(connection, episode, page[0].recorded.seq) if page else None
    for entry in page:
        event = entry.recorded.event
        if isinstance(event, StepDispatched):
            step = event.step
        yield from moments_of(entry.recorded, step)


def _dispatched_before(connection: Connection, episode: str, seq: int) -> Step | None:
    this = (events.c.episode == episode) & (events.c.kind == "step.dispatched") & (events.c.seq < seq)
    last = connection.execute(select(func.max(events.c.seq)).where(this)).scalar_one()
    if last is None:
        return None
    [entry] = entries(connection, episode, after=last - 1, until=last)
    event = entry.recorded.event
    return event.step if isinstance(event, StepDispatched) else None


def _annotate(connection: Connection, episode: str) -> None:
    """All of its annotations anew: they are few."""
    this = (search_moments.c.episode == episode) & (search_moments.c.kind == "annotation")
    connection.execute(delete(search_moments).where(this))
    found = newest_of(connection, episode)
    if not found:
        return
    query = select(events.c.seq, events.c.met_s).where(events.c.episode == episode).order_by(events.c.seq)
    wanted = [each.seq for each in found]
    times = connection.execute(query.where(events.c.seq.in_(wanted))).all()
    seqs, met_s = [row.seq for row in times], [row.met_s for row in times]
    _write(
        connection,
        episode,
        [moment_of(each, met_s[bisect_right(seqs, each.seq) - 1] if seqs else 0.0) for each in found],
    )


def _write(connection: Connection, episode: str, moments: Sequence[Moment]) -> None:
    rows = [
        storable(
            {
                "episode": episode,
                "seq": each.seq,
                "kind": each.kind,
                "met_s": each.met_s,
                "author": each.author,
                "text": each.text,
                "words": each.words,
            }
        )
        for each in moments
    ]
    if rows:
        connection.execute(insert(search_moments), rows)
