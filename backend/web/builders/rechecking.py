"""What a release would go on with, looked at again: the rest of the plan, what it rests on, what is held.

A hold changes nothing by itself, but the world may have moved, or a person moved something, while it lasted.
"""

from __future__ import annotations

from collections.abc import Iterator

from backend.domain.episode.grounding import ground_of
from backend.domain.episode.state import State
from backend.domain.plans.plan import Dependency
from backend.domain.plans.validator import validate
from backend.web.builders import words
from backend.web.pages.parts import Mark, plain


def rechecks(state: State) -> tuple[Mark, ...]:
    return tuple(_rechecks(state))


def _rechecks(state: State) -> Iterator[Mark]:
    held = state.robot.held
    yield Mark(icon="grasped" if held else "idle", text=(plain(f"The robot holds {held or 'nothing'}"),))
    stops = state.stops
    if any(not stop.confirmed for stop in stops):
        yield Mark(icon="bad", text=(plain("Standstill is not confirmed. See to the robot"),), tone="alarm")
    if state.plan is None or state.cursor >= len(state.plan.steps):
        return
    findings = validate(state.plan.steps[state.cursor :], ground_of(state, None))
    for finding in findings:
        yield Mark(icon="bad", text=(plain(str(finding)),), tone="alarm")
    if not findings:
        left = words.counted(len(state.plan.steps) - state.cursor, "step")
        yield Mark(icon="ok", text=(plain(f"Checked again on memory as it is now: {left}, nothing found"),))
    since = min((stop.asked_seq for stop in stops), default=state.seq)
    changed = list(dict.fromkeys(d.entity for d in state.plan.dependencies if _changed(state, d, since)))
    if changed:
        told = f"Changed since the hold: {', '.join(map(str, changed))}"
        yield Mark(icon="warn", text=(plain(told),), tone="caution")
    else:
        yield Mark(icon="ok", text=(plain("Nothing that it rests on has changed since the hold"),))


def _changed(state: State, needed: Dependency, seq: int) -> bool:
    """Whether what the plan needs was changed since, by the plan's own doing too."""
    record = state.memory.records.get(needed.entity or "")
    return record is not None and record.version(needed.field) > seq
