"""The calls of an episode as they were: what was asked, what was answered, what the validator said of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.memory.retrieval import Retrieval
from backend.domain.plans.findings import Finding
from backend.domain.plans.plan import Step
from backend.domain.plans.validity import Cause
from backend.domain.query.query import Attempt, Block

KINDS = ("plan.requested", "exchange.recorded", "plan.refused", "plan.proposed")
"""Kinds of events that `calls_of` reads."""


ASKED_HERE = "Asked at this moment"


class Call(Struct, frozen=True, kw_only=True):
    """One decision, asked for by event `seq`: the first request, and what came of it and of its repair.

    `steps` None: no plan came. `is_valid`: the validator found nothing against them. `findings`, `failure`:
    of the last answer that was refused.
    """

    seq: int
    decision: int
    met_s: float
    cause: Cause
    retrieval: Retrieval
    blocks: tuple[Block, ...]
    steps: tuple[Step, ...] | None = None
    rationale: str = ""
    is_valid: bool = False
    findings: tuple[Finding, ...] = ()
    failure: str = ""
    attempts: tuple[Attempt, ...] = ()


def calls_of(events: Iterable[e.Recorded]) -> tuple[Call, ...]:
    """`events` of KINDS, in order; a person's own plan answers no call."""
    calls: list[Call] = []
    for recorded in events:
        event = recorded.event
        if isinstance(event, e.PlanRequested) and event.attempt == 1:
            calls.append(_begun(recorded, event))
        elif calls and (became := _became(calls[-1], recorded)) is not None:
            calls[-1] = became
    return tuple(calls)


def call_at(calls: Sequence[Call], seq: int) -> Call | None:
    """The newest call that had been asked for by event `seq`."""
    return next((call for call in reversed(calls) if call.seq <= seq), None)


def standing(state: State, decision: int) -> Call:
    """A call that nobody made, right after `state`: beside it stands the rest of the plan in force, if any.

    `decision`: the call before it. What would be shown is left to be composed.
    """
    plan = state.plan
    return Call(
        seq=state.seq + 1,
        decision=decision,
        met_s=state.met_s,
        cause=Cause(kind="asked", message=ASKED_HERE),
        retrieval=Retrieval(exposed=(), count=0),
        blocks=(),
        steps=None if plan is None else plan.steps[state.cursor :],
        rationale="" if plan is None else plan.rationale,
        is_valid=plan is not None,
    )


def _begun(recorded: e.Recorded, event: e.PlanRequested) -> Call:
    return Call(
        seq=recorded.seq,
        decision=event.decision,
        met_s=recorded.met_s,
        cause=event.cause,
        retrieval=event.retrieval,
        blocks=event.blocks,
    )


def _became(call: Call, recorded: e.Recorded) -> Call | None:
    event = recorded.event
    if isinstance(event, e.ExchangeRecorded) and event.decision == call.decision:
        return replace(call, attempts=(*call.attempts, event.exchange))
    if isinstance(event, e.PlanRefused) and event.decision == call.decision:
        steps = event.steps or None
        return replace(call, steps=steps, findings=event.findings, failure=event.failure)
    if isinstance(event, e.PlanProposed) and recorded.actor == "planner" and not call.is_valid:
        plan = event.plan
        return replace(
            call, steps=plan.steps, rationale=plan.rationale, is_valid=True, findings=(), failure=""
        )
    return None
