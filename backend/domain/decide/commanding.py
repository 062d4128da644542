"""All other intents: one case each.
Whoever commands must have the conn, and a click counts for what its page showed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.hold import to_be_released
from backend.domain.command.intents import (
    STOPPING,
    Approve,
    AskAgain,
    AskConn,
    Attempted,
    Correct,
    Edit,
    GiveUpConn,
    Guide,
    HandOverConn,
    Instruct,
    Intent,
    KeepConn,
    Propose,
    Release,
    RenewConn,
    Resolve,
    SetPolicy,
    TakeConn,
)
from backend.domain.decide.composing import edit, propose
from backend.domain.decide.conning import (
    ask_conn,
    give_up_conn,
    hand_over_conn,
    keep_conn,
    renew_conn,
    take_conn,
)
from backend.domain.decide.correcting import correct
from backend.domain.decide.directing import instruct, set_policy
from backend.domain.decide.guards import (
    refuse_expired,
    refuse_overdue,
    refuse_release_under_way,
    refuse_stale_approve,
    refuse_while_held,
    refuse_without_conn,
)
from backend.domain.decide.settling import applied, operator, refuse, take_free_conn
from backend.domain.decide.turn import Turn
from backend.domain.decide.validity import plan_anew
from backend.domain.episode.events import ApprovalGranted, GuidanceGiven, StepEnded, StopReleased
from backend.domain.execution.outcome import Measured, Outcome, Result
from backend.domain.plans.validity import Cause
from backend.domain.refusal import Refusal


def take_commands(turn: Turn) -> None:
    for intent in turn.inputs.intents:
        if not isinstance(intent.action, STOPPING):
            _take(turn, intent)
        elif turn.state.ending is not None and not _is_settled(turn, intent):
            refuse(turn, intent, Refusal("ended", "The episode has ended; nothing of it moves."))


def _is_settled(turn: Turn, intent: Intent) -> bool:
    return any(settlement.intent_id == intent.id for settlement in turn.settled)


def _take(turn: Turn, intent: Intent) -> None:
    action = intent.action
    if isinstance(action, Attempted):
        refuse(turn, intent, Refusal(action.code, action.message, action.remedy))
        return
    refusal = refuse_overdue(intent, turn.inputs.now_s)
    if refusal is None and turn.state.ending is not None:
        refusal = Refusal("ended", "The episode has ended; nothing of it can be changed.")
    if refusal is None:
        refusal = _CASES[type(intent.action)](turn, intent, intent.action)
    if refusal is None:
        applied(turn, intent)
    else:
        refuse(turn, intent, refusal)


def _approve(turn: Turn, intent: Intent, action: Approve) -> Refusal | None:
    state = turn.state
    refusal = (
        refuse_without_conn(state, intent, turn.inputs.now_s)
        or refuse_stale_approve(state, action)
        or refuse_while_held(state)
    )
    if refusal is None and state.approval is not None:
        refusal = refuse_expired(state.approval, turn.inputs.now_s)
    if refusal is not None:
        return refusal
    take_free_conn(turn, intent)
    turn.emit(operator(intent), ApprovalGranted(approval_id=action.approval_id, by=intent.actor))
    return None


def _release(turn: Turn, intent: Intent, action: Release) -> Refusal | None:
    """The plan that is left is asked for anew: releasing is not approving."""
    refusal = refuse_without_conn(turn.state, intent, turn.inputs.now_s)
    if refusal is not None:
        return refusal
    latched = set(to_be_released(turn.state.stops))
    if not latched:
        return Refusal("not_held", "Nothing is held.", "Look at the page again.")
    if set(action.stop_ids) != latched:
        return Refusal(
            "other_stop", "Another hold came since.", "Look at the page again and release what it shows."
        )
    refusal = refuse_release_under_way(turn.state)
    if refusal is not None:
        return refusal
    take_free_conn(turn, intent)
    turn.emit(operator(intent), StopReleased(stop_ids=action.stop_ids, by=intent.actor))
    return None


def _ask_again(turn: Turn, intent: Intent, action: AskAgain) -> Refusal | None:
    state = turn.state
    refusal = refuse_without_conn(state, intent, turn.inputs.now_s)
    if refusal is not None:
        return refusal
    if state.dispatch is not None and state.dispatch.in_doubt:
        return Refusal("in_doubt", "The last step is in doubt.", "Say what happened to it first.")
    expired = state.approval is not None and state.approval.status is ApprovalStatus.EXPIRED
    if not state.asks_person and not (expired and state.plan is not None):
        return Refusal("nothing_asked", "The episode goes on by itself; nothing waits for this.")
    take_free_conn(turn, intent)
    plan_anew(turn, operator(intent), Cause(kind="asked", message=f"{intent.actor} asked again"))
    return None


def _guide(turn: Turn, intent: Intent, action: Guide) -> Refusal | None:
    refusal = refuse_without_conn(turn.state, intent, turn.inputs.now_s)
    if refusal is None and not action.text.strip():
        refusal = Refusal("empty", "The guidance is empty.", "Write what the planner should know.")
    if refusal is None:
        take_free_conn(turn, intent)
        turn.emit(operator(intent), GuidanceGiven(by=intent.actor, text=action.text))
    return refusal


def _resolve(turn: Turn, intent: Intent, action: Resolve) -> Refusal | None:
    """A person's account ends a dispatch in doubt.
    It plans from the measured state and is never sent again."""
    dispatch = turn.state.dispatch
    refusal = refuse_without_conn(turn.state, intent, turn.inputs.now_s)
    if refusal is not None:
        return refusal
    if dispatch is None or not dispatch.in_doubt or dispatch.id != action.dispatch_id:
        return Refusal("not_in_doubt", "That step is not in doubt.", "Look at the page again.")
    take_free_conn(turn, intent)
    outcome = Outcome(
        dispatch_id=dispatch.id,
        skill=dispatch.step.skill,
        result=Result.FAILED if action.executed else Result.NOT_EXECUTED,
        reason="told_by_operator",
        message=action.account,
        started_s=dispatch.met_s,
        ended_s=turn.inputs.met_s,
        measured=Measured(pose=turn.state.robot.pose, held=turn.state.robot.held),
    )
    turn.emit(operator(intent), StepEnded(outcome=outcome, predicted=False))
    told = f"Step in doubt, told by {intent.actor}: {action.account}"
    plan_anew(turn, operator(intent), Cause(kind="failed", message=told))
    return None


_CASES: dict[type, Callable[[Turn, Intent, Any], Refusal | None]] = {
    Approve: _approve,
    Release: _release,
    Propose: propose,
    Edit: edit,
    SetPolicy: set_policy,
    Instruct: instruct,
    AskAgain: _ask_again,
    Guide: _guide,
    Correct: correct,
    TakeConn: take_conn,
    AskConn: ask_conn,
    HandOverConn: hand_over_conn,
    KeepConn: keep_conn,
    RenewConn: renew_conn,
    GiveUpConn: give_up_conn,
    Resolve: _resolve,
}
