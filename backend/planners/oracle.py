"""The `oracle` baseline: the next subgoal by the truth, through the planners' own executor (LogLook, 4.1).

It needs a world that tells the truth. What it cannot fail at is knowing; what is left is the executor's.
"""

from __future__ import annotations

from backend.domain.demonstration.answer import Answer
from backend.domain.plans.plan import Step
from backend.domain.query.query import Attempt, AttemptMeta, Proposal, Query, Reply

NAME = "oracle"
CHUNKS = 1
"""A subgoal is looked up anew after each chunk: the truth may be another by then."""
_SKIPPED = Answer("Not watched: the subgoals are told by the world.", ())


class OraclePlanner:
    """Answers at once."""

    def propose(self, query: Query) -> Reply:
        if query.facts.view is not None:
            return Reply(decision=query.decision, attempt=query.attempt, proposal=None, answer=_SKIPPED)
        seen = query.facts.seen
        if seen is None or query.catalogue.skill("delegate") is None:
            return _failed(
                query, "Subgoals are followed by the executor of a table: choose a world with /delegate."
            )
        if seen.subgoal is None:
            return _failed(query, "The world tells no subgoal: begin the episode with the planner oracle.")
        subgoal = seen.subgoal
        step = Step("delegate", {"phrase": subgoal.phrase, "pixel": subgoal.pixel, "chunks": CHUNKS})
        proposal = Proposal(rationale="The next subgoal by the truth.", note="", steps=(step,))
        return Reply(decision=query.decision, attempt=query.attempt, proposal=proposal)


def _failed(query: Query, why: str) -> Reply:
    attempt = Attempt(verdict="failed", detail=why, model=NAME)
    return Reply(
        decision=query.decision,
        attempt=query.attempt,
        proposal=None,
        attempts=(attempt,),
        metas=(AttemptMeta(),),
    )
