"""The query at a table: the task in words, what is measured and seen now, then memory (LogLook, 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.domain.episode.state import AtTable, State
from backend.domain.execution.frames import Frame
from backend.domain.execution.log import sentence
from backend.domain.execution.outcome import Result
from backend.domain.plans.plan import PICTURE_PX
from backend.domain.plans.validity import Cause
from backend.domain.query.parts import block_of, joined, paragraphs, returned, signature
from backend.domain.query.query import Block


def table_blocks(
    state: State, there: AtTable, shared: Sequence[tuple[str, str]], cause: Cause, now_s: float
) -> tuple[Block, ...]:
    """The blocks at mission time `now_s`; empty ones are left out. `shared`: log, notes and so on."""
    images: dict[str, tuple[Frame, ...]] = {
        "views": tuple(view.frame for view in there.views),
        "frames": returned(state),
    }
    texts = [
        ("goal", paragraphs([there.table.instruction])),
        ("robot", _robot(state, there, cause, now_s)),
        ("views", _views(there)),
        ("rules", _rules(state)),
        *shared,
    ]
    return tuple(block_of(name, text, images.get(name, ())) for name, text in texts if text)


def _robot(state: State, there: AtTable, cause: Cause, now_s: float) -> str:
    why = [] if cause.kind in _AS_SAID else [f"Why now: {cause.message}"]
    return joined([*_now(state, there, now_s), *last_action(state), *why])


_AS_SAID = ("first", "completed", "failed")
"""Causes that the last action tells already."""


def _now(state: State, there: AtTable, now_s: float) -> Iterator[str]:
    allowed = state.mission.budgets.steps
    left = "" if allowed is None else f", {max(0, allowed - state.spent.steps)} left"
    yield f"Step of the world: {there.table.step_at(now_s)}{left}; {1 / there.table.step_s:g} a second"
    tool = there.tool
    if tool is not None:
        yield (
            f"End-effector: x {tool.x_m:.3f}, y {tool.y_m:.3f}, z {tool.z_m:.3f} m; roll {tool.roll_rad:.2f},"
            f" pitch {tool.pitch_rad:.2f}, yaw {tool.yaw_rad:.2f} rad"
        )
    if there.opening_m is not None:
        yield f"Gripper opening: {1000 * there.opening_m:.0f} mm"


def last_action(state: State) -> Iterator[str]:
    """What the last action came to, whatever the log shows, and in words where it fell short."""
    if not state.log:
        yield "Last action: none yet"
        return
    yield f"Last action: {sentence(state.log[-1])}"
    yield from fell_short(state)


def fell_short(state: State) -> Iterator[str]:
    outcome = state.last_outcome
    if outcome is not None and outcome.result is not Result.SUCCEEDED and outcome.message:
        yield f"It fell short: {outcome.message}"


def _views(there: AtTable) -> str:
    """Which pictures follow, and by which pixels they are named."""
    if not there.views:
        return ""
    cameras = " view, then ".join(view.frame.camera for view in there.views)
    return f"The {cameras} view now. Pixels are columns and rows of a picture of {PICTURE_PX} px."


def _rules(state: State) -> str:
    skills = joined(f"Skill {signature(skill)}: {skill.description}" for skill in state.catalogue.skills)
    arguments = joined(
        f"  {skill.name}.{argument.name}: {argument.description}"
        for skill in state.catalogue.skills
        for argument in skill.arguments
        if argument.description
    )
    note = paragraphs([state.mission.task_note])
    return "\n".join(part for part in (joined(state.site.rules), note, skills, arguments) if part)
