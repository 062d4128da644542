"""A simulated world run on from a call to the end, on the same tape: the mission's own decider, another plan.

Nobody is there: every plan is approved by policy, and what only a person could say ends it. No picture is
taken. What is decided here are events that go nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.command.policy import Policy
from backend.domain.decide.tick import tick
from backend.domain.decide.turn import Inputs
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.log import LogLine
from backend.domain.query.build import query_of
from backend.domain.query.query import Reply
from backend.sandbox.asking import reply_of
from backend.sandbox.ports import Happened, Planner, SimulatedWorld
from backend.sandbox.purse import Purse

MOST_PASSES = 400_000
"""Steps of the world; an arena's are a tenth of a second. A mission's own bound comes long before."""


class Deed(Struct, frozen=True, kw_only=True):
    """A line of the execution log: at mission time `met_s` in seconds, what was done and how it ended."""

    met_s: float
    command: str
    result: str


class Course(Struct, frozen=True, kw_only=True):
    """How an episode went from a moment on: what it came to, and what was done. Lengths in metres.

    `outcome`: completed, budget, aborted; `asks a person`, `budget of what-ifs`, `stuck`; `goes on` where a
    recorded one has not ended.
    """

    outcome: str
    message: str
    delivered: int
    total: int
    met_s: float
    decisions: int
    replans: int
    stale_visits: int
    refusals: int
    path_m: float
    context_units: int
    deeds: tuple[Deed, ...] = ()


class Parting(Struct, frozen=True, kw_only=True):
    """The first deed that is another one, by its place in both courses; None where one has ended."""

    index: int
    before: Deed | None
    after: Deed | None


def run_on(
    state: State,
    world: SimulatedWorld,
    planner: Planner,
    purse: Purse,
    heard: Callable[[State], None] = lambda _: None,
) -> Course:
    """`state` is right before the call, with whatever is changed; `world` is at the same moment.

    `heard` is told the state after each decision.
    """
    now = _alone(state)
    replies: tuple[Reply, ...] = ()
    for _ in range(MOST_PASSES):
        happened = world.look()
        before = now
        result = tick(now, _inputs(happened, replies))
        now = result.state
        _act(world, result.events)
        if now.ending is not None or now.asks_person or now.stops:
            break
        replies = ()
        if now.request is not None and now.request is not before.request:
            if (refusal := purse.refuse()) is not None:
                return _course(now, len(state.log), "budget of what-ifs", refusal.message)
            replies = (reply_of(planner, query_of(now, now.request), now.request),)
            purse.pay(replies[0])
            heard(now)
        elif not result.events and now.dispatch is None:
            return _course(now, len(state.log), "stuck", "Nothing is under way, and nothing is asked for.")
    else:
        return _course(now, len(state.log), "stuck", "It came to no end.")
    return course_of(now, len(state.log))


def course_of(state: State, since: int) -> Course:
    """What a journal's state came to. `since`: how many deeds there were at the moment it is told from."""
    if state.ending is not None:
        return _course(state, since, state.ending.outcome, state.ending.message)
    if state.asks_person:
        return _course(state, since, "asks a person", state.asks_person)
    if state.stops:
        return _course(state, since, "asks a person", "It is held, and only a person may release it.")
    return _course(state, since, "goes on", "It has not ended.")


def parting(before: Course, after: Course) -> Parting | None:
    """Where the two part; times do not matter, deeds and their ends do."""
    for index in range(max(len(before.deeds), len(after.deeds))):
        old = before.deeds[index] if index < len(before.deeds) else None
        new = after.deeds[index] if index < len(after.deeds) else None
        if old is None or new is None or (old.command, old.result) != (new.command, new.result):
            return Parting(index=index, before=old, after=new)
    return None


def _alone(state: State) -> State:
    """Nobody has the conn, every plan is approved by policy and sent to the world, and no camera runs."""
    memory = replace(state.mission.memory, frames="off")
    return replace(
        state,
        mission=replace(state.mission, memory=memory, shadow=False),
        ruled=Policy(mode="auto"),
        conn=None,
        hold_owed="",
        owes_answer=None,
        request=None,
    )


def _inputs(happened: Happened, replies: tuple[Reply, ...]) -> Inputs:
    return Inputs(
        met_s=happened.met_s, evidence=happened.evidence, outcomes=happened.outcomes, replies=replies
    )


def _act(world: SimulatedWorld, events: Sequence[e.Recorded]) -> None:
    for recorded in events:
        event = recorded.event
        if isinstance(event, e.StepDispatched):
            world.begin(event.dispatch_id, event.step, event.goal)
        elif isinstance(event, e.StepCancelAsked | e.StopAsked):
            world.halt()


def _course(state: State, since: int, outcome: str, message: str) -> Course:
    return Course(
        outcome=outcome,
        message=message,
        delivered=len(state.delivered),
        total=state.mission.total,
        met_s=state.met_s,
        decisions=state.spent.decisions,
        replans=state.tally.replans,
        stale_visits=state.tally.stale_visits,
        refusals=state.tally.refusals,
        path_m=round(state.tally.path_m, 3),
        context_units=state.tally.context_units,
        deeds=tuple(_deed(line) for line in state.log[since:]),
    )


def _deed(line: LogLine) -> Deed:
    return Deed(met_s=line.met_s, command=line.command, result=f"{line.result.value} ({line.reason})")
