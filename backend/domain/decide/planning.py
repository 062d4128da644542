"""Asking for a plan, and taking the answer: decode, validate, repair once, then ask a person.
Invalid plans never run."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from backend.domain.decide.demonstrating import REPAIRABLE, show_demonstration, take_answer
from backend.domain.decide.ending import end_if_budget_spent
from backend.domain.decide.turn import Turn
from backend.domain.decide.validity import check_validity
from backend.domain.episode.events import (
    ExchangeRecorded,
    NoteWritten,
    PlanProposed,
    PlanRefused,
    PlanRequested,
)
from backend.domain.episode.grounding import ground_of, task_place
from backend.domain.episode.state import Request, State
from backend.domain.memory.attention import retrieve
from backend.domain.memory.record import ACTIVE
from backend.domain.memory.retrieval import Retrieval
from backend.domain.plans.dependencies import dependencies
from backend.domain.plans.findings import Finding
from backend.domain.plans.plan import Plan, Step, digest_of_steps
from backend.domain.plans.skills import meaning_of
from backend.domain.plans.validator import validate
from backend.domain.plans.validity import Cause
from backend.domain.query.blocks import render_blocks
from backend.domain.query.query import Block, Proposal, Reply

CONTEXT_BASE, CONTEXT_PER_RECORD = 48, 18
"""The context proxy of section V-A: 48 + 18 n units for n exposed records."""


def request_plan(turn: Turn, render: bool) -> None:
    """Ask where a plan is needed and nothing else is under way:
    no step in flight, no hold, nothing left to a person."""
    state = turn.state
    cause = state.need
    if (
        cause is None
        or state.dispatch is not None
        or state.stops
        or state.asks_person
        or state.ending is not None
    ):
        return
    if end_if_budget_spent(turn) or show_demonstration(turn, render):
        return
    retrieval = retrieve(
        state.memory, state.mission.memory, state.site.metric, task_place(state), turn.inputs.met_s
    )
    _request(turn, cause, retrieval, state.spent.decisions + 1, 1, (), render)


def _request(
    turn: Turn,
    cause: Cause,
    retrieval: Retrieval,
    decision: int,
    attempt: int,
    findings: tuple[Finding, ...],
    render: bool,
    shown_before: tuple[Block, ...] = (),
) -> None:
    """`shown_before`: the blocks of the attempt to be repaired.
    Its frames are shown again, since they are shown in one decision only."""
    blocks = render_blocks(turn.state, retrieval, cause, findings, turn.inputs.met_s) if render else ()
    turn.emit(
        "system",
        PlanRequested(
            decision=decision,
            attempt=attempt,
            cause=cause,
            retrieval=retrieval,
            context_units=CONTEXT_BASE + CONTEXT_PER_RECORD * retrieval.count,
            blocks=(*blocks, *(block for block in shown_before if block.name == "frames")),
            findings=findings,
        ),
    )


def take_replies(turn: Turn, render: bool) -> None:
    for reply in turn.inputs.replies:
        _record_exchanges(turn, reply)
        request = turn.state.request
        if request is not None and (request.decision, request.attempt) == (reply.decision, reply.attempt):
            if request.view is None:
                _reply(turn, request, reply, render)
            else:
                take_answer(turn, request, reply, render)


def _record_exchanges(turn: Turn, reply: Reply) -> None:
    """What was asked and paid for is on record, also where the answer comes too late to be used."""
    for number, attempt in enumerate(reply.attempts, start=1):
        meta: dict[str, Any] | None = None
        if number <= len(reply.metas):
            meta = to_builtins(reply.metas[number - 1])
        event = ExchangeRecorded(
            decision=reply.decision, attempt=reply.attempt, number=number, exchange=attempt
        )
        turn.emit("planner", event, meta)


def _reply(turn: Turn, request: Request, reply: Reply, render: bool) -> None:
    if reply.proposal is None:
        _without_proposal(turn, request, reply, render)
        return
    if reply.proposal.note:
        author = turn.state.planner
        turn.emit("planner", NoteWritten(decision=request.decision, author=author, text=reply.proposal.note))
    take_proposal(turn, request, reply.proposal, "planner", turn.state.planner, render)


def _without_proposal(turn: Turn, request: Request, reply: Reply, render: bool) -> None:
    """An answer that is no plan is repaired once, like a plan with findings; no answer asks a person."""
    last = reply.attempts[-1] if reply.attempts else None
    detail = last.detail if last is not None else "The planner gave no answer."
    if last is not None and last.verdict in REPAIRABLE:
        remedy = "Answer with one JSON object of the shape that the schema gives."
        finding = Finding(step=None, argument=None, rule=last.verdict, message=detail, remedy=remedy)
        _refuse(turn, request, (), (finding,), detail, render)
    else:
        _refuse(turn, request, (), (), detail, render)


def _refuse(
    turn: Turn,
    request: Request,
    steps: tuple[Step, ...],
    findings: tuple[Finding, ...],
    failure: str,
    render: bool,
) -> None:
    """Nothing of the reply runs. Findings are fed back once; after that a person is asked."""
    repair = bool(findings) and request.attempt == 1
    turn.emit(
        "planner",
        PlanRefused(
            decision=request.decision,
            attempt=request.attempt,
            steps=steps,
            findings=findings,
            failure=failure,
            will_repair=repair,
        ),
    )
    if repair and not end_if_budget_spent(turn):
        retrieval = _still_there(turn.state, request.retrieval)
        _request(turn, request.cause, retrieval, request.decision, 2, findings, render, request.blocks)


def _still_there(state: State, retrieval: Retrieval) -> Retrieval:
    """What was shown, without what a person has since taken out of it."""
    records = state.memory.records
    exposed = tuple(entity for entity in retrieval.exposed if records[entity].status in ACTIVE)
    return retrieval if exposed == retrieval.exposed else replace(retrieval, exposed=exposed)


def take_proposal(
    turn: Turn, request: Request, proposal: Proposal, actor: str, author: str, render: bool
) -> tuple[Finding, ...]:
    """Make a plan of a proposal that the validator finds nothing against; return what it found."""
    by_model = actor == "planner"
    ground = ground_of(turn.state, request.retrieval.exposed if by_model else None)
    findings = validate(proposal.steps, ground)
    if findings:
        if by_model:
            _refuse(turn, request, proposal.steps, findings, "", render)
        return findings
    turn.emit(actor, PlanProposed(plan=plan_of(turn.state, request.seq, proposal, author)))
    check_validity(turn)
    return ()


def plan_of(state: State, seq: int, proposal: Proposal, author: str, edits: int | None = None) -> Plan:
    """`seq` is that of what its author was shown, such as the request's:
    evidence that came while they thought counts against the plan."""
    return Plan(
        number=state.plans + 1,
        author=author,
        steps=proposal.steps,
        rationale=proposal.rationale,
        digest=digest_of_steps(proposal.steps),
        based_on_seq=seq,
        dependencies=dependencies(proposal.steps, state.memory, seq),
        target=_target(proposal.steps, state.memory.records),
        edits=edits,
    )


def _target(steps: tuple[Step, ...], records: Collection[str]) -> str | None:
    """The entity that the plan is about: the first one that it names; a station is none."""
    for step in steps:
        entity = meaning_of(step.skill).entity_of(step)
        if entity in records:
            return entity
    return None
