"""One episode out of the database and the frame store into a bundle."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Engine, select

from backend.domain.episode.events import EpisodeOpened
from backend.persistence.bundles.checking import Checked, Contents, checked, frames_of
from backend.persistence.bundles.container import write_sealed
from backend.persistence.bundles.lines import (
    annotation_lines,
    command_lines,
    event_lines,
    telemetry_lines,
    text_of,
)
from backend.persistence.bundles.manifest import (
    ANNOTATIONS,
    COMMANDS,
    FORMAT,
    FRAMES,
    JOURNAL,
    MANIFEST,
    TELEMETRY,
    Manifest,
    Member,
    Ordered,
    Redaction,
    Tape,
)
from backend.persistence.bundles.redacting import redacted
from backend.persistence.codec import decode
from backend.persistence.connect import now_s, reading
from backend.persistence.errors import BundleRefused, FrameDamaged, FrameMissing
from backend.persistence.frames import FrameStore
from backend.persistence.heads import head_of
from backend.persistence.plain import FRAME_REDACTED
from backend.persistence.tables.episodes import orders
from backend.persistence.tables.plain import audit

NOTHING = Member(bytes=0, sha256=hashlib.sha256(b"").hexdigest())


class Exported(Struct, frozen=True, kw_only=True):
    file: str
    bytes: int
    manifest: Manifest


def export_bundle(
    engine: Engine,
    store: FrameStore,
    episode: str,
    path: Path,
    *,
    version: str,
    redact: tuple[Redaction, ...] = (),
) -> Exported:
    """Raises BundleRefused for an episode that runs or is damaged, and a file that cannot be; UnknownEpisode.

    Frames that are not in the store are named in the manifest, and the rest is written.
    """
    with reading(engine) as connection:
        manifest, contents = _read(connection, episode, version)
        gone = connection.execute(select(audit.c.subject).where(audit.c.action == FRAME_REDACTED)).scalars()
        redacted_frames = set(gone)
    named = frames_of(_whole(manifest, contents).steps)
    if redact:
        manifest, contents = redacted(manifest, contents, redact)
    journal, commands = text_of(contents.events), text_of(contents.commands)
    telemetry, annotations = text_of(contents.telemetry), text_of(contents.annotations)
    sizes, missing = _sizes(store, named - redacted_frames)
    manifest = replace(
        manifest,
        journal=_member(journal),
        commands=_member(commands),
        telemetry=_member(telemetry),
        annotations=_member(annotations),
        frames=sizes,
        missing=missing,
        gone=tuple(sorted(named & redacted_frames)),
    )
    _whole(manifest, contents)

    def members() -> Iterator[tuple[str, bytes]]:
        yield MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=2)
        yield from ((JOURNAL, journal), (COMMANDS, commands), (TELEMETRY, telemetry))
        yield ANNOTATIONS, annotations
        for sha256 in sorted(sizes):
            yield f"{FRAMES}{sha256}", store.get(sha256)

    write_sealed(path, members())
    return Exported(file=str(path), bytes=path.stat().st_size, manifest=manifest)


def _whole(manifest: Manifest, contents: Contents) -> Checked:
    """What would be refused where it is taken in is not written in the first place."""
    try:
        return checked(manifest, contents)
    except BundleRefused as error:
        redacted_too = " without these words" if manifest.redacted else ""
        raise BundleRefused(
            f"Episode {manifest.episode} makes no bundle{redacted_too}. {error.message}",
            field="episode",
            remedy=f"Run: quarterdeck episodes verify {manifest.episode}",
        ) from error


def _read(connection: Connection, episode: str, version: str) -> tuple[Manifest, Contents]:
    head = head_of(connection, episode)
    if head["expires_s"] > now_s(connection):
        raise BundleRefused(
            f"Episode {episode} is running, at event {head['seq']}.",
            field="episode",
            remedy="Export it when it has ended. Until then: quarterdeck episodes follow --json",
        )
    if not head["seq"]:
        raise BundleRefused(
            f"Episode {episode} was ordered and has not begun.",
            field="episode",
            remedy="There is nothing yet.",
        )
    events = event_lines(connection, episode)
    contents = Contents(
        events=events,
        commands=command_lines(connection, episode),
        telemetry=telemetry_lines(connection, episode),
        annotations=annotation_lines(connection, episode),
    )
    first, last = events[0], events[-1]
    opened = decode(
        first.seq, first.met_s, first.kind, first.version, first.actor, first.payload, first.meta
    ).event
    if not isinstance(opened, EpisodeOpened):
        raise BundleRefused(
            f"The journal of {episode} does not begin with episode.opened.",
            field="episode",
            remedy="Run: quarterdeck episodes verify",
        )
    order = connection.execute(select(orders).where(orders.c.episode == episode)).mappings().one()
    manifest = Manifest(
        format=FORMAT,
        episode=episode,
        events=head["seq"],
        chain=head["chain"],
        content=head["content"],
        ended=last.kind == "episode.ended" or any(line.kind == "episode.ended" for line in events),
        recorded_by=opened.code_version,
        exported_by=version,
        tape=_tape(opened),
        ordered=Ordered(
            request=msgspec.json.decode(order["request"]), by=order["ordered_by"], utc=order["utc"]
        ),
        journal=NOTHING,
        commands=NOTHING,
        telemetry=NOTHING,
    )
    return manifest, contents


def _tape(opened: EpisodeOpened) -> Tape:
    world = opened.mission.world
    return Tape(
        world=world.name,
        scenario=world.scenario,
        seed=opened.seed,
        clock=world.clock,
        tick_s=float(world.tick_s),
    )


def _sizes(store: FrameStore, wanted: set[str]) -> tuple[dict[str, int], tuple[str, ...]]:
    sizes, missing = {}, []
    for sha256 in sorted(wanted):
        try:
            sizes[sha256] = len(store.get(sha256))
        except (FrameMissing, FrameDamaged):
            missing.append(sha256)
    return sizes, tuple(missing)


def _member(data: bytes) -> Member:
    return Member(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
