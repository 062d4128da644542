"""Storage over the API: read by all; for admins what rules would let go, and the letting go of that."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from backend.domain.annotations.words import tags_of
from backend.domain.refusal import Refusal
from backend.domain.retention.rules import LONGEST_DAYS, Rules
from backend.domain.retention.told import Gone, Usage
from backend.web.api.operations import ROOT, Call, Operation, Reply
from backend.web.console import Console
from backend.web.errors import Malformed, TooLate

Days = Annotated[float, Meta(ge=1, le=LONGEST_DAYS)]


class RulesAsked(Struct, frozen=True, kw_only=True):
    """What stays: what was written to in the last `keep_days`, what did not complete, what is annotated, what
    has one of `keep_tags`, with blanks between."""

    keep_days: Days
    keep_failed: bool = True
    keep_annotated: bool = True
    keep_tags: Annotated[str, Meta(max_length=600)] = ""


class Removal(RulesAsked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules as they were shown, and the `digest` of what they would let go."""

    digest: Annotated[str, Meta(max_length=200)]


class RuledEpisode(Struct, frozen=True, kw_only=True):
    episode: str
    mission: str
    outcome: str
    goes: bool
    reason: str
    bytes: int
    pictures: int


class Previewed(Struct, frozen=True, kw_only=True):
    """What would go, and what stays and why. `bytes` with the pictures that no other episode shows."""

    rulings: tuple[RuledEpisode, ...]
    digest: str
    episodes: int
    pictures: int
    bytes: int


def operations(console: Console) -> list[Operation]:
    storage = console.deps.storage

    def usage(call: Call) -> Reply:
        return Reply(value=storage.usage())

    def preview(call: Call) -> Reply:
        found = storage.preview(_rules(call.query))
        if isinstance(found, Refusal):
            raise Malformed(found.message, remedy=found.remedy, field=found.code)
        rows = tuple(
            RuledEpisode(
                episode=each.candidate.episode,
                mission=each.candidate.mission,
                outcome=each.candidate.outcome,
                goes=each.goes,
                reason=each.reason,
                bytes=each.candidate.bytes,
                pictures=len(each.candidate.pictures),
            )
            for each in found.rulings
        )
        return Reply(
            value=Previewed(
                rulings=rows,
                digest=found.digest,
                episodes=found.episodes,
                pictures=found.pictures,
                bytes=found.bytes,
            )
        )

    def remove(call: Call) -> Reply:
        done = storage.let_go(_rules(call.body), call.body.digest, call.user.name)
        if isinstance(done, Refusal):
            raise TooLate(done.message, remedy=done.remedy, field=done.code)
        return Reply(value=done)

    return [
        Operation(
            id="storage", method="GET", path=f"{ROOT}/storage", scope="read", tag="Episodes",
            summary="How much is stored", text=Usage.__doc__ or "", run=usage, answer=Usage,
        ),
        Operation(
            id="retention_preview", method="GET", path=f"{ROOT}/storage/preview",
            scope="admin", tag="Episodes",
            summary="What rules would let go", text=RulesAsked.__doc__ or "", run=preview, query=RulesAsked,
            answer=Previewed,
        ),
        Operation(
            id="retention_removal", method="POST", path=f"{ROOT}/storage/removal",
            scope="admin", tag="Episodes",
            summary="Delete exactly what was shown", text=Removal.__doc__ or "", run=remove, body=Removal,
            answer=Gone,
        ),
    ]  # fmt: skip


def _rules(asked: RulesAsked) -> Rules:
    return Rules(
        keep_days=asked.keep_days,
        keep_failed=asked.keep_failed,
        keep_annotated=asked.keep_annotated,
        keep_tags=tags_of(asked.keep_tags),
    )
