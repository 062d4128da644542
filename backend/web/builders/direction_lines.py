"""Lines of the audit for what people made of a plan, of the policy and of the planner's instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from backend.domain.command.policy import Policy, RiskRules
from backend.domain.episode import events as e
from backend.web.builders.line import Line, mark
from backend.web.pages import figures


def _edited(event: e.ApprovalEdited) -> Line:
    number = event.approval_id.rpartition("-a")[2]
    return Line(
        verdict=mark("ok", "Edited"),
        subject=f"approval {number}" if number.isdecimal() else event.approval_id,
        change=f"pending → edited, {figures.digest(event.plan_digest)}",
        reason="Their own plan is asked about next",
        actor=event.by,
    )


def _policy(event: e.PolicyChanged) -> Line:
    return Line(
        verdict=mark("ok", "Policy changed"),
        subject="who is asked",
        change="; ".join(changes(event.old, event.new)),
        actor=event.by,
    )


def changes(old: Policy, new: Policy) -> Iterator[str]:
    """Field by field, the old value and the new one."""
    if old.mode != new.mode:
        yield f"{old.mode.replace('_', ' ')} → {new.mode.replace('_', ' ')}"
    for field in msgspec.structs.fields(RiskRules):
        before, after = getattr(old.risk, field.name), getattr(new.risk, field.name)
        if before != after:
            yield f"{field.name.replace('_', ' ')} {_shown(before)} → {_shown(after)}"


def _shown(value: object) -> str:
    if value is None or value == ():
        return "off"
    if isinstance(value, bool):
        return "on" if value else "off"
    return (
        ", ".join(value)
        if isinstance(value, tuple)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


def _instructed(event: e.InstructionsChanged) -> Line:
    return Line(
        verdict=mark("ok", "Instructed"),
        subject="standing instructions",
        change="" if event.text else "taken back",
        reason=event.text,
        actor=event.by,
    )


DIRECTION_LINES: Mapping[type, Callable[[Any], Line]] = {
    e.ApprovalEdited: _edited,
    e.PolicyChanged: _policy,
    e.InstructionsChanged: _instructed,
}
