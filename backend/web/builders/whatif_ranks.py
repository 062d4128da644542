"""The records of a what-if by their scores, before and after."""

from __future__ import annotations

from backend.domain.memory.retrieval import Retrieval, Scored
from backend.web.pages import figures
from backend.web.pages.whatif import RankRow

MOST_RANKED = 40


def rank_rows(before: Retrieval, after: Retrieval) -> tuple[RankRow, ...]:
    """By the rank that they have now; those without one come last, as they stood."""
    old = {each.entity: each for each in before.scored}
    new = {each.entity: each for each in after.scored}
    names = sorted(new, key=lambda name: (new[name].rank is None, new[name].rank or 0))
    was, is_now = frozenset(before.exposed), frozenset(after.exposed)
    return tuple(
        RankRow(
            entity=name,
            rank_before=_rank(old.get(name)),
            rank_after=_rank(new[name]),
            score_before=_score(old.get(name)),
            score_after=_score(new[name]),
            why="Shown" if name in is_now else new[name].left_out or "Left out",
            is_changed=(name in was) is not (name in is_now),
        )
        for name in names
    )


def _rank(scored: Scored | None) -> str:
    return figures.NONE if scored is None or scored.rank is None else str(scored.rank)


def _score(scored: Scored | None) -> str:
    return figures.NONE if scored is None else f"{scored.score:.3f}"
