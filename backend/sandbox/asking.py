"""The planner asked again at a call, with something changed, by the rules that decided then.

`compose` writes what it would be asked, which costs nothing; `ask` asks it, and has the answer judged and
repaired once as a mission would. What is decided are events that nobody appends and nothing acts on.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.decide.planning import request_plan, take_replies
from backend.domain.decide.turn import Inputs, Turn
from backend.domain.episode import events as e
from backend.domain.episode.state import ActionFrames, Request, State
from backend.domain.execution.budgets import Budgets
from backend.domain.memory.retrieval import Retrieval
from backend.domain.memory.what_if import accepted
from backend.domain.plans.findings import Finding
from backend.domain.plans.plan import Step
from backend.domain.query.build import query_of
from backend.domain.query.query import Attempt, AttemptMeta, Block, Query, Reply
from backend.domain.refusal import Refusal
from backend.sandbox.calls import Call
from backend.sandbox.change import Change, configured
from backend.sandbox.editing import edited
from backend.sandbox.ports import Planner
from backend.sandbox.purse import Purse


class Composed(Struct, frozen=True, kw_only=True):
    """What the planner would be shown: `state` is right after it was asked."""

    state: State
    retrieval: Retrieval
    blocks: tuple[Block, ...]


class Answer(Struct, frozen=True, kw_only=True):
    """What came of a call, as in `Call`. `seq`: of the recorded call that it stands beside."""

    seq: int
    retrieval: Retrieval
    blocks: tuple[Block, ...]
    steps: tuple[Step, ...] | None = None
    rationale: str = ""
    is_valid: bool = False
    findings: tuple[Finding, ...] = ()
    failure: str = ""
    attempts: tuple[Attempt, ...] = ()
    metas: tuple[AttemptMeta, ...] = ()


def changed(state: State, change: Change, met_s: float) -> State | Refusal:
    """The state as it would have been. `state`: right before the call, with nothing changed."""
    configuration = configured(state.mission.memory, change)
    if isinstance(configuration, Refusal):
        return configuration
    memory, told = state.memory, state.told if change.instructions is None else change.instructions
    if change.threshold is not None:
        memory = accepted(memory, change.threshold)
    made = replace(
        state,
        mission=replace(state.mission, memory=configuration),
        memory=memory,
        told=told,
        planner=change.planner or state.planner,
        frames=_frames(state, configuration.frames),
    )
    if change.correction is None:
        return made
    return edited(made, change.correction, met_s)


def compose(state: State, call: Call, change: Change) -> Composed | Refusal:
    """`state`: right before the call."""
    made = changed(state, change, call.met_s)
    if isinstance(made, Refusal):
        return made
    turn = Turn(_asking(made, call), Inputs(met_s=call.met_s))
    request_plan(turn, render=True)
    request = turn.state.request
    if request is None:
        return Refusal("not_asked", "Nothing could be asked at this moment.", "Choose another call.")
    return Composed(state=turn.state, retrieval=request.retrieval, blocks=request.blocks)


def ask(composed: Composed, call: Call, planner: Planner, purse: Purse) -> Answer | Refusal:
    """The planner's answer, judged; a refused one is sent back once. Refused where the purse is empty."""
    state = composed.state
    answer = Answer(seq=call.seq, retrieval=composed.retrieval, blocks=composed.blocks)
    while state.request is not None:
        refusal = purse.refuse()
        if refusal is not None:
            return answer if answer.attempts else refusal
        reply = reply_of(planner, query_of(state, state.request), state.request)
        purse.pay(reply)
        turn = Turn(state, Inputs(met_s=call.met_s, replies=(reply,)))
        take_replies(turn, render=True)
        state = turn.state
        answer = _judged(answer, reply, turn.events)
    return answer


def reply_of(planner: Planner, query: Query, request: Request) -> Reply:
    """A planner that breaks is a planner that failed, as in a mission."""
    try:
        return planner.propose(query)
    except Exception as error:
        broke = Attempt(verdict="failed", detail=f"The planner broke: {type(error).__name__}: {error}")
        return Reply(decision=request.decision, attempt=request.attempt, proposal=None, attempts=(broke,))


def _asking(state: State, call: Call) -> State:
    """As it stood when it was asked. The episode's money is spent; this has a budget of its own."""
    budgets = Budgets(steps=state.mission.budgets.steps, decisions=None, tokens=None, money_usd=None)
    return replace(
        state,
        mission=replace(state.mission, budgets=budgets),
        need=call.cause,
        request=None,
        dispatch=None,
        stops=(),
        asks_person="",
        ending=None,
    )


def _judged(answer: Answer, reply: Reply, events: list[e.Recorded]) -> Answer:
    answer = replace(
        answer, attempts=(*answer.attempts, *reply.attempts), metas=(*answer.metas, *reply.metas)
    )
    for recorded in events:
        event = recorded.event
        if isinstance(event, e.PlanRefused):
            answer = replace(
                answer, steps=event.steps or None, findings=event.findings, failure=event.failure
            )
        elif isinstance(event, e.PlanProposed):
            plan = event.plan
            answer = replace(
                answer, steps=plan.steps, rationale=plan.rationale, is_valid=True, findings=(), failure=""
            )
    return answer


def _frames(state: State, kept: str) -> tuple[ActionFrames, ...]:
    """With all of them, those that were withheld are shown too; they were stored all the same."""
    if kept != "all":
        return state.frames
    return tuple(
        replace(
            each,
            watched=replace(
                each.watched,
                withheld=0,
                frames=tuple(replace(frame, returned=True) for frame in each.watched.frames),
            ),
        )
        for each in state.frames
    )
