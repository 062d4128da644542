"""The audit's lines about who commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backend.domain.episode import events as e
from backend.web.builders.line import Line, mark

THEN = {
    "go_on": "the robot goes on under its policy",
    "finish_skill_and_hold": "the robot finishes its skill and is held",
    "hold_now": "the robot is held now",
}
"""What a mission says of the loss of its operator, as a person reads it."""


def _taken(event: e.ConnTaken) -> Line:
    change = f"{event.over} → {event.holder}" if event.over else f"→ {event.holder}"
    handed = event.how == "handed over"
    what = "Handed over the conn" if handed else "Took the conn"
    return Line(verdict=mark("ok", what), subject="conn", change=change, reason="" if handed else event.how)


def _given_up(event: e.ConnGivenUp) -> Line:
    return Line(
        verdict=mark("ok", "Gave up the conn"), subject="conn", change=event.holder, reason=event.reason
    )


def _asked(event: e.ConnAsked) -> Line:
    return Line(
        verdict=mark("ask", "Asked for the conn"),
        subject="conn",
        change=f"of {event.of}",
        reason=event.reason,
    )


def _kept(event: e.ConnKept) -> Line:
    return Line(
        verdict=mark("reject", "Kept the conn"),
        subject="conn",
        change=f"asked by {event.asked_by}",
        reason=event.reason,
    )


def _lapsed(event: e.ConnLapsed) -> Line:
    reason = f"the page fell silent; {THEN.get(event.then, event.then)}"
    return Line(
        verdict=mark("stale", "Lost the conn", "caution"), subject="conn", change=event.holder, reason=reason
    )


CONN_LINES: Mapping[type, Callable[[Any], Line]] = {
    e.ConnTaken: _taken,
    e.ConnGivenUp: _given_up,
    e.ConnAsked: _asked,
    e.ConnKept: _kept,
    e.ConnLapsed: _lapsed,
}
