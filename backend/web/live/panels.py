"""Which panels of the console an event changes: each kind once, so that none is forgotten and nothing else
is fetched."""

from __future__ import annotations

from collections.abc import Mapping

from backend.web.pages.live import PanelName

EVERY: tuple[PanelName, ...] = (
    "bar", "map", "plan", "table", "demonstration",
    "memory", "context", "exchange", "frames", "log", "audit", "timeline",
)  # fmt: skip
_ALWAYS: tuple[PanelName, ...] = ("audit", "timeline")
"""Both count events, and the timeline stands at the newest."""

_OF: Mapping[str, tuple[PanelName, ...]] = {
    "evidence.judged": ("map", "plan", "memory"),
    "station.assigned": ("map", "plan"),
    "plan.requested": ("bar", "plan", "context", "exchange"),
    "plan.proposed": ("bar", "map", "plan", "table", "memory", "exchange"),
    "plan.refused": ("bar", "plan", "exchange"),
    "plan.invalidated": ("bar", "map", "plan", "memory"),
    "plan.completed": ("bar", "map", "plan", "memory"),
    "planning.wanted": ("bar", "plan"),
    "exchange.recorded": ("exchange",),
    "note.written": ("log",),
    "approval.requested": ("bar", "map", "plan"),
    "approval.granted": ("bar", "map", "plan"),
    "approval.rejected": ("bar", "map", "plan"),
    "approval.edited": ("bar", "map", "plan"),
    "approval.superseded": ("bar", "map", "plan"),
    "approval.expired": ("bar", "map", "plan"),
    "approval.consumed": ("bar", "map", "plan"),
    "step.dispatched": ("bar", "map", "plan", "table"),
    "step.ended": ("bar", "map", "plan", "table", "memory", "log"),
    "step.cancel_asked": ("bar", "plan"),
    "dispatch.in_doubt": ("bar", "map", "plan"),
    "frames.recorded": ("table", "frames"),
    "stop.asked": ("bar", "map", "plan"),
    "stop.confirmed": ("bar", "map", "plan"),
    "stop.unconfirmed": ("bar", "plan"),
    "stop.released": ("bar", "map", "plan"),
    "robot.observed": ("map",),
    "site.mapped": ("map",),
    "conn.taken": ("bar", "plan"),
    "conn.renewed": (),
    "conn.given_up": ("bar", "plan"),
    "conn.asked": ("bar",),
    "conn.kept": ("bar",),
    "conn.lapsed": ("bar", "plan"),
    "guidance.given": (),
    "instructions.changed": ("plan",),
    "policy.changed": ("bar", "plan"),
    "intent.refused": (),
    "record.corrected": ("bar", "map", "plan", "memory"),
    "record.disputed": ("map", "memory"),
    "record.settled": ("map", "memory"),
    "demonstration.recorded": ("demonstration", "log"),
    "demonstration.shown": ("bar", "plan", "demonstration", "context", "exchange"),
    "demonstration.answered": ("bar", "plan", "demonstration", "exchange"),
    "demonstration.refused": ("bar", "plan", "demonstration", "exchange"),
    "runner.started": ("bar",),
}


def panels_of(kind: str) -> tuple[PanelName, ...]:
    """Panels to fetch again; all of them for what opens or ends an episode, or for a kind that we do not
    know."""
    panels = _OF.get(kind)
    return EVERY if panels is None else (*panels, *_ALWAYS)
