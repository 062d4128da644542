"""The `surrogate`: a planner that computes, for measuring memories without a model. It is never one.

It answers from what the query's memory shows and what the pictures in it show, writes its note through the
note-rewriter, and keeps nothing between two queries.
"""

from __future__ import annotations

from collections.abc import Mapping

from backend.domain.demonstration.answer import Answer
from backend.domain.query.query import Attempt, AttemptMeta, Proposal, Query, Reply
from backend.domain.query.seen import Seen, Viewed
from backend.planners.errors import MissingPictureError
from backend.planners.pictures import LoadPicture, nothing_stored
from backend.planners.surrogate.mind import Mind
from backend.planners.surrogate.rewriting import Rates, Rewritten, rewritten
from backend.planners.surrogate.seeing.looking import looking
from backend.planners.surrogate.tasks import POLICIES, WATCHERS
from backend.planners.surrogate.watching import Watching

NAME = "surrogate"
_NOTHING_YET = "seen so far: nothing of note"


class SurrogatePlanner:
    """Answers at once. `seed`: of its guesses and of what its notes lose; `rates`: how much they lose."""

    def __init__(
        self, *, load_picture: LoadPicture = nothing_stored, rates: Rates | None = None, seed: int = 0
    ) -> None:
        self.rates = rates or Rates()
        self.seed = seed
        self._look = looking(load_picture)

    def propose(self, query: Query) -> Reply:
        try:
            if query.facts.view is not None:
                return self._watched(query, query.facts.view)
            seen = query.facts.seen
            if seen is not None and seen.executor == "direct" and seen.task in POLICIES:
                return self._decided(query, seen)
        except MissingPictureError as missing:
            return _failed(query, str(missing))
        except (LookupError, ValueError) as lost:
            return _failed(query, f"The {NAME} cannot go on from what it sees and remembers: {lost}")
        return _failed(query, f"The {NAME} plans at a table alone, by direct control. Choose another.")

    def _decided(self, query: Query, seen: Seen) -> Reply:
        mind = Mind(seen, self._look, self.seed, query.decision)
        act = POLICIES[seen.task](mind)
        learned = {**mind.learned, **act.learned}
        note = rewritten(mind.known, learned, self.rates, self.seed, query.decision)
        proposal = Proposal(rationale=act.why, note=note.note, steps=(act.step,))
        return _answered(query, note, proposal=proposal)

    def _watched(self, query: Query, viewed: Viewed) -> Reply:
        watching = Watching(viewed, self._look)
        if (watch := WATCHERS.get(viewed.task)) is not None:
            watch(watching)
        summary = rewritten(watching.known, watching.learned, self.rates, self.seed, query.decision)
        answer = Answer(summary=summary.note or _NOTHING_YET, looks=tuple(watching.looks))
        return _answered(query, summary, answer=answer)


def _answered(
    query: Query, note: Rewritten, proposal: Proposal | None = None, answer: Answer | None = None
) -> Reply:
    """What was lost in the note stands in the record of the exchange, where no later query shows it."""
    lost: Mapping[str, list[str]] = {"dropped": list(note.dropped), "miscounted": list(note.miscounted)}
    return Reply(
        decision=query.decision,
        attempt=query.attempt,
        proposal=proposal,
        attempts=(Attempt(verdict="ok", model=NAME, response=lost),),
        metas=(AttemptMeta(),),
        answer=answer,
    )


def _failed(query: Query, why: str) -> Reply:
    return Reply(
        decision=query.decision,
        attempt=query.attempt,
        proposal=None,
        attempts=(Attempt(verdict="failed", detail=why, model=NAME),),
        metas=(AttemptMeta(),),
    )
