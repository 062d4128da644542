"""A policy under an order of classes: all that the first station takes, then the next one's.

It believes what it is shown: where no record of an earlier class is among them, it takes that class for done.
A memory that leaves out the far ones makes it start on the next class too early.
"""

from __future__ import annotations

from msgspec.structs import replace

from backend.domain.memory.record import EntityRecord
from backend.domain.query.query import Facts, Query, Reply
from backend.planners.policy import carry_on, collect, explore
from backend.planners.policy import choose as choose_nearest

NAME = "in_order"


class InOrderPlanner:
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
    """Of the first class that is exposed at all, the record that the nearest-first policy would take."""
    for station in facts.site.stations:
        wanted = tuple([r for r in facts.exposed if facts.assignments.get(r.cls) == station.id])
        if wanted:
            return choose_nearest(replace(facts, exposed=wanted))
    return None


def _why(facts: Facts, target: EntityRecord) -> str:
    return f"{target.id} is of the class whose turn it is, among {len(facts.exposed)} exposed records."
