"""The fold's steps about who commands."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backend.domain.command.conn import Conn, ConnRequest
from backend.domain.episode import events as e
from backend.domain.episode.state import State


def conn_taken(state: State, event: e.ConnTaken, recorded: e.Recorded) -> dict[str, Any]:
    conn = Conn(holder=event.holder, since_seq=recorded.seq, expires_s=event.expires_s)
    return {"conn": conn, "hold_owed": ""}


def conn_renewed(state: State, event: e.ConnRenewed, recorded: e.Recorded) -> dict[str, Any]:
    return {"conn": replace(state.conn, expires_s=event.expires_s)} if state.conn is not None else {}


def conn_given_up(state: State, event: e.ConnGivenUp, recorded: e.Recorded) -> dict[str, Any]:
    return {"conn": None}


def conn_asked(state: State, event: e.ConnAsked, recorded: e.Recorded) -> dict[str, Any]:
    if state.conn is None:
        return {}
    request = ConnRequest(by=event.by, seq=recorded.seq, asked_s=event.asked_s, reason=event.reason)
    return {"conn": replace(state.conn, asked=request)}


def conn_kept(state: State, event: e.ConnKept, recorded: e.Recorded) -> dict[str, Any]:
    if state.conn is None or state.conn.asked is None:
        return {}
    asked = replace(state.conn.asked, kept=True, reason=event.reason)
    return {"conn": replace(state.conn, asked=asked)}


def conn_lapsed(state: State, event: e.ConnLapsed, recorded: e.Recorded) -> dict[str, Any]:
    """What is owed is said by the event: another rule in force today cannot change what happened then."""
    return {"conn": None, "hold_owed": "" if event.then == "go_on" else event.holder}
