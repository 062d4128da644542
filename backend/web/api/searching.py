"""The search over all episodes, for programs."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from backend.domain.refusal import Refusal
from backend.web.api.operations import ROOT, Call, Operation, Reply
from backend.web.builders.search import place_of
from backend.web.console import Console
from backend.web.errors import Malformed
from backend.web.searching import FARTHEST, search


class SearchAsked(Struct, frozen=True, kw_only=True):
    """`q`: words, "phrases", beginnings* and fields such as skill:grasp, all of which must hold of one
    moment; a dash before leaves out."""

    q: Annotated[str, Meta(max_length=500)]
    limit: Annotated[int, Meta(ge=1, le=500)] = 50
    offset: Annotated[int, Meta(ge=0, le=FARTHEST)] = 0


class FoundRow(Struct, frozen=True, kw_only=True):
    """A moment. `href`: where the console shows it. `outcome`: empty while the episode goes on."""

    episode: str
    title: str
    mission: str
    planner: str
    outcome: str
    seq: int
    met_s: float
    kind: str
    author: str
    text: str
    href: str


class FoundRows(Struct, frozen=True, kw_only=True):
    """Of the newest episodes first, each in order. `next`: the `offset` to go on with; None at the end.
    `behind`: episodes that are not wholly indexed yet."""

    found: tuple[FoundRow, ...]
    next: int | None
    behind: int


def operations(console: Console) -> list[Operation]:
    def run(call: Call) -> Reply:
        asked: SearchAsked = call.query
        answer = search(console.deps.search, asked.q, start=asked.offset, limit=asked.limit)
        if isinstance(answer, Refusal):
            raise Malformed(answer.message, remedy=answer.remedy, field="q")
        names = [name for name in FoundRow.__struct_fields__ if name != "href"]
        rows = tuple(
            FoundRow(href=place_of(each), **{name: getattr(each, name) for name in names})
            for each in answer.found
        )
        more = asked.offset + len(rows) if answer.is_more else None
        return Reply(value=FoundRows(found=rows, next=more, behind=answer.behind))

    return [
        Operation(
            id="search", method="GET", path=f"{ROOT}/search", scope="read", tag="Episodes",
            summary="Search all episodes", text=SearchAsked.__doc__ or "", run=run, query=SearchAsked,
            answer=FoundRows,
        ),
    ]  # fmt: skip
