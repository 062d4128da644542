"""When an episode ends: complete, out of budget, or aborted once the robot stands still."""

from __future__ import annotations

from backend.domain.decide.turn import Turn
from backend.domain.episode.events import Ended, EpisodeEnded, StepCancelAsked
from backend.domain.episode.state import State
from backend.domain.execution.budgets import overrun
from backend.domain.execution.outcome import Judgement
from backend.domain.mission.completion import correctly_delivered, is_complete


def end_if_over(turn: Turn) -> None:
    state = turn.state
    if state.ending is not None:
        return
    if turn.events and is_complete(
        state.mission.total, state.robot.held, state.delivered, state.memory.records, state.assignments
    ):
        end(turn, "completed", f"All {state.mission.total} delivered to their stations")
        return
    verdict = None if state.at_table is None else state.at_table.verdict
    if turn.events and verdict is not None:
        end(turn, "completed" if verdict.status == "success" else "failed", _in_words(verdict))
        return
    if state.stops and any(stop.abort for stop in state.stops):
        _end_when_still(turn)
        return
    allowed = state.mission.budgets.steps
    if allowed is not None and steps_taken(state, turn.inputs.met_s) >= allowed:
        _end_out_of_steps(turn, allowed)


def _in_words(verdict: Judgement) -> str:
    said = {"error": "Motion planning failed", "timeout": "Out of time"}.get(verdict.status, "")
    told = verdict.message or verdict.reason
    return f"{said}: {told}" if said else told


def end_if_budget_spent(turn: Turn) -> bool:
    """Before a call: True where a budget has nothing left, and the episode was ended for it."""
    over = overrun(turn.state.mission.budgets, turn.state.spent)
    if over is not None:
        end(turn, "budget", str(over).capitalize())
    return over is not None


def steps_taken(state: State, met_s: float) -> int:
    """World steps of ended actions and of the one in flight.
    Waiting costs none; a mobile robot's step is one second of the world."""
    under_way = met_s - state.dispatch.met_s if state.dispatch is not None else 0.0
    if state.at_table is not None:
        return state.spent.steps + state.at_table.table.step_at(under_way)
    return state.spent.steps + int(under_way)


def _end_out_of_steps(turn: Turn, allowed: int) -> None:
    """The step in flight is cancelled first: an episode that has ended moves nothing."""
    dispatch = turn.state.dispatch
    if dispatch is None:
        end(turn, "budget", f"Step budget used up: {allowed} of {allowed}")
    elif not dispatch.cancel_asked:
        turn.emit("system", StepCancelAsked(dispatch_id=dispatch.id, reason="Step budget used up"))


def _end_when_still(turn: Turn) -> None:
    """An abort waits for the outcome of the step in flight and for measured standstill;
    an alarm ends the waiting."""
    stop = next(stop for stop in turn.state.stops if stop.abort)
    if turn.state.dispatch is not None and not stop.unconfirmed_alarm:
        return
    if stop.confirmed or stop.unconfirmed_alarm:
        doubt = "" if stop.confirmed else " Standstill was not confirmed."
        end(turn, "aborted", f"Aborted by {stop.asked_by}: {stop.reason}.{doubt}")


def end(turn: Turn, outcome: Ended, message: str) -> None:
    state = turn.state
    delivered = correctly_delivered(state.delivered, state.memory.records, state.assignments)
    turn.emit(
        "system",
        EpisodeEnded(
            outcome=outcome,
            message=message,
            held=state.robot.held,
            delivered=delivered,
            total=state.mission.total,
        ),
    )
