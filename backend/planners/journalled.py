"""A planner that gives a journal's answers again, by decision and attempt: of one that reads pictures.

What it saw need not be there any more. What it answered stands in the events that its answers became.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct, convert

from backend.domain.demonstration.looks import Answer
from backend.domain.episode import events as e
from backend.domain.plans.plan import Step
from backend.domain.query.query import Attempt, AttemptMeta, Proposal, Query, Reply


class _Given(Struct):
    attempts: tuple[Attempt, ...] = ()
    metas: tuple[AttemptMeta, ...] = ()
    note: str = ""
    rationale: str = ""
    steps: tuple[Step, ...] | None = None
    answer: Answer | None = None


class JournalledPlanner:
    """Of a planner each of whose answers left an exchange."""

    def __init__(self, journal: Iterable[e.Recorded]) -> None:
        self._given: dict[tuple[int, int], _Given] = defaultdict(_Given)
        given: _Given | None = None
        for recorded in journal:
            event = recorded.event
            if isinstance(event, e.ExchangeRecorded):
                given = self._given[event.decision, event.attempt]
                given.attempts = (*given.attempts, event.exchange)
                given.metas = (*given.metas, convert(recorded.meta or {}, AttemptMeta))
            elif given is not None and recorded.actor == "planner":
                _take(given, event)

    def propose(self, query: Query) -> Reply:
        given = self._given[query.decision, query.attempt]
        proposal = None
        if given.steps is not None:
            proposal = Proposal(rationale=given.rationale, note=given.note, steps=given.steps)
        return Reply(
            decision=query.decision,
            attempt=query.attempt,
            proposal=proposal,
            attempts=given.attempts,
            metas=given.metas,
            answer=given.answer,
        )


def _take(given: _Given, event: e.Event) -> None:
    if isinstance(event, e.NoteWritten) and given.answer is None:
        given.note = event.text
    elif isinstance(event, e.PlanProposed):
        given.steps, given.rationale = event.plan.steps, event.plan.rationale
    elif isinstance(event, e.PlanRefused) and not event.failure:
        given.steps = event.steps
    elif isinstance(event, e.DemonstrationAnswered):
        given.answer = event.answer
