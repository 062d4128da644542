"""Missions and sites: plain tables, every edit of which leaves a row in the one audit table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, func, insert, or_, select
from sqlalchemy.exc import IntegrityError

from backend.persistence.codec import json_text, storable
from backend.persistence.connect import now_s, reading, utc_text, writing
from backend.persistence.errors import EditConflict
from backend.persistence.tables.plain import audit, document_versions

FRAME_REDACTED = "frame.redacted"
"""The audit action by which `verify` knows that a frame's bytes are gone on purpose."""

DocumentKind = Literal["mission", "site", "floor"]


class Document(Struct, frozen=True, kw_only=True):
    """A mission or site as `author` wrote it, or a floor as it was imported. Versions count edits from 1;
    each is kept."""

    kind: DocumentKind
    name: str
    version: int
    body: str
    author: str
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
    engine: Engine, kind: DocumentKind, name: str, body: str, author: str, *, shown_version: int
) -> Document:
    """Writes the next version. `shown_version` is the one that the edit began from, 0 for a new document.

    Raises EditConflict when someone else wrote in between.
    """
    with writing(engine) as connection:
        utc = utc_text(now_s(connection))
        before = _document(connection, kind, name)
        version = before.version if before is not None else 0
        if version != shown_version:
            raise _conflict(kind, name, version, shown_version)
        after = Document(kind=kind, name=name, version=version + 1, body=body, author=author, utc=utc)
        try:
            connection.execute(insert(document_versions).values(storable(msgspec.structs.asdict(after))))
        except IntegrityError as error:
            raise _conflict(kind, name, after.version, shown_version) from error
        audited(connection, author, f"{kind}.put", name, before, after)
        return after


def document(engine: Engine, kind: DocumentKind, name: str, version: int | None = None) -> Document | None:
    """That version, or the newest."""
    with reading(engine) as connection:
        return _document(connection, kind, name, version)


def all_documents(engine: Engine, kind: DocumentKind) -> list[Document]:
    """The newest version of each."""
    this = document_versions
    newest = select(this.c.name, func.max(this.c.version).label("newest")).where(this.c.kind == kind)
    per_name = newest.group_by(this.c.name).subquery()
    query = (
        select(this)
        .join(per_name, (this.c.name == per_name.c.name) & (this.c.version == per_name.c.newest))
        .where(this.c.kind == kind)
        .order_by(this.c.name)
    )
    with reading(engine) as connection:
        return [Document(**row) for row in connection.execute(query).mappings()]


def versions_of(engine: Engine, kind: DocumentKind, name: str) -> list[Document]:
    """The newest first."""
    this = document_versions
    query = select(this).where(this.c.kind == kind, this.c.name == name).order_by(this.c.version.desc())
    with reading(engine) as connection:
        return [Document(**row) for row in connection.execute(query).mappings()]


def _conflict(kind: DocumentKind, name: str, version: int, shown: int) -> EditConflict:
    return EditConflict(
        f"The {kind} {name} is at version {version} by now, the edit began from {shown}.",
        field="version",
        remedy="Look at what changed, and edit again.",
    )


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
    connection: Connection, kind: DocumentKind, name: str, version: int | None = None
) -> Document | None:
    this = document_versions
    query = select(this).where(this.c.kind == kind, this.c.name == name)
    query = (
        query.order_by(this.c.version.desc()) if version is None else query.where(this.c.version == version)
    )
    row = connection.execute(query.limit(1)).mappings().one_or_none()
    return None if row is None else Document(**row)


def _value(text: str | None) -> Any:
    return None if text is None else msgspec.json.decode(text)
