"""Who commands: taking the conn, asking for it, handing it over or keeping it, and what happens when its
holder is lost."""

from __future__ import annotations

from backend.domain.command.conn import CONN_LEASE_S, Conn, held_at
from backend.domain.command.intents import (
    COMMANDING,
    AskConn,
    GiveUpConn,
    HandOverConn,
    Intent,
    KeepConn,
    RenewConn,
    TakeConn,
)
from backend.domain.decide.conn_guards import refuse_operator_loss, refuse_takeover
from backend.domain.decide.settling import operator
from backend.domain.decide.stopping import ask_stop
from backend.domain.decide.turn import Inputs, Turn
from backend.domain.episode.events import ConnAsked, ConnGivenUp, ConnKept, ConnLapsed, ConnRenewed, ConnTaken
from backend.domain.episode.state import State
from backend.domain.refusal import Refusal

RENEWED_EVERY_S = 1.0


def take_conn(turn: Turn, intent: Intent, action: TakeConn) -> Refusal | None:
    now_s, conn = turn.inputs.now_s, turn.state.conn
    refusal = _viewer(intent) or refuse_takeover(conn, intent, action.over, now_s)
    if refusal is not None:
        return refusal
    held = held_at(conn, now_s)
    if held is not None and held.holder == intent.actor:
        _renew(turn, intent)
        return None
    how = "" if held is None else "by an admin" if intent.role == "admin" else "no answer came"
    _give(turn, operator(intent), intent.actor, held, how)
    return None


def ask_conn(turn: Turn, intent: Intent, action: AskConn) -> Refusal | None:
    refusal = _viewer(intent)
    if refusal is not None:
        return refusal
    now_s = turn.inputs.now_s
    held = held_at(turn.state.conn, now_s)
    if held is None:
        return Refusal("conn_free", "Nobody has the conn.", "Take it.")
    if held.holder == intent.actor:
        return Refusal("conn_yours", "You have the conn already.")
    asked = held.asked
    if asked is not None and asked.counts(now_s):
        if asked.by == intent.actor:
            return Refusal("conn_asked", f"{held.holder} knows that you want it.", "Wait for the answer.")
        return Refusal("conn_asked", f"{asked.by} has asked for it already.", "Wait for what comes of that.")
    turn.emit(
        operator(intent), ConnAsked(by=intent.actor, of=held.holder, asked_s=now_s, reason=action.reason)
    )
    return None


def hand_over_conn(turn: Turn, intent: Intent, action: HandOverConn) -> Refusal | None:
    held = _asked_of(turn, intent, action.to)
    if isinstance(held, Refusal):
        return held
    _give(turn, operator(intent), action.to, held, "handed over")
    return None


def keep_conn(turn: Turn, intent: Intent, action: KeepConn) -> Refusal | None:
    held = _asked_of(turn, intent, action.asked_by)
    if isinstance(held, Refusal):
        return held
    turn.emit(operator(intent), ConnKept(holder=intent.actor, asked_by=action.asked_by, reason=action.reason))
    return None


def renew_conn(turn: Turn, intent: Intent, action: RenewConn) -> Refusal | None:
    held = held_at(turn.state.conn, turn.inputs.now_s)
    if held is None or held.holder != intent.actor:
        return _not_yours(intent)
    _renew(turn, intent)
    return None


def give_up_conn(turn: Turn, intent: Intent, action: GiveUpConn) -> Refusal | None:
    conn = turn.state.conn
    if conn is None or conn.holder != intent.actor:
        return _not_yours(intent)
    turn.emit(operator(intent), ConnGivenUp(holder=intent.actor, reason="given up"))
    return None


def is_operator_due(state: State, inputs: Inputs) -> bool:
    """Whether `watch_operator` has something to do."""
    return bool(state.hold_owed) or (state.conn is not None and not state.conn.lasts(inputs.now_s))


def watch_operator(turn: Turn) -> None:
    """A conn that ran out is nobody's from now on, and the mission's rule says whether the robot goes on."""
    state = turn.state
    conn = state.conn
    if conn is not None and not conn.lasts(turn.inputs.now_s):
        turn.emit("system", ConnLapsed(holder=conn.holder, then=state.mission.on_operator_loss))
    refusal = refuse_operator_loss(turn.state)
    if refusal is not None:
        stop_id = f"loss-{state.episode}-{turn.state.seq}"
        ask_stop(turn, "system", "Quarterdeck", stop_id, refusal.message)


def _asked_of(turn: Turn, intent: Intent, asked_by: str) -> Conn | Refusal:
    """The conn, where `intent` answers the request for it that its holder was shown."""
    held = held_at(turn.state.conn, turn.inputs.now_s)
    if held is None or held.holder != intent.actor:
        return _not_yours(intent)
    asked = held.asked
    if asked is None or asked.by != asked_by or not asked.counts(turn.inputs.now_s):
        return Refusal(
            "conn_not_asked", f"{asked_by} does not ask for the conn now.", "Look at the page again."
        )
    return held


def _viewer(intent: Intent) -> Refusal | None:
    if intent.role in COMMANDING:
        return None
    return Refusal("role", f"{intent.actor} may watch and hold, not command.", "Ask an operator.")


def _not_yours(intent: Intent) -> Refusal:
    return Refusal("conn", f"{intent.actor} does not have the conn.", "Take the conn first.")


def _renew(turn: Turn, intent: Intent) -> None:
    """Once a second is enough, however often a page or script asks."""
    expires_s = turn.inputs.now_s + CONN_LEASE_S
    conn = turn.state.conn
    if conn is not None and expires_s - conn.expires_s < RENEWED_EVERY_S:
        return
    turn.emit(operator(intent), ConnRenewed(holder=intent.actor, expires_s=expires_s))


def _give(turn: Turn, actor: str, to: str, held: Conn | None, how: str) -> None:
    over = None if held is None else held.holder
    expires_s = turn.inputs.now_s + CONN_LEASE_S
    turn.emit(actor, ConnTaken(holder=to, over=over, expires_s=expires_s, how=how))
