"""Measured outcomes: written before anything further is decided; they alone advance a task's status."""

from __future__ import annotations

from backend.domain.command.approval import ApprovalStatus
from backend.domain.decide.stopping import ask_stop
from backend.domain.decide.turn import Doubt, Turn
from backend.domain.episode.events import (
    ApprovalConsumed,
    DispatchInDoubt,
    FramesRecorded,
    PlanCompleted,
    PlanInvalidated,
    StepEnded,
)
from backend.domain.episode.state import Dispatch
from backend.domain.execution.outcome import Outcome, Result
from backend.domain.memory.record import ACTIVE, EntityRecord, Field, FieldChange, Status
from backend.domain.plans.validity import Cause


def take_outcomes(turn: Turn) -> None:
    for outcome in turn.inputs.outcomes:
        dispatch = turn.state.dispatch
        if dispatch is not None and dispatch.id == outcome.dispatch_id:
            _ended(turn, dispatch, outcome)
    for doubt in turn.inputs.doubts:
        _doubt(turn, doubt)


def _ended(turn: Turn, dispatch: Dispatch, outcome: Outcome) -> None:
    changes = field_changes(turn, dispatch, outcome)
    turn.emit(
        "robot", StepEnded(outcome=outcome, changes=changes, predicted=outcome.result is Result.SUCCEEDED)
    )
    if outcome.frames is not None:
        turn.emit("robot", FramesRecorded(dispatch_id=dispatch.id, watched=outcome.frames))
    if outcome.result is Result.SUCCEEDED:
        _complete_plan(turn)
    else:
        _fell_short(turn, dispatch, outcome)


def field_changes(turn: Turn, dispatch: Dispatch, outcome: Outcome) -> tuple[FieldChange, ...]:
    """What the outcome verifies about the step's entity: grasped, delivered, lost where it was absent, else reconsider."""
    arguments = dispatch.step.arguments
    entity = arguments.get("target") or arguments.get("object")
    record = turn.state.memory.records.get(entity) if isinstance(entity, str) else None
    if record is None:
        return ()
    status = _verified_status(record, dispatch.step.skill, outcome)
    if status is None or status is record.status:
        return ()
    return (FieldChange(record.id, Field.STATUS, record.status.value, status.value),)


def _verified_status(record: EntityRecord, skill: str, outcome: Outcome) -> Status | None:
    if outcome.result is Result.SUCCEEDED:
        return {"grasp": Status.GRASPED, "deliver": Status.DELIVERED}.get(skill)
    if outcome.result is Result.FAILED and record.status in ACTIVE:
        return Status.LOST if outcome.reason == "absent" else Status.RECONSIDER
    return None


def _complete_plan(turn: Turn) -> None:
    plan = turn.state.plan
    if plan is not None and turn.state.cursor >= len(plan.steps):
        turn.emit("system", PlanCompleted(number=plan.number))


def _fell_short(turn: Turn, dispatch: Dispatch, outcome: Outcome) -> None:
    """Anything but success uses up the approval; a failure ends the plan, a stop leaves it to be asked for anew."""
    approval = turn.state.approval
    if approval is not None and approval.status is ApprovalStatus.APPROVED:
        reason = f"Step {dispatch.index + 1} ended {outcome.result.value}"
        turn.emit("system", ApprovalConsumed(approval_id=approval.id, reason=reason))
    if outcome.result is Result.FAILED and turn.state.plan is not None:
        message = f"{dispatch.step.skill} failed: {outcome.message or outcome.reason}"
        entity = dispatch.step.arguments.get("target") or dispatch.step.arguments.get("object")
        cause = Cause(kind="failed", message=message, entity=entity if isinstance(entity, str) else None)
        turn.emit("system", PlanInvalidated(number=turn.state.plan.number, cause=cause))


def _doubt(turn: Turn, doubt: Doubt) -> None:
    dispatch = turn.state.dispatch
    if dispatch is None or dispatch.id != doubt.dispatch_id or dispatch.in_doubt:
        return
    turn.emit("system", DispatchInDoubt(dispatch_id=dispatch.id, reason=doubt.reason))
    ask_stop(turn, "system", "Quarterdeck", f"doubt-{dispatch.id}", doubt.reason)
