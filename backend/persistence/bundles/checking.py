"""Whether what a bundle holds is one whole episode: links, digests, fold, commands, frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from backend.domain.annotations.annotation import Draft, refuse_draft
from backend.domain.episode.events import EpisodeOpened, kind_of
from backend.domain.episode.evolve import FoldError
from backend.persistence.bundles.lines import AnnotationLine, CommandLine, EventLine, TelemetryLine
from backend.persistence.bundles.manifest import Manifest
from backend.persistence.derive import passages
from backend.persistence.errors import BundleRefused
from backend.persistence.projections import Passage, project
from backend.persistence.tables.execution import frames as frames_table
from backend.persistence.verify import journal_of
from backend.usecases.reading import Entry


class Contents(Struct, frozen=True, kw_only=True):
    """The text members of a bundle, decoded."""

    events: list[EventLine]
    commands: list[CommandLine]
    telemetry: list[TelemetryLine]
    annotations: list[AnnotationLine] = []


class Checked(Struct, frozen=True, kw_only=True):
    """A whole episode: its rows, the entries that they are, and the fold step by step."""

    rows: list[dict[str, Any]]
    entries: list[Entry]
    steps: list[Passage]


def checked(manifest: Manifest, contents: Contents) -> Checked:
    """Raises BundleRefused with the first thing that contradicts another."""
    head = {
        "episode": manifest.episode,
        "seq": manifest.events,
        "chain": manifest.chain,
        "content": manifest.content,
    }
    rows = [{"episode": manifest.episode, **msgspec.to_builtins(line)} for line in contents.events]
    entries, faults = journal_of(head, rows)
    if faults or entries is None:
        raise _refused(f"{faults[0]}" if faults else "its events are not numbered without gaps")
    _check_kinds(manifest, entries)
    try:
        steps = list(passages(manifest.episode, None, entries))
    except (FoldError, LookupError) as error:
        raise _refused(f"its events do not follow one another: {error}") from error
    if (steps[-1].after.ending is not None) != manifest.ended:
        raise _refused("the manifest says otherwise than the journal whether the episode ended")
    _check_commands(manifest, contents.commands)
    _check_telemetry(contents.telemetry)
    _check_annotations(manifest, contents.annotations)
    return Checked(rows=rows, entries=entries, steps=steps)


def frames_of(steps: Sequence[Passage]) -> set[str]:
    """Every picture that the journal names, by its hash."""
    return {values["sha256"] for values in project(steps).get(frames_table, {}).values()}


def check_frames(manifest: Manifest, named: set[str]) -> None:
    """Each picture is in the bundle, or the manifest says why it is not; and there is no other."""
    told: Mapping[str, object] = manifest.frames
    known = {*told, *manifest.missing, *manifest.gone}
    if named - known:
        raise _refused(f"the journal names frame {min(named - known)[:12]}, which is not in it")
    if known - named:
        raise _refused(f"frame {min(known - named)[:12]} is in it, which the journal does not name")


def _check_kinds(manifest: Manifest, entries: Sequence[Entry]) -> None:
    opened = entries[0].recorded.event
    if not isinstance(opened, EpisodeOpened) or opened.episode != manifest.episode:
        raise _refused(f"its journal is not that of {manifest.episode}")
    for entry in entries:
        if kind_of(entry.recorded.event) != entry.kind:
            raise _refused(f"event {entry.recorded.seq} says that it is {entry.kind}, and is another")


def _check_commands(manifest: Manifest, commands: Sequence[CommandLine]) -> None:
    ids = [line.intent_id for line in commands]
    if len(set(ids)) != len(ids):
        raise _refused("a command stands in it twice")
    for line in commands:
        if not 0 <= line.settled_seq <= manifest.events:
            raise _refused(f"command {line.intent_id[:80]} was settled at an event that there is not")


def _check_telemetry(lines: Sequence[TelemetryLine]) -> None:
    keys = [(line.robot, line.met_s) for line in lines]
    if len(set(keys)) != len(keys):
        raise _refused("a robot is at two places at one moment of its telemetry")


def _check_annotations(manifest: Manifest, lines: Sequence[AnnotationLine]) -> None:
    """Each version after the one before it, at events that there are."""
    versions: dict[str, int] = {}
    for line in lines:
        if line.version != versions.get(line.id, 0) + 1:
            raise _refused(f"annotation {line.id[:40]} lacks the version before {line.version}")
        versions[line.id] = line.version
        refusal = refuse_draft(
            Draft(
                seq=line.seq,
                until_seq=line.until_seq,
                entity=line.entity,
                text=line.text,
                tags=" ".join(line.tags),
            ),
            manifest.events,
        )
        if refusal is not None:
            raise _refused(f"annotation {line.id[:40]} cannot be: {refusal.message.rstrip('.')}")


def _refused(reason: str) -> BundleRefused:
    return BundleRefused(
        f"The bundle holds no whole episode: {reason}.", field="FILE", remedy="Nothing was written."
    )
