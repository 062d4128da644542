"""The decision state at a table as values, and a demonstration's view: what `table_blocks` tells, no more."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from backend.domain.episode.state import ActionFrames, Request, State
from backend.domain.execution import log as execution_log
from backend.domain.execution import notes as note_history
from backend.domain.execution.log import LogLine
from backend.domain.query.seen import Returned, Seen, Viewed
from backend.domain.query.table_blocks import fell_short


def seen_of(state: State, request: Request) -> Seen | None:
    """None of a mobile robot, and while a demonstration is watched."""
    there = state.at_table
    if there is None or request.view is not None:
        return None
    switches, allowed = state.mission.memory, state.mission.budgets.steps
    findings = (str(finding) for finding in request.findings)
    return Seen(
        instruction=there.table.instruction,
        task=there.table.task,
        executor=there.table.executor,
        step=there.table.step_at(state.met_s),
        steps_left=None if allowed is None else max(0, allowed - state.spent.steps),
        tool=there.tool,
        opening_m=there.opening_m,
        views=there.views,
        log=tuple(_told(line) for line in execution_log.shown(state.log, switches.log)),
        notes=note_history.shown(state.notes, switches.notes),
        frames=() if switches.frames == "off" else tuple(_returned(there.shown)),
        last=_told(state.log[-1]) if state.log else None,
        subgoal=there.subgoal,
        told=(*fell_short(state), *findings),
    )


def viewed_of(state: State, request: Request) -> Viewed | None:
    there = state.at_table
    if there is None or there.film is None or request.view is None:
        return None
    return Viewed(
        instruction=there.table.instruction,
        task=there.table.task,
        view=request.view,
        frames=tuple(there.film.frame(index) for index in request.view.frames),
    )


def _told(line: LogLine) -> LogLine:
    """What the fingers hold and touch is not in the line's sentence, for its planner to see for itself."""
    measured = replace(line.measured, held=None, gripper_open=None, touches=(), pose=None, path_m=())
    return replace(line, measured=measured)


def _returned(shown: tuple[ActionFrames, ...]) -> Iterator[Returned]:
    for each in shown:
        frames = tuple(frame for frame in each.watched.frames if frame.returned)
        yield Returned(action=each.action, watched=replace(each.watched, frames=frames))
