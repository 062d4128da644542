"""The text members, a value a line: events with their digests, people's commands, where the robots were,
what was written beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import Connection, select

from backend.domain.annotations.annotation import Annotation
from backend.domain.command.intents import Action
from backend.persistence.annotations import every_version
from backend.persistence.errors import BundleRefused
from backend.persistence.inbox import SETTLED
from backend.persistence.tables.execution import telemetry
from backend.persistence.tables.inbox import intents
from backend.persistence.tables.journal import events

T = TypeVar("T")


class EventLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the journal; `payload` and `meta` are the very texts."""

    seq: int
    met_s: float
    kind: str
    version: int
    actor: str
    utc: str
    payload: str
    payload_digest: str
    meta: str | None
    chain: str
    content: str
    redacted: str | None


class CommandLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody asked for and what became of it, in the order in which it was taken."""

    intent_id: str
    actor: str
    role: str
    kind: str
    action: Action
    stopping: bool
    not_after_s: float
    put_s: float
    applied: bool
    code: str
    message: str
    remedy: str
    settled_seq: int
    settled_s: float


class TelemetryLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    robot: str
    met_s: float
    utc: str
    x_m: float
    y_m: float
    yaw_rad: float
    frame_id: str
    speed_m_s: float | None
    held: str | None
    extra: Any


class AnnotationLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A version of what somebody wrote beside the episode."""

    id: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
    version: int
    seq: int
    until_seq: int | None
    entity: str
    text: str
    tags: tuple[str, ...]
    author: str
    editor: str
    created_utc: str
    utc: str
    is_removed: bool


def event_lines(connection: Connection, episode: str) -> list[EventLine]:
    query = select(events).where(events.c.episode == episode).order_by(events.c.seq)
    return [_line(EventLine, row) for row in connection.execute(query).mappings()]


def command_lines(connection: Connection, episode: str) -> list[CommandLine]:
    query = (
        select(intents)
        .where(intents.c.episode == episode, intents.c.status == SETTLED)
        .order_by(intents.c.position)
    )
    rows = connection.execute(query).mappings()
    return [_line(CommandLine, {**row, "action": msgspec.json.decode(row["action"])}) for row in rows]


def telemetry_lines(connection: Connection, episode: str) -> list[TelemetryLine]:
    query = (
        select(telemetry).where(telemetry.c.episode == episode).order_by(telemetry.c.met_s, telemetry.c.robot)
    )
    rows = connection.execute(query).mappings()
    return [
        _line(
            TelemetryLine,
            {**row, "extra": None if row["extra"] is None else msgspec.json.decode(row["extra"])},
        )
        for row in rows
    ]


def annotation_lines(connection: Connection, episode: str) -> list[AnnotationLine]:
    found = map(msgspec.structs.asdict, every_version(connection, episode))
    return [_line(AnnotationLine, each) for each in found]


def annotation_of(episode: str, line: AnnotationLine) -> Annotation:
    return Annotation(episode=episode, **msgspec.structs.asdict(line))


def _line(kind: type[T], row: Any) -> T:
    names = msgspec.structs.fields(kind)  # type: ignore[arg-type]
    return msgspec.convert({field.name: row[field.name] for field in names}, kind)


def text_of(lines: Iterable[Struct]) -> bytes:
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def lines_of(name: str, data: bytes, kind: type[T]) -> list[T]:
    """Raises BundleRefused, which names the line."""
    return list(_decoded(name, data, kind))


def _decoded(name: str, data: bytes, kind: type[T]) -> Iterator[T]:
    decoder = msgspec.json.Decoder(kind)
    lines = data.split(b"\n")
    if lines.pop():
        raise BundleRefused(f"{name} of the bundle ends in the middle of a line.", field=name)
    for number, line in enumerate(lines, start=1):
        try:
            yield decoder.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BundleRefused(
                f"{name} of the bundle, line {number}: {error}.",
                field=name,
                remedy="Export the episode again, with the version that recorded it or a newer one.",
            ) from error
