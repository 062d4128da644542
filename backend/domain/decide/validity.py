"""Whether the plan still stands, and what goes with one that does not."""

from __future__ import annotations

from backend.domain.command.approval import OPEN
from backend.domain.decide.turn import Turn
from backend.domain.episode.events import ApprovalSuperseded, PlanInvalidated, PlanningWanted, StepCancelAsked
from backend.domain.plans.validity import Cause, broken


def check_validity(turn: Turn) -> None:
    """Replan exactly when C ∩ D(P) ≠ ∅."""
    state = turn.state
    if state.plan is None:
        return
    cause = broken(state.plan, state.cursor, state.memory, state.excused, state.site.metric)
    if cause is not None:
        drop_plan(turn, cause)


def drop_plan(turn: Turn, cause: Cause) -> None:
    """The approval lapses, the plan goes, and a step under way is asked to cancel."""
    state = turn.state
    if state.plan is None:
        return
    if state.approval is not None and state.approval.status in OPEN:
        turn.emit("system", ApprovalSuperseded(approval_id=state.approval.id, cause=cause))
    turn.emit("system", PlanInvalidated(number=state.plan.number, cause=cause))
    if state.dispatch is not None and not state.dispatch.cancel_asked:
        turn.emit("system", StepCancelAsked(dispatch_id=state.dispatch.id, reason=cause.message))


def plan_anew(turn: Turn, actor: str, cause: Cause) -> None:
    """Somebody wants another plan, whether there is one or not."""
    if turn.state.plan is not None:
        drop_plan(turn, cause)
    else:
        turn.emit(actor, PlanningWanted(cause=cause))
