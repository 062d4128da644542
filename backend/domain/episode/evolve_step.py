"""The fold's largest step: what a dispatch and its measured outcome leave in the state."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backend.domain.episode.events import Recorded, StepDispatched, StepEnded
from backend.domain.episode.evolve_memory import after_outcome
from backend.domain.episode.evolve_table import measured_there
from backend.domain.episode.state import Dispatch, Robot, State
from backend.domain.execution.log import LogLine
from backend.domain.execution.outcome import Outcome, Result
from backend.domain.memory.record import Field, Status
from backend.domain.plans.plan import Step, describe, numbers
from backend.domain.plans.skills import meaning_of

UNDONE = (Result.FAILED, Result.NOT_EXECUTED)


def step_dispatched(state: State, event: StepDispatched, recorded: Recorded) -> dict[str, Any]:
    dispatch = Dispatch(
        id=event.dispatch_id,
        seq=recorded.seq,
        met_s=recorded.met_s,
        epoch=event.epoch,
        approval_id=event.approval_id,
        index=event.index,
        step=event.step,
        goal=event.goal,
        ledger_id=state.ledger_id,
    )
    changes: dict[str, Any] = {"dispatch": dispatch, "dispatches": state.dispatches + 1}
    if state.approval is not None:
        changes["approval"] = replace(state.approval, used=(*state.approval.used, event.index))
    if meaning_of(event.step.skill).searches and (state.swept is None or _is_searched(state, state.swept)):
        changes["swept"] = frozenset({_cell_of(state, state.robot.pose.x_m, state.robot.pose.y_m)})
        changes["unreachable"] = frozenset()
    return changes


def step_ended(state: State, event: StepEnded, recorded: Recorded) -> dict[str, Any]:
    outcome, dispatch = event.outcome, state.dispatch
    measured = outcome.measured
    succeeded = outcome.result is Result.SUCCEEDED
    line = LogLine(
        index=len(state.log) + 1,
        seq=recorded.seq,
        met_s=recorded.met_s,
        command=describe(dispatch.step) if dispatch is not None else outcome.skill,
        result=outcome.result,
        reason=outcome.reason,
        measured=measured,
        asked=dispatch.step if dispatch is not None else None,
        step=None if state.at_table is None else state.at_table.table.step_at(recorded.met_s),
    )
    changes: dict[str, Any] = {
        "dispatch": None,
        "last_outcome": outcome,
        "log": (*state.log, line),
        "spent": replace(state.spent, steps=state.spent.steps + measured.moves),
        "after_failure": (state.after_failure and not succeeded) or outcome.result in UNDONE,
        "robot": Robot(
            name=state.robot.name,
            pose=measured.pose or state.robot.pose,
            held=measured.held,
            arrived=_arrived(state, outcome),
        ),
        "tally": replace(
            state.tally,
            stale_visits=state.tally.stale_visits + (outcome.reason == "absent"),
            path_m=state.tally.path_m + _length_m(state, measured.path_m),
        ),
    }
    if dispatch is not None and dispatch.in_doubt:
        changes["asks_person"] = ""
    if state.at_table is not None:
        changes["at_table"] = measured_there(state.at_table, outcome)
    if event.changes:
        changes |= _verified(state, event, recorded.seq)
    if state.swept is not None and measured.path_m:
        changes["swept"] = state.swept | {_cell_of(state, x_m, y_m) for x_m, y_m in measured.path_m}
    if dispatch is not None and outcome.reason == "unreachable" and meaning_of(dispatch.step.skill).searches:
        changes["unreachable"] = state.unreachable | _cells_named(dispatch.step)
    if succeeded and dispatch is not None and state.plan is not None:
        changes["cursor"] = dispatch.index + 1
    return changes


def _verified(state: State, event: StepEnded, seq: int) -> dict[str, Any]:
    """What the changed fields leave: records, what the plan had predicted, what is delivered where."""
    changes: dict[str, Any] = {"memory": after_outcome(state.memory, event, seq)}
    if event.predicted:
        versions = [(change.entity, change.field, seq) for change in event.changes]
        changes["excused"] = (*state.excused, *versions)
    done = [c.entity for c in event.changes if c.field is Field.STATUS and c.new == Status.DELIVERED.value]
    if done and state.dispatch is not None:
        station = str(state.dispatch.step.arguments.get("station", ""))
        changes["delivered"] = {**state.delivered, **dict.fromkeys(done, station)}
    return changes


def _arrived(state: State, outcome: Outcome) -> str | None:
    """Where it got to by a navigation that succeeded;
    anything else that moved it leaves it nowhere in particular."""
    dispatch, meaning = state.dispatch, meaning_of(outcome.skill)
    if meaning.arrives and outcome.result is Result.SUCCEEDED and dispatch is not None:
        return meaning.entity_of(dispatch.step)
    return None if outcome.measured.path_m else state.robot.arrived


def _cell_of(state: State, x_m: float, y_m: float) -> tuple[int, int]:
    cell_m = state.site.map.cell_m
    return round(x_m / cell_m), round(y_m / cell_m)


def _cells_named(step: Step) -> frozenset[tuple[int, int]]:
    cell = meaning_of(step.skill).place_of(step)
    pair = numbers(cell) if isinstance(cell, tuple) else ()
    return frozenset({(int(pair[0]), int(pair[1]))}) if len(pair) == 2 else frozenset()


def _is_searched(state: State, swept: frozenset[tuple[int, int]]) -> bool:
    """Whether every free cell was entered, or proved out of reach."""
    grid = state.site.map
    return len(swept | state.unreachable) >= grid.width * grid.height - len(grid.occupied)


def _length_m(state: State, path_m: tuple[tuple[float, float], ...]) -> float:
    if not path_m:
        return 0.0
    x_m, y_m = state.robot.pose.x_m, state.robot.pose.y_m
    length_m = 0.0
    for next_x_m, next_y_m in path_m:
        length_m += ((next_x_m - x_m) ** 2 + (next_y_m - y_m) ** 2) ** 0.5
        x_m, y_m = next_x_m, next_y_m
    return length_m
