"""What a memory's selection costs a decision: would the planner have chosen otherwise, had it seen
everything?
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from backend.domain.episode.events import PlanRequested, Recorded
from backend.domain.episode.state import State
from backend.domain.memory.record import ACTIVE
from backend.domain.query.build import query_of
from backend.domain.query.query import Query
from backend.usecases.ports import Planner


class Misled:
    """Counts decisions that would have gone to another container.

    For planners that compute, and change nothing.
    """

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self.count = 0

    def __call__(self, events: Sequence[Recorded], state: State) -> None:
        request = state.request
        if request is None or not any(type(recorded.event) is PlanRequested for recorded in events):
            return
        active = tuple(
            [
                r.id
                for r in state.memory.ordered()
                if r.status in ACTIVE and r.supported and r.id != state.robot.held
            ]
        )
        everything = replace(request, retrieval=replace(request.retrieval, exposed=active))
        shown, all_of_it = query_of(state, request), query_of(state, everything)
        self.count += _target(self._planner, shown) != _target(self._planner, all_of_it)


def _target(planner: Planner, query: Query) -> object:
    """Where the plan would go first: an entity, a station or a cell."""
    proposal = planner.propose(query).proposal
    return None if proposal is None else dict(proposal.steps[0].arguments)
