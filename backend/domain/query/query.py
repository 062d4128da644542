"""The query u_t: named blocks, each with its text, size and digest (section IV-D), and the reply to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from backend.domain.demonstration.looks import Answer
from backend.domain.execution.frames import Frame
from backend.domain.geometry import Pose
from backend.domain.memory.record import EntityRecord
from backend.domain.mission.site import Site
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.plan import Step
from backend.domain.query.seen import Seen, Viewed


class Block(Struct, frozen=True, kw_only=True):
    """`size` in tokens: ceil(characters / 4) plus the images' share, an estimate shown with "≈"."""

    name: str
    text: str
    size: int
    digest: str
    images: tuple[Frame, ...] = ()


class Facts(Struct, frozen=True, kw_only=True):
    """The same decision state as values, for a planner that computes rather than reads.
    It tells no more than the blocks.

    `swept`, `unreachable`: cells that the search has entered (None before it began), or found no way to.
    `seen`: what is seen at a table; None of a mobile robot. `view`: while the demonstration is watched, what
    is shown of it; the answer is then a summary, and no plan.
    """

    exposed: tuple[EntityRecord, ...]
    robot: Pose
    held: EntityRecord | None
    assignments: Mapping[str, str]
    site: Site
    swept: frozenset[tuple[int, int]] | None
    unreachable: frozenset[tuple[int, int]] = frozenset()
    steps_left: int | None
    cause: str
    seen: Seen | None = None
    view: Viewed | None = None


class Query(Struct, frozen=True, kw_only=True):
    decision: int
    attempt: int
    blocks: tuple[Block, ...]
    facts: Facts
    catalogue: Catalogue

    @property
    def size(self) -> int:
        return sum(block.size for block in self.blocks)


class Proposal(Struct, frozen=True, kw_only=True):
    """What a planner answered, before validation."""

    rationale: str
    note: str
    steps: tuple[Step, ...]


Verdict = Literal[
    "ok",
    "refusal",
    "incomplete",
    "invalid_json",
    "invalid_schema",
    "failed",
    "api_error",
    "timeout",
    "missing",
]


class Usage(Struct, frozen=True, kw_only=True):
    """Provider-reported tokens; None where the provider said nothing."""

    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    total_tokens: int | None = None


class Attempt(Struct, frozen=True, kw_only=True):
    """One request to the planner and what came of it. `request` and `response` hold images by reference only.

    `detail` says in words what was wrong; `cost_usd` is None where no dated price is known, and
    `prices_as_of` the date (ISO 8601) of the price table that it was computed by.
    """

    verdict: Verdict
    detail: str = ""
    model: str = ""
    api: str = ""
    request_digest: str = ""
    request: Mapping[str, Any] = {}
    response: Mapping[str, Any] = {}
    usage: Usage = Usage()
    cost_usd: float | None = None
    prices_as_of: str = ""


class AttemptMeta(Struct, frozen=True, kw_only=True):
    """What of an attempt differs from run to run: kept beside the event, outside the content digest."""

    latency_s: float = 0.0
    retries: int = 0
    request_id: str = ""
    response_id: str = ""


class Reply(Struct, frozen=True, kw_only=True):
    """A planner's answer to one query: the proposal, or None and the last attempt's detail.

    `answer`: to a view of a demonstration, in place of a proposal.
    """

    decision: int
    attempt: int
    proposal: Proposal | None
    attempts: tuple[Attempt, ...] = ()
    metas: tuple[AttemptMeta, ...] = ()
    answer: Answer | None = None
