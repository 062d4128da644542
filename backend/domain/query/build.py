"""The query for an outstanding request: the blocks as journalled, and the same facts as values."""

from __future__ import annotations

from backend.domain.episode.state import Request, State
from backend.domain.query.at_table import seen_of, viewed_of
from backend.domain.query.query import Facts, Query


def query_of(state: State, request: Request) -> Query:
    held = state.memory.records.get(state.robot.held) if state.robot.held is not None else None
    allowed = state.mission.budgets.steps
    facts = Facts(
        exposed=tuple([state.memory.records[entity] for entity in request.retrieval.exposed]),
        robot=state.robot.pose,
        held=held,
        assignments=state.assignments,
        site=state.site,
        swept=state.swept,
        unreachable=state.unreachable,
        steps_left=None if allowed is None else max(0, allowed - state.spent.steps),
        cause=request.cause.message,
        seen=seen_of(state, request),
        view=viewed_of(state, request),
    )
    return Query(
        decision=request.decision,
        attempt=request.attempt,
        blocks=request.blocks,
        facts=facts,
        catalogue=state.catalogue,
    )
