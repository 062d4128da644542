"""Why not: the records that a call's planner was not shown, and which later plan was about one of them."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.episode import events as e
from backend.domain.lineage.pages import Pages
from backend.domain.memory.retrieval import Scored

MOST_PLANS = 200
"""Later plans that are looked through."""


class Missed(Struct, frozen=True, kw_only=True):
    """`scored.rank` is how large K would have had to be; `short_by`: of the score of the last one shown.

    `used`: the first later plan that was about it, None where none of those looked through was.
    """

    scored: Scored
    short_by: float
    used: e.Recorded | None = None


def missed(pages: Pages, request: e.Recorded) -> tuple[Missed, ...]:
    """Those that passed the filter and missed the line, the best first."""
    event = request.event
    if not isinstance(event, e.PlanRequested):
        return ()
    below = [each for each in event.retrieval.scored if each.rank is not None and each.left_out is not None]
    if not below:
        return ()
    scores = {each.entity: each.score for each in event.retrieval.scored}
    line = scores.get(event.retrieval.exposed[-1], 0.0) if event.retrieval.exposed else 0.0
    used = _first_plans(pages, request.seq)
    return tuple(
        Missed(scored=each, short_by=max(0.0, line - each.score), used=used.get(each.entity))
        for each in sorted(below, key=lambda each: each.rank or 0)
    )


def _first_plans(pages: Pages, after: int) -> dict[str, e.Recorded]:
    """By the entity that it was about, the first plan past the answer to this very call."""
    seqs = [seq for seq in pages.seqs("plan.proposed") if seq > after][1 : MOST_PLANS + 1]
    found: dict[str, e.Recorded] = {}
    for plan in pages.span(seqs[0], seqs[-1], ("plan.proposed",)) if seqs else ():
        if isinstance(plan.event, e.PlanProposed) and plan.event.plan.target is not None:
            found.setdefault(plan.event.plan.target, plan)
    return found
