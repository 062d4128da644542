"""One tick: everything that arrived is decided in one fixed order,
so that safety never waits behind convenience.

Order: stop intents → outcomes → evidence → validity → other intents → planning
→ at most one dispatch (DESIGN, section 2). Pure: state and inputs in, events
and the next state out. Effects happen after the events are committed.
"""

from __future__ import annotations

from backend.domain.decide.approving import keep_approval
from backend.domain.decide.commanding import take_commands
from backend.domain.decide.conning import is_operator_due, watch_operator
from backend.domain.decide.dispatching import dispatch_next
from backend.domain.decide.ending import end_if_over
from backend.domain.decide.mapping import take_map
from backend.domain.decide.outcomes import take_outcomes
from backend.domain.decide.perceiving import take_evidence, take_pose
from backend.domain.decide.planning import request_plan, take_replies
from backend.domain.decide.stopping import take_bridge_stops, take_stops, watch_stops
from backend.domain.decide.turn import Inputs, Tick, Turn
from backend.domain.decide.validity import check_validity
from backend.domain.episode.state import State


def tick(state: State, inputs: Inputs, *, render: bool = True) -> Tick:
    """Decide everything in `inputs`. `render` False leaves the query's text unwritten,
    for planners that read none."""
    turn = Turn(state, inputs)
    is_due = is_operator_due(state, inputs)
    if inputs.is_quiet and state.dispatch is not None and not state.stops and not is_due:
        end_if_over(turn)
        return turn.done()
    if inputs.intents:
        take_stops(turn)
    if inputs.outcomes or inputs.doubts:
        take_outcomes(turn)
    if inputs.standstills:
        take_bridge_stops(turn)
    if is_due or turn.state.hold_owed:
        watch_operator(turn)
    if turn.state.stops:
        watch_stops(turn)
    end_if_over(turn)
    if turn.state.ending is None:
        if inputs.robot_pose is not None:
            take_pose(turn, inputs.robot_pose)
        if inputs.map is not None:
            take_map(turn, inputs.map)
        if inputs.evidence:
            take_evidence(turn)
        if turn.events:
            check_validity(turn)
        if inputs.intents:
            take_commands(turn)
        _plan_and_dispatch(turn, render)
    elif inputs.intents:
        take_commands(turn)
    return turn.done()


def _plan_and_dispatch(turn: Turn, render: bool) -> None:
    if turn.inputs.replies:
        take_replies(turn, render)
    if turn.state.plan is not None:
        keep_approval(turn)
        dispatch_next(turn)
    if turn.state.need is not None:
        request_plan(turn, render)
