"""Every intent gets an answer: applied, or refused with the reason kept in the journal."""

from __future__ import annotations

from backend.domain.command.conn import CONN_LEASE_S, held_at
from backend.domain.command.intents import Attempted, Intent, Settlement, kind_of
from backend.domain.decide.turn import Turn
from backend.domain.episode.events import ConnTaken, IntentRefused
from backend.domain.refusal import Refusal


def operator(intent: Intent) -> str:
    return f"operator:{intent.actor}"


def applied(turn: Turn, intent: Intent) -> None:
    turn.settle(Settlement(intent_id=intent.id, applied=True))


def refuse(turn: Turn, intent: Intent, refusal: Refusal) -> None:
    action = intent.action
    what = action.what if isinstance(action, Attempted) else kind_of(action)
    turn.emit(
        operator(intent),
        IntentRefused(
            intent_id=intent.id,
            by=intent.actor,
            action=what,
            code=refusal.code,
            message=refusal.message,
            remedy=refusal.remedy,
        ),
    )
    turn.settle(
        Settlement(
            intent_id=intent.id,
            applied=False,
            code=refusal.code,
            message=refusal.message,
            remedy=refusal.remedy,
        )
    )


def take_free_conn(turn: Turn, intent: Intent) -> None:
    """An operator's command takes a conn that nobody has; it never takes one that somebody has."""
    now_s = turn.inputs.now_s
    held = held_at(turn.state.conn, now_s)
    if held is not None and held.holder == intent.actor:
        return
    turn.emit(operator(intent), ConnTaken(holder=intent.actor, over=None, expires_s=now_s + CONN_LEASE_S))
