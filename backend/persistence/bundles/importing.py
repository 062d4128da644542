"""A bundle into this installation: read and verified whole first, then written as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, insert, select, update

from backend.persistence.annotations import take_in
from backend.persistence.bundles.checking import Checked, Contents, check_frames, checked, frames_of
from backend.persistence.bundles.container import Bounds, read_sealed
from backend.persistence.bundles.lines import (
    AnnotationLine,
    CommandLine,
    EventLine,
    TelemetryLine,
    annotation_of,
    lines_of,
)
from backend.persistence.bundles.manifest import ANNOTATIONS, COMMANDS, FRAMES, JOURNAL, TELEMETRY, Manifest
from backend.persistence.codec import json_text, storable
from backend.persistence.connect import reading, writing
from backend.persistence.derive import write
from backend.persistence.errors import EpisodeKept
from backend.persistence.frames import FrameStore
from backend.persistence.heads import ordered
from backend.persistence.inbox import SETTLED
from backend.persistence.plain import FRAME_REDACTED, audited
from backend.persistence.projections import project
from backend.persistence.snapshots import keep
from backend.persistence.statements import insert_missing
from backend.persistence.tables.episodes import orders
from backend.persistence.tables.execution import telemetry
from backend.persistence.tables.inbox import intents
from backend.persistence.tables.journal import events, heads

ROWS_AT_ONCE = 500
IMPORTED = "episode.imported"


class Imported(Struct, frozen=True, kw_only=True):
    """`state`: taken in now, or here already. `manifest` says what was not to be had where it was made.
    `annotations`: versions of annotations that were not here."""

    state: Literal["imported", "here"]
    manifest: Manifest
    annotations: int = 0


def import_bundle(
    engine: Engine, store: FrameStore, path: Path, actor: str, *, bounds: Bounds | None = None
) -> Imported:
    """Raises BundleRefused, and EpisodeKept where another episode of the id is here: nothing was written.

    The same bundle again changes nothing, but that frames and annotations which are missing here are added.
    """
    limits = bounds or Bounds()
    manifest, contents = _verified_text(path, limits)
    whole = checked(manifest, contents)
    check_frames(manifest, frames_of(whole.steps))
    with reading(engine) as connection:
        is_here = _is_here(connection, manifest)
    _put_frames(store, path, limits)
    with writing(engine) as connection:
        if not is_here:
            is_here = not _write(connection, manifest, contents, whole, store, actor)
            if is_here:
                _is_here(connection, manifest)
        annotated = _annotate(connection, manifest.episode, contents.annotations, actor)
    state: Literal["imported", "here"] = "here" if is_here else "imported"
    return Imported(state=state, manifest=manifest, annotations=annotated)


def _verified_text(path: Path, bounds: Bounds) -> tuple[Manifest, Contents]:
    """The whole file is read: frames are hashed and let go."""
    texts: dict[str, bytes] = {}

    def take(_: Manifest, name: str, data: bytes) -> None:
        if not name.startswith(FRAMES):
            texts[name] = data

    manifest = read_sealed(path, bounds, take)
    contents = Contents(
        events=lines_of(JOURNAL, texts[JOURNAL], EventLine),
        commands=lines_of(COMMANDS, texts[COMMANDS], CommandLine),
        telemetry=lines_of(TELEMETRY, texts[TELEMETRY], TelemetryLine),
        annotations=lines_of(ANNOTATIONS, texts.get(ANNOTATIONS, b""), AnnotationLine),
    )
    return manifest, contents


def _put_frames(store: FrameStore, path: Path, bounds: Bounds) -> None:
    """Before the rows that name them. A frame that no row names does no harm."""

    def take(_: Manifest, name: str, data: bytes) -> None:
        if name.startswith(FRAMES):
            store.put(data)

    read_sealed(path, bounds, take)


def _is_here(connection: Connection, manifest: Manifest) -> bool:
    query = select(heads).where(heads.c.episode == manifest.episode)
    head = connection.execute(query).mappings().one_or_none()
    if head is None:
        return False
    same = (manifest.events, manifest.chain, manifest.content)
    if (head["seq"], head["chain"], head["content"]) == same:
        return True
    raise EpisodeKept(
        f"Another episode {manifest.episode} is here: {head['seq']} events, content {head['content'][:12]};"
        f" the bundle's has {manifest.events}, content {manifest.content[:12]}.",
        field="FILE",
        remedy="Import it into another home: --home FOLDER",
    )


def _write(
    connection: Connection,
    manifest: Manifest,
    contents: Contents,
    whole: Checked,
    store: FrameStore,
    actor: str,
) -> bool:
    """In one transaction. False where someone else was first."""
    episode, order = manifest.episode, manifest.ordered
    if not ordered(connection, episode, order.request, order.by, wanted=False):
        return False
    connection.execute(update(orders).where(orders.c.episode == episode).values(utc=order.utc))
    for page in _pages(whole.rows):
        connection.execute(insert(events), page)
    stands = {"seq": manifest.events, "chain": manifest.chain, "content": manifest.content}
    connection.execute(update(heads).where(heads.c.episode == episode).values(**stands))
    write(connection, project(whole.steps))
    keep(connection, episode, whole.steps[-1].after)
    for page in _pages([_command(episode, line) for line in contents.commands]):
        connection.execute(insert(intents), page)
    for page in _pages([_sample(episode, line) for line in contents.telemetry]):
        connection.execute(insert_missing(connection, telemetry), page)
    for sha256 in manifest.gone:
        if not store.has(sha256):
            audited(
                connection, actor, FRAME_REDACTED, sha256, None, f"redacted before {episode} was imported"
            )
    told = {"recorded_by": manifest.recorded_by, "content": manifest.content, "redacted": manifest.redacted}
    audited(connection, actor, IMPORTED, episode, None, told)
    return True


def _annotate(connection: Connection, episode: str, lines: list[AnnotationLine], actor: str) -> int:
    """What is here stays as it is: somebody may have gone on writing."""
    count = take_in(connection, [annotation_of(episode, line) for line in lines])
    if count:
        audited(connection, actor, "annotation.imported", episode, None, {"versions": count})
    return count


def _pages(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows), ROWS_AT_ONCE):
        yield rows[start : start + ROWS_AT_ONCE]


def _command(episode: str, line: CommandLine) -> dict[str, Any]:
    values = {**msgspec.structs.asdict(line), "episode": episode, "status": SETTLED}
    return storable({**values, "action": json_text(line.action)})


def _sample(episode: str, line: TelemetryLine) -> dict[str, Any]:
    extra = None if line.extra is None else json_text(line.extra)
    return storable({**msgspec.structs.asdict(line), "episode": episode, "extra": extra})
