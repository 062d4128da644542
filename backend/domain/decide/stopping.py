"""Holds, aborts and denies: taken before everything else, from anyone who may, however late."""

from __future__ import annotations

from backend.domain.command.approval import OPEN
from backend.domain.command.hold import Stop
from backend.domain.command.intents import Abort, Hold, Intent, Reject
from backend.domain.decide.ending import end
from backend.domain.decide.guards import refuse_without_conn
from backend.domain.decide.settling import applied, operator, refuse, take_free_conn
from backend.domain.decide.turn import StandstillReport, Turn
from backend.domain.episode.events import (
    ApprovalConsumed,
    ApprovalRejected,
    GuidanceGiven,
    PlanInvalidated,
    StopAsked,
    StopConfirmed,
    StopUnconfirmed,
)
from backend.domain.plans.validity import Cause
from backend.domain.refusal import Refusal

CONFIRM_WITHIN_S = 1.0
"""A stop without measured standstill after this long is an alarm."""


def take_stops(turn: Turn) -> None:
    for intent in turn.inputs.intents:
        if isinstance(intent.action, Hold):
            _hold(turn, intent, intent.action)
        elif isinstance(intent.action, Abort):
            _abort(turn, intent, intent.action)
        elif isinstance(intent.action, Reject):
            _reject(turn, intent, intent.action)


def watch_stops(turn: Turn) -> None:
    """Confirm what the bridge measured, and raise the alarm for what it did not."""
    for report in turn.inputs.standstills:
        _standstill(turn, report)
    for stop in turn.state.stops:
        waited_s = turn.inputs.stop_waits_s.get(stop.id, 0.0)
        if not stop.confirmed and not stop.unconfirmed_alarm and waited_s > CONFIRM_WITHIN_S:
            turn.emit("system", StopUnconfirmed(stop_id=stop.id, waited_s=round(waited_s, 1)))


def ask_stop(turn: Turn, actor: str, by: str, stop_id: str, reason: str, *, abort: bool = False) -> None:
    """Record a stop once, and take back the approval under which the robot may have been moving.

    A stop goes to the bridge directly too, and may come back from there before its intent is read:
    the intent's words still count, and that of an abort still turns that stop into one.
    """
    if any(stop.id == stop_id and _says_all(stop, reason, abort) for stop in turn.state.stops):
        return
    turn.emit(actor, StopAsked(stop_id=stop_id, by=by, reason=reason, abort=abort))
    approval = turn.state.approval
    if approval is not None and approval.status in OPEN:
        turn.emit(
            "system", ApprovalConsumed(approval_id=approval.id, reason="A hold takes back the approval")
        )


def _says_all(stop: Stop, reason: str, abort: bool) -> bool:
    return (stop.abort or not abort) and reason in ("", stop.reason)


def _hold(turn: Turn, intent: Intent, action: Hold) -> None:
    if turn.state.ending is None:
        ask_stop(turn, operator(intent), intent.actor, action.stop_id, action.reason)
        applied(turn, intent)
    else:
        refuse(turn, intent, Refusal("ended", "The episode has ended; nothing of it moves."))


def _abort(turn: Turn, intent: Intent, action: Abort) -> None:
    refusal = refuse_without_conn(turn.state, intent, turn.inputs.now_s) or _refuse_ended(turn)
    if refusal is not None:
        refuse(turn, intent, refusal)
        return
    take_free_conn(turn, intent)
    reason = action.reason or "Aborted"
    if turn.state.mission.shadow and not turn.state.stops:
        end(turn, "aborted", f"Aborted by {intent.actor}: {reason}")  # the robot is its drivers'
    else:
        ask_stop(turn, operator(intent), intent.actor, action.stop_id, reason, abort=True)
    applied(turn, intent)


def _reject(turn: Turn, intent: Intent, action: Reject) -> None:
    """Deny wins even late: a plan already approved is stopped where it stands."""
    approval = turn.state.approval
    refusal = refuse_without_conn(turn.state, intent, turn.inputs.now_s) or _refuse_ended(turn)
    if refusal is None and (approval is None or approval.id != action.approval_id):
        refusal = Refusal("gone", "That approval is no longer the one that waits.", "Look at the card again.")
    dispatch = turn.state.dispatch
    runs = dispatch is not None and dispatch.approval_id == action.approval_id
    if refusal is None and approval is not None and approval.status not in OPEN and not runs:
        refusal = Refusal("decided", f"Already {approval.status.value}. Nothing runs under it.")
    if refusal is not None or approval is None:
        refuse(turn, intent, refusal or Refusal("gone", "Nothing waits for approval."))
        return
    take_free_conn(turn, intent)
    actor = operator(intent)
    turn.emit(actor, ApprovalRejected(approval_id=approval.id, by=intent.actor, reason=action.reason))
    if action.reason:
        turn.emit(actor, GuidanceGiven(by=intent.actor, text=action.reason))
    if runs:
        ask_stop(turn, actor, intent.actor, action.stop_id, f"Denied late: {action.reason}")
    if turn.state.plan is not None:
        why = action.reason or "no reason given"
        message = f"Plan {turn.state.plan.number} was rejected by {intent.actor}: {why}"
        cause = Cause(kind="rejected", message=message)
        turn.emit(actor, PlanInvalidated(number=turn.state.plan.number, cause=cause))
    applied(turn, intent)


def _refuse_ended(turn: Turn) -> Refusal | None:
    return None if turn.state.ending is None else Refusal("ended", "The episode has ended.")


def _standstill(turn: Turn, report: StandstillReport) -> None:
    stop = next((stop for stop in turn.state.stops if stop.id == report.stop_id), None)
    if stop is not None and not stop.confirmed:
        turn.emit("robot", StopConfirmed(stop_id=report.stop_id, pose=report.pose))


def take_bridge_stops(turn: Turn) -> None:
    """Stops that the bridge made by itself (its watchdog, a restart)
    or was asked for directly are latched here too."""
    known = {stop.id for stop in turn.state.stops}
    for report in turn.inputs.standstills:
        if report.stop_id not in known and report.by:
            ask_stop(turn, "robot", report.by, report.stop_id, report.by)
