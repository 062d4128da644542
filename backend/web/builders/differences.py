"""What a person made of a plan, in an operator's words: a line for each step that is not as it was."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.geometry import Pose
from backend.domain.plans.difference import ArgumentChange, StepChange, difference, is_change
from backend.domain.plans.plan import Step, Value, Watch, describe
from backend.domain.plans.plan import shown as in_words
from backend.web.builders import words
from backend.web.pages.parts import Icon, Mark, plain, strong

ICONS: dict[str, Icon] = {"added": "plus", "removed": "minus", "moved": "follow", "changed": "replan"}


def difference_marks(before: Sequence[Step], after: Sequence[Step], first: int = 0) -> tuple[Mark, ...]:
    """`first`: number of steps of the plan before that are done and no part of `before`."""
    return tuple(_mark(change, first) for change in difference(before, after) if is_change(change))


def _mark(change: StepChange, first: int) -> Mark:
    old = f"step {(change.before or 0) + first + 1}"
    new = f"step {(change.after or 0) + 1}"
    step = describe(change.step)
    if change.kind == "added":
        told = (strong("Added"), plain(f" as {new}: {step}"))
    elif change.kind == "removed":
        told = (strong("Removed"), plain(f" {old}: {step}"))
    elif change.kind == "moved":
        told = (strong("Moved"), plain(f" from {old} to {new}: {step}"))
    else:
        told = (strong("Changed"), plain(f" {new}, {change.step.skill}: {_arguments(change.arguments)}"))
    return Mark(icon=ICONS[change.kind], text=told)


def _arguments(changes: Sequence[ArgumentChange]) -> str:
    return ", ".join(f"{each.name} {shown(each.old)} → {shown(each.new)}" for each in changes)


def shown(value: Value | Watch | None) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, Watch):
        count = "every frame" if value.points == "all" else words.counted(len(value.points), "point")
        return f"{count} of {value.camera}" if value.camera else count
    if isinstance(value, Pose):
        return words.place(value)
    if isinstance(value, tuple):
        return in_words(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
