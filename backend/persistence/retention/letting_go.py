"""Lets episodes go: first what would go, then exactly that, each on record in the audit.

An episode goes with all its rows in one transaction, in which it is looked at once more. Its pictures go when
no other episode shows them and no runner is at work that may be about to.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import Connection, Engine, delete, func, select, text

from backend.domain.refusal import Refusal
from backend.domain.retention.rules import (
    Candidate,
    Rules,
    Ruling,
    digest_of,
    refuse_rules,
    ruling_of,
    why_kept,
)
from backend.domain.retention.told import Gone, Preview
from backend.persistence.connect import now_s, reading, writing
from backend.persistence.errors import UnknownEpisode
from backend.persistence.frames import FrameStore, Stored
from backend.persistence.heads import locked_head
from backend.persistence.plain import audited
from backend.persistence.retention.candidates import candidates, pictures_of
from backend.persistence.tables.execution import frames
from backend.persistence.tables.journal import heads

AT_ONCE = 200
YOUNGEST_PICTURE_S = 3600.0
"""A picture is stored before the row that names it: one that nobody names may be about to be."""


def preview(engine: Engine, store: FrameStore, rules: Rules) -> Preview | Refusal:
    """Changes nothing."""
    refusal = refuse_rules(rules)
    if refusal is not None:
        return refusal
    with reading(engine) as connection:
        rulings = tuple(ruling_of(rules, each) for each in candidates(connection))
    going = [each.candidate for each in rulings if each.goes]
    kept = {sha256 for each in rulings if not each.goes for sha256 in each.candidate.pictures}
    alone = {sha256 for each in going for sha256 in each.pictures} - kept
    sizes = {each.sha256: each.bytes for each in store.listing()} if alone else {}
    pictures = [sizes[sha256] for sha256 in alone if sha256 in sizes]
    return Preview(
        rulings=rulings,
        digest=digest_of(rulings),
        episodes=len(going),
        pictures=len(pictures),
        bytes=sum(each.bytes for each in going) + sum(pictures),
    )


def let_go(engine: Engine, store: FrameStore, rules: Rules, shown_digest: str, by: str) -> Gone | Refusal:
    """Exactly what was shown goes, or nothing: a Refusal with code `digest`."""
    found = preview(engine, store, rules)
    if isinstance(found, Refusal):
        return found
    if found.digest != shown_digest:
        told = "What would go has changed since it was shown."
        return Refusal("digest", told, "Nothing was deleted. Look at it again.")
    gone, size = [], 0
    for each in found.rulings:
        if each.goes and _let_one_go(engine, each, by):
            gone.append(each.candidate.episode)
            size += each.candidate.bytes
    swept = sweep(engine, store)
    pictures, freed = swept or (0, 0)
    _record(engine, rules, gone, pictures, by)
    return Gone(episodes=tuple(gone), pictures=pictures, bytes=size + freed, pictures_wait=swept is None)


def sweep(engine: Engine, store: FrameStore) -> tuple[int, int] | None:
    """Removes pictures that no episode shows: how many, and their bytes; None where a runner is at work."""
    oldest_s = time.time() - YOUNGEST_PICTURE_S
    with reading(engine) as connection:
        named = _named(connection)
    old = [each for each in store.listing() if each.stored_s < oldest_s and each.sha256 not in named]
    count = freed = 0
    for start in range(0, max(1, len(old)), AT_ONCE):
        swept = _sweep_some(engine, store, old[start : start + AT_ONCE])
        if swept is None:
            return None
        count, freed = count + swept[0], freed + swept[1]
    return count, freed


def _sweep_some(engine: Engine, store: FrameStore, pictures: Sequence[Stored]) -> tuple[int, int] | None:
    """A few at a time, so that nobody waits for long; while they go, no runner can begin."""
    with writing(engine) as connection:
        if connection.dialect.name == "postgresql":
            # No lease may be claimed meanwhile; SQLite's writers queue up anyway.
            connection.execute(text("LOCK TABLE heads IN SHARE ROW EXCLUSIVE MODE"))
        held = select(func.count()).select_from(heads).where(heads.c.expires_s > now_s(connection))
        if connection.execute(held).scalar_one():
            return None
        named = _named(connection, [each.sha256 for each in pictures])
        gone = [each for each in pictures if each.sha256 not in named]
        for each in gone:
            store.remove(each.sha256)
        return len(gone), sum(each.bytes for each in gone)


def _named(connection: Connection, among: Sequence[str] | None = None) -> set[str]:
    query = select(frames.c.sha256).distinct()
    if among is not None:
        query = query.where(frames.c.sha256.in_(among))
    return set(connection.execute(query).scalars())


def _let_one_go(engine: Engine, ruling: Ruling, by: str) -> bool:
    """Looked at once more under its lock: nothing that runs again, or went on, goes."""
    episode = ruling.candidate.episode
    with writing(engine) as connection:
        try:
            locked_head(connection, episode)
        except UnknownEpisode:
            return False
        [now] = candidates(connection, episode)
        if why_kept(now) or now.seq != ruling.candidate.seq:
            return False
        audited(connection, by, "episode.deleted", episode, _told(now), {"reason": ruling.reason})
        connection.execute(delete(heads).where(heads.c.episode == episode))
        return True


def _told(candidate: Candidate) -> dict[str, object]:
    return {
        "title": candidate.title,
        "mission": candidate.mission,
        "outcome": candidate.outcome,
        "events": candidate.seq,
        "bytes": candidate.bytes,
        "pictures": len(candidate.pictures),
    }


def _record(engine: Engine, rules: Rules, gone: Sequence[str], pictures: int, by: str) -> None:
    with writing(engine) as connection:
        done = {"rules": rules, "episodes": len(gone), "pictures": pictures}
        audited(connection, by, "retention.applied", "episodes", None, done)


def unnamed(connection: Connection, store: FrameStore) -> tuple[int, int]:
    """Pictures in the store that no episode shows: how many, and their bytes."""
    named = {sha256 for hashes in pictures_of(connection).values() for sha256 in hashes}
    sizes = [each.bytes for each in store.listing() if each.sha256 not in named]
    return len(sizes), sum(sizes)
