"""From a piece of evidence, an outcome or a correction forward to what it changed: records, plans, steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from backend.domain.episode import events as e
from backend.domain.lineage.pages import Pages, following
from backend.domain.memory.record import Field, FieldChange

Replaced = Callable[[str, Field, int], int | None]
"""(entity, field, version): the event that gave the field its next value; None while it has this one."""

DROPPED = ("plan.invalidated", "approval.superseded", "step.cancel_asked", "planning.wanted")
MOST_PLANS = 200
"""Plans that are looked through for those which rested on it."""


class Relied(Struct, frozen=True, kw_only=True):
    """A plan that rested on the change, and each of its steps that went while it did, with how it ended."""

    plan: e.Recorded
    steps: tuple[tuple[e.Recorded, e.Recorded | None], ...] = ()


class Effect(Struct, frozen=True, kw_only=True):
    """One change: `until` the event that replaced it, the plans that rested on it in between."""

    change: FieldChange
    until: int | None
    relied: tuple[Relied, ...] = ()


class Effects(Struct, frozen=True, kw_only=True):
    """What event `subject` set off. `dropped`: the plan, approval and step that ended by it at once."""

    subject: e.Recorded
    changes: tuple[Effect, ...] = ()
    dropped: tuple[e.Recorded, ...] = ()
    next_plan: e.Recorded | None = None


def effects(pages: Pages, seq: int, replaced: Replaced) -> Effects:
    subject = pages.one(seq)
    changes = changes_of(subject.event)
    dropped = _dropped(pages, subject, {change.entity for change in changes})
    return Effects(
        subject=subject,
        changes=tuple(_effect(pages, subject, change, replaced) for change in changes),
        dropped=dropped,
        next_plan=following(pages, "plan.proposed", seq) if dropped else None,
    )


def changes_of(event: e.Event) -> tuple[FieldChange, ...]:
    if isinstance(event, e.EvidenceJudged | e.StepEnded | e.RecordCorrected):
        return event.changes
    return ()


def _effect(pages: Pages, subject: e.Recorded, change: FieldChange, replaced: Replaced) -> Effect:
    until = replaced(change.entity, change.field, subject.seq)
    return Effect(
        change=change, until=until, relied=tuple(_relied(pages, subject.seq, change, until or pages.head))
    )


def _relied(pages: Pages, seq: int, change: FieldChange, until: int) -> list[Relied]:
    found = []
    for plan in _plans(pages, seq, until):
        event = plan.event
        assert isinstance(event, e.PlanProposed)
        spans = [
            range(each.first_step, each.last_step + 1)
            for each in event.plan.dependencies
            if (each.entity, each.field, each.version) == (change.entity, change.field, seq)
        ]
        if spans:
            found.append(Relied(plan=plan, steps=_steps(pages, plan, event.plan.number, spans)))
    return found


def _plans(pages: Pages, after: int, until: int) -> Sequence[e.Recorded]:
    seqs = [seq for seq in pages.seqs("plan.proposed") if after < seq <= until][:MOST_PLANS]
    return pages.span(seqs[0], seqs[-1], ("plan.proposed",)) if seqs else ()


def _steps(
    pages: Pages, plan: e.Recorded, number: int, spans: Sequence[range]
) -> tuple[tuple[e.Recorded, e.Recorded | None], ...]:
    next_plan = following(pages, "plan.proposed", plan.seq)
    last = next_plan.seq if next_plan is not None else pages.head
    events = pages.span(plan.seq, last, ("step.dispatched", "step.ended"))
    found = []
    for place, each in enumerate(events):
        sent: Any = each.event
        if not isinstance(sent, e.StepDispatched) or sent.plan_number != number:
            continue
        if any(sent.index in span for span in spans):
            found.append((each, events[place + 1] if place + 1 < len(events) else None))
    return tuple(found)


def _dropped(pages: Pages, subject: e.Recorded, entities: set[str]) -> tuple[e.Recorded, ...]:
    """In the same tick, and because of one of these records."""
    found: list[e.Recorded] = []
    for each in pages.span(subject.seq + 1, subject.seq + 200, DROPPED):
        if each.met_s != subject.met_s:
            break
        cause = getattr(each.event, "cause", None)
        is_caused = cause is not None and cause.entity in entities
        if is_caused or (found and isinstance(each.event, e.StepCancelAsked)):
            found.append(each)
    return tuple(found)
