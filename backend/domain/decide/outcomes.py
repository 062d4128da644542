"""Measured outcomes: written before anything further is decided; they alone advance a task's status."""

from __future__ import annotations

from msgspec.structs import replace

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
from backend.domain.memory.record import ACTIVE, EntityRecord, Field, FieldChange, Source, Status
from backend.domain.plans.skills import meaning_of
from backend.domain.plans.validity import Cause


def take_outcomes(turn: Turn) -> None:
    for outcome in turn.inputs.outcomes:
        dispatch = turn.state.dispatch
        if dispatch is not None and dispatch.id == outcome.dispatch_id:
            _ended(turn, dispatch, as_measured(dispatch, outcome))
    for doubt in turn.inputs.doubts:
        _doubt(turn, doubt)


def as_measured(dispatch: Dispatch, outcome: Outcome) -> Outcome:
    """A success that the measurement contradicts is a failure: a grasp must hold, a delivery have let go."""
    if outcome.result is not Result.SUCCEEDED:
        return outcome
    must, held = meaning_of(dispatch.step.skill).gripper, outcome.measured.held
    if must == "entity" and held != _entity_of(dispatch):
        message = f"Reported as done, but the gripper holds {held or 'nothing'}"
    elif must == "nothing" and held is not None:
        message = f"Reported as done, but the gripper still holds {held}"
    else:
        return outcome
    return replace(outcome, result=Result.FAILED, reason="not_as_measured", message=message)


def _ended(turn: Turn, dispatch: Dispatch, outcome: Outcome) -> None:
    dropped = _dropped(turn, dispatch, outcome)
    changes = dropped or field_changes(turn, dispatch, outcome)
    predicted = outcome.result is Result.SUCCEEDED and not dropped
    turn.emit("robot", StepEnded(outcome=outcome, changes=changes, predicted=predicted))
    if outcome.frames is not None:
        turn.emit("robot", FramesRecorded(dispatch_id=dispatch.id, watched=outcome.frames))
    if outcome.result is Result.SUCCEEDED:
        _complete_plan(turn)
    else:
        _fell_short(turn, dispatch, outcome)


def field_changes(turn: Turn, dispatch: Dispatch, outcome: Outcome) -> tuple[FieldChange, ...]:
    """What the outcome verifies about the step's entity: grasped, delivered (and so at its station), lost
    where it was looked for and absent, else to be reconsidered."""
    record = turn.state.memory.records.get(_entity_of(dispatch) or "")
    if record is None:
        return ()
    status = _verified_status(record, dispatch.step.skill, outcome)
    if status is None or status is record.status:
        return ()
    changes = (FieldChange(record.id, Field.STATUS, record.status.value, status.value),)
    if status is Status.DELIVERED and dispatch.goal is not None:
        return (*changes, FieldChange(record.id, Field.POSE, record.pose, dispatch.goal))
    return changes


def _entity_of(dispatch: Dispatch) -> str | None:
    return meaning_of(dispatch.step.skill).entity_of(dispatch.step)


def _verified_status(record: EntityRecord, skill: str, outcome: Outcome) -> Status | None:
    if outcome.result is Result.SUCCEEDED:
        return meaning_of(skill).leaves
    if outcome.result is Result.FAILED and record.status in ACTIVE:
        return Status.LOST if outcome.reason == "absent" else Status.RECONSIDER
    if _is_unknown_to_the_robot(record, outcome):
        return Status.LOST
    return None


def _is_unknown_to_the_robot(record: EntityRecord, outcome: Outcome) -> bool:
    """A person added it under a name that the robot has none of: asking again would be refused for ever."""
    refused = outcome.result is Result.NOT_EXECUTED and outcome.reason == "unknown_name"
    return refused and record.source is Source.OPERATOR and record.status in ACTIVE


def _dropped(turn: Turn, dispatch: Dispatch, outcome: Outcome) -> tuple[FieldChange, ...]:
    """What was held and is measured not to be, though nothing delivered it, lies somewhere near the robot."""
    if turn.state.robot.held is None:
        return ()
    record = turn.state.memory.records.get(turn.state.robot.held)
    let_go = meaning_of(dispatch.step.skill).leaves is Status.DELIVERED and outcome.result is Result.SUCCEEDED
    if record is None or record.status is not Status.GRASPED or let_go:
        return ()
    if outcome.measured.held == record.id:
        return ()
    changes = (FieldChange(record.id, Field.STATUS, record.status.value, Status.RECONSIDER.value),)
    here = outcome.measured.pose
    return changes if here is None else (*changes, FieldChange(record.id, Field.POSE, record.pose, here))


def _complete_plan(turn: Turn) -> None:
    plan = turn.state.plan
    if plan is not None and turn.state.cursor >= len(plan.steps):
        turn.emit("system", PlanCompleted(number=plan.number))


def _fell_short(turn: Turn, dispatch: Dispatch, outcome: Outcome) -> None:
    """Anything but success uses up the approval and ends the plan;
    only a hold leaves it, to be asked for anew."""
    approval = turn.state.approval
    if approval is not None and approval.status is ApprovalStatus.APPROVED:
        reason = f"Step {dispatch.index + 1} ended {outcome.result.value}"
        turn.emit("system", ApprovalConsumed(approval_id=approval.id, reason=reason))
    if turn.state.plan is not None and not _is_held_back(outcome):
        what = _FELL_SHORT[outcome.result]
        message = f"{dispatch.step.skill} {what}: {outcome.message or outcome.reason}"
        cause = Cause(kind="failed", message=message, entity=_entity_of(dispatch))
        turn.emit("system", PlanInvalidated(number=turn.state.plan.number, cause=cause))


_FELL_SHORT = {
    Result.FAILED: "failed",
    Result.CANCELLED: "was cancelled by the robot",
    Result.NOT_EXECUTED: "was not executed",
}


def _is_held_back(outcome: Outcome) -> bool:
    """Stopped, or refused by a bridge that a hold had reached before the step did."""
    refused = outcome.result is Result.NOT_EXECUTED and outcome.reason in ("latched", "held")
    return refused or outcome.result is Result.STOPPED


def _doubt(turn: Turn, doubt: Doubt) -> None:
    dispatch = turn.state.dispatch
    if dispatch is None or dispatch.id != doubt.dispatch_id or dispatch.in_doubt:
        return
    turn.emit("system", DispatchInDoubt(dispatch_id=dispatch.id, reason=doubt.reason))
    ask_stop(turn, "system", "Quarterdeck", f"doubt-{dispatch.id}", doubt.reason)
