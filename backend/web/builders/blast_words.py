"""What a correction would set off, as its author reads it before confirming."""

from __future__ import annotations

from backend.domain.command.approval import ApprovalStatus
from backend.domain.decide.blast import Blast
from backend.domain.memory.record import FIELD_NAME, FieldChange
from backend.web.builders import words
from backend.web.builders.memory_lines import value
from backend.web.pages.parts import Icon, Mark, Phrase, Tone, entity, plain, strong


def told(blast: Blast) -> tuple[Mark, ...]:
    """What changes first, then what it stops, the gravest in alarm."""
    marks = [_mark("ok", _changed(change)) for change in blast.changes]
    if not blast.changes:
        marks.append(_mark("ok", (plain("No class, pose or status changes."),)))
    if blast.dispatch is not None:
        step = (strong("The robot is asked to cancel"), plain(f" what it does now: {blast.step}."))
        marks.append(_mark("held", step, "alarm"))
    if blast.approval is not None:
        lapses = (
            plain(f"The {_approval(blast)} approval of plan {blast.plan} "),
            strong("lapses"),
            plain("."),
        )
        marks.append(_mark("stale", lapses, "caution"))
    if blast.plan is not None:
        steps = f" Of its rest, {_steps(blast)} what you correct." if blast.steps else ""
        why = words.sentence(blast.why)
        dropped = (strong(f"Plan {blast.plan} is dropped"), plain(f": {why[:1].lower()}{why[1:]}{steps}"))
        marks.append(_mark("replan", dropped, "caution"))
    if blast.asked:
        marks.append(
            _mark("idle", (plain("The planner was asked already; an answer that rests on it lapses."),))
        )
    if blast.station:
        marks.append(_mark("ok", (plain(f"A class is settled by it: {blast.station}."),)))
    if blast.ends:
        marks.append(_mark("done", (strong("The episode ends"), plain(f": {blast.ends}.")), "caution"))
    if blast.plan is None and blast.dispatch is None:
        marks.append(_mark("ok", (plain("No plan, approval or step rests on it."),)))
    return tuple(marks)


def _changed(change: FieldChange) -> Phrase:
    name = FIELD_NAME[change.field].capitalize()
    old = f" {value(change.old)} → " if change.old is not None else " "
    return (plain(f"{name} of "), entity(change.entity), plain(old), strong(value(change.new)))


def _approval(blast: Blast) -> str:
    return "given" if blast.approval_status is ApprovalStatus.APPROVED else "waiting"


def _steps(blast: Blast) -> str:
    numbers = tuple(index + 1 for index in blast.steps)
    noun, verb = ("step", "names") if len(numbers) == 1 else ("steps", "name")
    return f"{noun} {words.span(numbers)} {verb}"


def _mark(icon: Icon, text: Phrase, tone: Tone = "quiet") -> Mark:
    return Mark(icon=icon, text=text, tone=tone)
