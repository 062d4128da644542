"""A policy that thinks one container ahead: which one to fetch now depends on which comes after it.

It shows what a bounded memory may hide. A container far from the robot, but near the station that this one
goes to, is what the subgoal after it needs, and a score that falls with distance leaves it out: the caution
at the end of section V-A.
"""

from __future__ import annotations

import math

from backend.domain.geometry import Pose
from backend.domain.memory.record import EntityRecord
from backend.domain.query.query import Facts, Query, Reply
from backend.planners.policy import carry_on, collect, explore, id_order

NAME = "lookahead"


class LookaheadPlanner:
    """Answers at once, from what the query exposes and nothing else."""

    def propose(self, query: Query) -> Reply:
        facts = query.facts
        if facts.held is not None:
            proposal = carry_on(facts, facts.held)
        else:
            target = choose(facts)
            proposal = explore(facts) if target is None else collect(facts, target, _why(facts, target))
        return Reply(decision=query.decision, attempt=query.attempt, proposal=proposal)


def choose(facts: Facts) -> EntityRecord | None:
    """The first of the two exposed records that cost least on the way to them, one after the other.

    The way to a container is driven empty and can be saved; the way from it to its station cannot.
    """
    candidates = [record for record in facts.exposed if record.cls in facts.assignments]
    return min(candidates, key=lambda r: (_cost_of_two(facts, r, candidates), *id_order(r)), default=None)


def _why(facts: Facts, target: EntityRecord) -> str:
    return f"{target.id} and the best one after it cost least of {len(facts.exposed)} exposed records."


def _cost_of_two(facts: Facts, first: EntityRecord, candidates: list[EntityRecord]) -> float:
    station = facts.site.station(facts.assignments[first.cls])
    then = math.inf if station is None else 0.0
    if station is not None and len(candidates) > 1:
        then = min([_cost(facts, station.pose, other) for other in candidates if other is not first])
    return _cost(facts, facts.robot, first) + then


def _cost(facts: Facts, start: Pose, record: EntityRecord) -> float:
    """The empty way to it, weighed by the doubt about it."""
    if record.confidence <= 0.0:
        return math.inf
    return facts.site.metric.distance_m(start, record.pose) / record.confidence
