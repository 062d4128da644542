"""The safety rules about who commands, one a function: a refusal, or None. docs/safety.md numbers them."""

from __future__ import annotations

from backend.domain.command.conn import Conn, held_at
from backend.domain.command.intents import Intent
from backend.domain.episode.state import State
from backend.domain.refusal import Refusal


def refuse_takeover(conn: Conn | None, intent: Intent, over: str | None, now_s: float) -> Refusal | None:
    """Nobody's conn is taken unasked: the holder answers, or lets the grace period pass, or an admin
    decides."""
    held = held_at(conn, now_s)
    if held is None or held.holder == intent.actor:
        return None
    if over != held.holder:
        return Refusal("conn", f"{held.holder} has the conn.", f"Ask {held.holder} for it.")
    if intent.role == "admin":
        return None
    asked = held.asked
    if asked is None or asked.by != intent.actor or not (asked.kept or asked.counts(now_s)):
        return Refusal("conn_unasked", f"{held.holder} has the conn.", f"Ask {held.holder} for it first.")
    if asked.kept:
        reason = f": {asked.reason}" if asked.reason else ""
        return Refusal("conn_kept", f"{held.holder} keeps the conn{reason}.", "Ask again, or ask an admin.")
    left_s = asked.left_s(now_s)
    if left_s > 0:
        return Refusal(
            "conn_waits",
            f"{held.holder} has {left_s:.0f} s left to answer.",
            "Take it over then, if no answer comes.",
        )
    return None


def refuse_operator_loss(state: State) -> Refusal | None:
    """A mission that is to hold without its operator goes no further than its rule allows."""
    if not state.hold_owed or state.stops or state.ending is not None:
        return None
    if state.mission.on_operator_loss == "finish_skill_and_hold" and state.dispatch is not None:
        return None
    return Refusal(
        "operator_lost",
        f"Nobody commands: the page of {state.hold_owed} fell silent",
        "Take the conn, look, and release the hold.",
    )
