"""The first member of a bundle: what the others are, and what the episode rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

FORMAT = 2
"""Written; read is every one from 1 on. 2 added what people wrote beside the episode."""

Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
EpisodeId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$")]
Size = Annotated[int, Meta(ge=0)]
Redaction = Literal["names", "prompts"]

MANIFEST = "manifest.json"
JOURNAL, COMMANDS, TELEMETRY = "journal.jsonl", "commands.jsonl", "telemetry.jsonl"
ANNOTATIONS = "annotations.jsonl"
FRAMES = "frames/"


class Member(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    bytes: Size
    sha256: Sha256


class Tape(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a simulated world is made from again."""

    world: str
    scenario: str
    seed: int
    clock: str
    tick_s: float


class Ordered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    request: Any
    by: str
    utc: str


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`chain`, `content`: the journal's digests, at event `events`. `ended`: whether it had.

    `recorded_by`, `exported_by`: versions. `frames`: sizes of the pictures in here; `missing`: those that the
    journal names and that were not to be had; `gone`: those that were redacted. `redacted`: what was taken
    out for this bundle. `annotations`: None in a bundle of format 1.
    """

    format: int
    episode: EpisodeId
    events: Annotated[int, Meta(ge=1)]
    chain: Sha256
    content: Sha256
    ended: bool
    recorded_by: str
    exported_by: str
    tape: Tape
    ordered: Ordered
    journal: Member
    commands: Member
    telemetry: Member
    annotations: Member | None = None
    frames: Mapping[Sha256, Size] = {}
    missing: tuple[Sha256, ...] = ()
    gone: tuple[Sha256, ...] = ()
    redacted: tuple[Redaction, ...] = ()

    def members(self) -> Iterator[tuple[str, Member]]:
        """Every member after the manifest, in the one order in which they stand."""
        yield from ((JOURNAL, self.journal), (COMMANDS, self.commands), (TELEMETRY, self.telemetry))
        if self.annotations is not None:
            yield ANNOTATIONS, self.annotations
        for sha256 in sorted(self.frames):
            yield f"{FRAMES}{sha256}", Member(bytes=self.frames[sha256], sha256=sha256)
