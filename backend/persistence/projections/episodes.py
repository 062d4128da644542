"""An episode in one line: what goes on, what needs a person, what it has come to."""

from __future__ import annotations

from backend.domain.command.approval import ApprovalStatus
from backend.domain.episode.state import State
from backend.persistence.projections.row import Passage, Row, row
from backend.persistence.tables.episodes import episodes


def row_of(passage: Passage) -> Row:
    """What the last passage leaves; those before it would only be overwritten."""
    state = passage.after
    rank, need = need_of(state)
    values = {
        "episode": passage.episode,
        "seq": state.seq,
        "met_s": state.met_s,
        "updated_utc": passage.utc,
        "mission": state.mission.name,
        "title": state.mission.title,
        "world": state.mission.world.name,
        "site": state.site.name,
        "robot": state.robot.name,
        "planner": state.planner,
        "memory": state.mission.memory.name,
        "policy": state.policy.mode,
        "seed": state.seed,
        "code_version": state.code_version,
        "phase": phase_of(state),
        "need_rank": rank,
        "need": need,
        "conn": state.conn.holder if state.conn else None,
        "outcome": state.ending.outcome if state.ending else None,
        "message": state.ending.message if state.ending else "",
        "delivered": len(state.delivered),
        "total": state.mission.total,
        "steps": state.spent.steps,
        "decisions": state.spent.decisions,
        "tokens": state.spent.tokens,
        "money_usd": state.spent.money_usd,
        "context_units": state.tally.context_units,
        "replans": state.tally.replans,
        "stale_visits": state.tally.stale_visits,
        "plans": state.plans,
        "dispatches": state.dispatches,
    }
    return row(episodes, values)


def need_of(state: State) -> tuple[int, str]:
    """How urgently a person is needed (0: not at all), and for what."""
    if state.ending is not None:
        return 0, ""
    if any(stop.unconfirmed_alarm for stop in state.stops):
        return 4, "Stop not confirmed: see to the robot"
    if state.asks_person:
        return 3, state.asks_person
    if state.approval is not None and state.approval.status is ApprovalStatus.PENDING:
        return 2, f"Plan {state.approval.plan_number} waits for approval"
    if state.request is not None and state.planner == "operator":
        return 2, f"Plan {state.plans + 1} is to be written"
    if state.stops:
        return 1, f"Held by {state.stops[0].asked_by}"
    return 0, ""


def phase_of(state: State) -> str:
    """`ended`, `held`, `asking`, `approval`, `executing`, `planning` or `ready`."""
    if state.ending is not None:
        return "ended"
    if state.stops:
        return "held"
    if state.asks_person:
        return "asking"
    if state.approval is not None and state.approval.status is ApprovalStatus.PENDING:
        return "approval"
    if state.dispatch is not None:
        return "executing"
    if state.request is not None or state.need is not None:
        return "planning"
    return "ready"
