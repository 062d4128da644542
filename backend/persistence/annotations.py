"""Annotations in the database: each change is a version more and a row of the audit."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, Engine, func, insert, select
from sqlalchemy.engine import RowMapping
from sqlalchemy.exc import IntegrityError

from backend.domain.annotations.annotation import (
    Annotation,
    Draft,
    refuse_annotating,
    refuse_change,
    refuse_draft,
    refuse_removal,
)
from backend.domain.annotations.words import tags_of
from backend.domain.refusal import Refusal
from backend.persistence.codec import storable
from backend.persistence.connect import now_s, reading, utc_text, writing
from backend.persistence.heads import head_of
from backend.persistence.plain import audited
from backend.persistence.statements import insert_missing
from backend.persistence.tables.annotations import annotation_versions

_RACED = Refusal("version", "Somebody changed it meanwhile.", "Nothing was saved. Look at it as it is now.")


class SqlAnnotations:
    """For any number of threads. What may not be is a Refusal, whose code is the field it is about."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, episode: str) -> list[Annotation]:
        """As they are now, by the event at which they begin; without those that were removed."""
        with reading(self._engine) as connection:
            return newest_of(connection, episode)

    def counts(self, episodes: Sequence[str]) -> Mapping[str, int]:
        """How many each of these has, as far as it has any."""
        with reading(self._engine) as connection:
            found = [
                each.episode for each in _newest(connection, annotation_versions.c.episode.in_(episodes))
            ]
        return {episode: found.count(episode) for episode in dict.fromkeys(found)}

    def of_each(self, episodes: Sequence[str]) -> Mapping[str, Sequence[Annotation]]:
        """Those of each of these, as they are now, as far as it has any."""
        kept: dict[str, list[Annotation]] = {}
        with reading(self._engine) as connection:
            for each in _newest(connection, annotation_versions.c.episode.in_(episodes)):
                kept.setdefault(each.episode, []).append(each)
        return kept

    def versions(self, episode: str) -> Mapping[str, Sequence[Annotation]]:
        """By annotation, every version, the newest first; of those removed too."""
        kept: dict[str, list[Annotation]] = {}
        with reading(self._engine) as connection:
            for each in every_version(connection, episode):
                kept.setdefault(each.id, []).insert(0, each)
        return kept

    def add(self, episode: str, draft: Draft, by: str, role: str) -> Annotation | Refusal:
        """Raises UnknownEpisode."""
        with writing(self._engine) as connection:
            refusal = refuse_annotating(role) or refuse_draft(draft, head_of(connection, episode)["seq"])
            if refusal is not None:
                return refusal
            utc = utc_text(now_s(connection))
            made = _drafted(
                draft,
                Annotation(
                    id=uuid.uuid4().hex,
                    version=1,
                    episode=episode,
                    seq=draft.seq,
                    text="",
                    author=by,
                    editor=by,
                    utc=utc,
                    created_utc=utc,
                ),
            )
            _write(connection, made)
            audited(connection, by, "annotation.added", f"{episode} {made.seq}", None, made)
            return made

    def edit(
        self, episode: str, id: str, draft: Draft, by: str, role: str, *, shown_version: int
    ) -> Annotation | Refusal:
        """`shown_version`: the one that the edit began from. Raises UnknownEpisode."""
        with writing(self._engine) as connection:
            before = _one(connection, episode, id)
            refusal = refuse_change(before, by, role, shown_version)
            refusal = refusal or refuse_draft(draft, head_of(connection, episode)["seq"])
            if refusal is not None or before is None:
                return refusal or _RACED
            return self._next(connection, before, _drafted(draft, before), by, "annotation.changed")

    def remove(
        self, episode: str, id: str, by: str, role: str, *, shown_version: int
    ) -> Annotation | Refusal:
        with writing(self._engine) as connection:
            before = _one(connection, episode, id)
            refusal = refuse_removal(before, by, role, shown_version)
            if refusal is not None or before is None:
                return refusal or _RACED
            gone = replace(before, is_removed=True)
            return self._next(connection, before, gone, by, "annotation.removed")

    def _next(
        self, connection: Connection, before: Annotation, after: Annotation, by: str, action: str
    ) -> Annotation | Refusal:
        utc = utc_text(now_s(connection))
        after = replace(after, version=before.version + 1, editor=by, utc=utc)
        try:
            with connection.begin_nested():
                _write(connection, after)
        except IntegrityError:
            return _RACED
        audited(connection, by, action, f"{after.episode} {after.seq}", before, after)
        return after


def newest_of(connection: Connection, episode: str) -> list[Annotation]:
    return _newest(connection, annotation_versions.c.episode == episode)


def every_version(connection: Connection, episode: str) -> list[Annotation]:
    """By annotation in order of its first version, each from version 1 on."""
    this = annotation_versions
    query = select(this).where(this.c.episode == episode)
    rows = connection.execute(query.order_by(this.c.created_utc, this.c.id, this.c.version)).mappings()
    return [_annotation(row) for row in rows]


def take_in(connection: Connection, versions: Sequence[Annotation]) -> int:
    """Those that are not here yet; how many."""
    if not versions:
        return 0
    statement = insert_missing(connection, annotation_versions).execution_options(preserve_rowcount=True)
    return sum(connection.execute(statement, _row(each)).rowcount for each in versions)


def _newest(connection: Connection, where: Any) -> list[Annotation]:
    this = annotation_versions
    last = func.max(this.c.version).label("last")
    newest = (
        select(this.c.episode, this.c.id, last).where(where).group_by(this.c.episode, this.c.id).subquery()
    )
    query = (
        select(this)
        .join(
            newest,
            (this.c.episode == newest.c.episode)
            & (this.c.id == newest.c.id)
            & (this.c.version == newest.c.last),
        )
        .where(this.c.is_removed.is_(False))
        .order_by(this.c.episode, this.c.seq, this.c.created_utc, this.c.id)
    )
    return [_annotation(row) for row in connection.execute(query).mappings()]


def _one(connection: Connection, episode: str, id: str) -> Annotation | None:
    this = annotation_versions
    query = select(this).where(this.c.id == id, this.c.episode == episode)
    row = connection.execute(query.order_by(this.c.version.desc()).limit(1)).mappings().one_or_none()
    return None if row is None else _annotation(row)


def _drafted(draft: Draft, annotation: Annotation) -> Annotation:
    return replace(
        annotation,
        seq=draft.seq,
        until_seq=None if draft.until_seq == draft.seq else draft.until_seq,
        entity=draft.entity,
        text=storable({"text": draft.text.strip()})["text"],
        tags=tags_of(draft.tags),
    )


def _write(connection: Connection, annotation: Annotation) -> None:
    connection.execute(insert(annotation_versions).values(_row(annotation)))


def _row(annotation: Annotation) -> dict[str, Any]:
    return storable({**msgspec.structs.asdict(annotation), "tags": " ".join(annotation.tags)})


def _annotation(row: RowMapping) -> Annotation:
    return Annotation(**{**row, "tags": tuple(row["tags"].split())})
