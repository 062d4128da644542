"""Missions, sites and annotations: plain tables, every edit of which leaves a row in the one audit table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, delete, insert, or_, select, update

from backend.persistence.codec import json_text, storable
from backend.persistence.connect import now_s, reading, utc_text, writing
from backend.persistence.errors import EditConflict
from backend.persistence.heads import head_of
from backend.persistence.tables.plain import annotations_table, audit, documents

FRAME_REDACTED = "frame.redacted"
"""The audit action by which `verify` knows that a frame's bytes are gone on purpose."""

DocumentKind = Literal["mission", "site"]


class Document(Struct, frozen=True, kw_only=True):
    """A mission or site as its author wrote it."""

    kind: DocumentKind
    name: str
    version: int
    body: str
    utc: str


class Annotation(Struct, frozen=True, kw_only=True):
    id: int
    episode: str
    seq: int
    author: str
    text: str
    utc: str


class AuditEntry(Struct, frozen=True, kw_only=True):
    id: int
    utc: str
    actor: str
    action: str
    subject: str
    before: Any
    after: Any


def put_document(
    engine: Engine, kind: DocumentKind, name: str, body: str, actor: str, *, shown_version: int
) -> Document:
    """Writes the next version. `shown_version` is the one that the edit began from, 0 for a new document.

    Raises EditConflict when someone else wrote in between.
    """
    with writing(engine) as connection:
        utc = utc_text(now_s(connection))
        before = _document(connection, kind, name, lock=True)
        version = before.version if before is not None else 0
        if version != shown_version:
            raise EditConflict(
                f"The {kind} {name} is at version {version} by now, the edit began from {shown_version}.",
                field="version",
                remedy="Look at what changed, and edit again.",
            )
        after = Document(kind=kind, name=name, version=version + 1, body=body, utc=utc)
        if before is None:
            connection.execute(insert(documents).values(msgspec.structs.asdict(after)))
        else:
            this = (documents.c.kind == kind) & (documents.c.name == name)
            values = {"version": after.version, "body": body, "utc": utc}
            connection.execute(update(documents).where(this).values(values))
        audited(connection, actor, f"{kind}.put", name, before, after)
        return after


def document(engine: Engine, kind: DocumentKind, name: str) -> Document | None:
    with reading(engine) as connection:
        return _document(connection, kind, name)


def all_documents(engine: Engine, kind: DocumentKind) -> list[Document]:
    query = select(documents).where(documents.c.kind == kind).order_by(documents.c.name)
    with reading(engine) as connection:
        return [Document(**row) for row in connection.execute(query).mappings()]


def remove_document(engine: Engine, kind: DocumentKind, name: str, actor: str) -> bool:
    """False when there was none."""
    with writing(engine) as connection:
        before = _document(connection, kind, name, lock=True)
        if before is None:
            return False
        connection.execute(delete(documents).where(documents.c.kind == kind, documents.c.name == name))
        audited(connection, actor, f"{kind}.removed", name, before, None)
        return True


def annotate(engine: Engine, episode: str, seq: int, author: str, text: str) -> Annotation:
    """Raises UnknownEpisode."""
    with writing(engine) as connection:
        head_of(connection, episode)
        values: dict[str, Any] = {
            "episode": episode,
            "seq": seq,
            "author": author,
            "text": text,
            "utc": utc_text(now_s(connection)),
        }
        inserted = connection.execute(insert(annotations_table).values(storable(values))).inserted_primary_key
        made = Annotation(id=int(inserted[0]) if inserted else 0, **values)
        audited(connection, author, "annotation.added", f"{episode} {seq}", None, made)
        return made


def annotations_of(engine: Engine, episode: str, *, until: int | None = None) -> list[Annotation]:
    query = select(annotations_table).where(annotations_table.c.episode == episode)
    if until is not None:
        query = query.where(annotations_table.c.seq <= until)
    with reading(engine) as connection:
        rows = connection.execute(query.order_by(annotations_table.c.seq, annotations_table.c.id)).mappings()
        return [Annotation(**row) for row in rows]


def audited(
    connection: Connection, actor: str, action: str, subject: str, before: object, after: object
) -> None:
    """One row of the audit table, in the transaction of what it tells of."""
    values = {
        "utc": utc_text(now_s(connection)),
        "actor": actor,
        "action": action,
        "subject": subject,
        "before": None if before is None else json_text(before),
        "after": None if after is None else json_text(after),
    }
    connection.execute(insert(audit).values(values))


def audit_trail(
    engine: Engine, *, before: int | None = None, limit: int = 100, subjects: Sequence[str] = ()
) -> list[AuditEntry]:
    """Newest first; `before` is the id to go on from. `subjects`: the first words of the actions."""
    query = select(audit).order_by(audit.c.id.desc()).limit(limit)
    if before is not None:
        query = query.where(audit.c.id < before)
    if subjects:
        wanted = [audit.c.action.startswith(f"{each}.", autoescape=True) for each in subjects]
        query = query.where(or_(*wanted))
    with reading(engine) as connection:
        rows = connection.execute(query).mappings().all()
    return [
        AuditEntry(**{**row, "before": _value(row["before"]), "after": _value(row["after"])}) for row in rows
    ]


def _document(
    connection: Connection, kind: DocumentKind, name: str, *, lock: bool = False
) -> Document | None:
    query = select(documents).where(documents.c.kind == kind, documents.c.name == name)
    if lock:
        query = query.with_for_update()
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else Document(**row)


def _value(text: str | None) -> Any:
    return None if text is None else msgspec.json.decode(text)
