"""The deterministic policy of section V-A: the nearest confidence-weighted candidate. It is no model.

Target: the exposed record with the least (1 + d / length) / q, ties to the lower number of its id. Without a
candidate it explores: always the nearest cell not yet entered since exploration first began, ties row by row,
but for those that no way leads to, and over again once none is left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from backend.domain.geometry import Pose
from backend.domain.memory.record import EntityRecord
from backend.domain.mission.site import Site
from backend.domain.plans.plan import Step, Watch
from backend.domain.plans.validator import MAX_SEARCH
from backend.domain.query.query import Facts, Proposal, Query, Reply

NAME = "policy"


class PolicyPlanner:
    """Answers at once, from what the query exposes and nothing else."""

    def propose(self, query: Query) -> Reply:
        return Reply(
            decision=query.decision, attempt=query.attempt, proposal=propose(query.facts, _watches(query))
        )


def propose(facts: Facts, may_watch: frozenset[str] = frozenset()) -> Proposal:
    if facts.held is not None:
        return carry_on(facts, facts.held)
    target = choose(facts)
    if target is None:
        return explore(facts)
    why = f"{target.id} has the least distance over confidence of {len(facts.exposed)} exposed records."
    return collect(facts, target, why, may_watch)


def choose(facts: Facts) -> EntityRecord | None:
    """The exposed record with the least cost, or None where none is exposed whose station is known."""
    candidates = [record for record in facts.exposed if record.cls in facts.assignments]
    if not candidates:
        return None
    costs = [cost(facts, record) for record in candidates]
    least = min(costs)
    return min([candidates[i] for i, each in enumerate(costs) if each == least], key=id_order)


def cost(facts: Facts, record: EntityRecord) -> float:
    metric = facts.site.metric
    if record.confidence <= 0.0:
        return float("inf")
    return (1 + metric.distance_m(record.pose, facts.robot) / metric.length_m) / record.confidence


def id_order(record: EntityRecord) -> tuple[float, str]:
    """Ids order by their number first: can_02 comes before bottle_10."""
    number = record.id.rpartition("_")[2]
    return (float(number) if number.isdecimal() else float("inf"), record.id)


def collect(
    facts: Facts, target: EntityRecord, why: str, may_watch: frozenset[str] = frozenset()
) -> Proposal:
    """Fetch the target and take it to its station; `why` says in a sentence what speaks for it."""
    station = facts.assignments[target.cls]
    watch = Watch(points="all") if "grasp" in may_watch else None
    steps = (
        Step("navigate", {"to": target.id}),
        Step("approach", {"target": target.id}),
        Step("grasp", {"target": target.id}, watch),
        Step("navigate", {"to": station}),
        Step("deliver", {"object": target.id, "station": station}),
    )
    known = f"confidence {target.confidence:.2f}, seen at {target.stamp_s:g} s"
    note = f"{why} Cost {cost(facts, target):.3f}, {known}."
    return Proposal(rationale=why, note=note, steps=steps)


def carry_on(facts: Facts, held: EntityRecord) -> Proposal:
    """Holding already: the pick-up prefix is left out."""
    station = facts.assignments[held.cls]
    steps = (Step("navigate", {"to": station}), Step("deliver", {"object": held.id, "station": station}))
    why = f"{held.id} is held and goes to {station}."
    return Proposal(rationale=why, note=why, steps=steps)


def explore(facts: Facts) -> Proposal:
    """Look where nobody has looked yet, cell after cell."""
    steps = tuple(
        Step("explore", {"cell": (float(x), float(y))}) for x, y in islice(_sweep(facts), MAX_SEARCH)
    )
    why = "No record is exposed that could be collected: search the nearest cells not entered yet."
    return Proposal(rationale=why, note=f"{why} {len(steps)} cells are planned.", steps=steps)


def _sweep(facts: Facts) -> Iterator[tuple[int, int]]:
    """The cells in the order of the search, as far as the steps left reach; unbounded, one whole sweep."""
    free = _free_cells(facts.site)
    place = _cell(facts.robot, facts.site)
    done = facts.unreachable | (facts.swept or frozenset())
    anew = facts.swept is None or len(done) >= len(free)
    cells = free if anew else free - facts.unreachable
    left = cells - {place} if anew else cells - done - {place}
    moves_left = facts.steps_left if facts.steps_left is not None else math.inf
    while moves_left > 0:
        if not left:
            left = cells - {place}
            if facts.steps_left is None or not left:
                return
        goal = _nearest(place, left)
        yield goal
        moves_left -= _moves(place, goal)
        left.difference_update(_crossed(place, goal))
        place = goal


def _nearest(place: tuple[int, int], left: set[tuple[int, int]]) -> tuple[int, int]:
    """Of the cells left, of which there are some, the nearest; ties row by row. Looks ring by ring."""
    x, y = place
    moves = 0
    while True:
        for up in range(-moves, moves + 1):
            across = moves - abs(up)
            for cell in ((x - across, y + up), (x + across, y + up)):
                if cell in left:
                    return cell
        moves += 1


def _free_cells(site: Site) -> set[tuple[int, int]]:
    cells = {(x, y) for y in site.map.rows for x in site.map.columns}
    return cells.difference(site.map.occupied)


def _cell(pose: Pose, site: Site) -> tuple[int, int]:
    return round(pose.x_m / site.map.cell_m), round(pose.y_m / site.map.cell_m)


def _moves(a: tuple[int, int], b: tuple[int, int]) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _crossed(a: tuple[int, int], b: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Cells entered on the way, x before y."""
    x, y = a
    while x != b[0]:
        x += 1 if b[0] > x else -1
        yield x, y
    while y != b[1]:
        y += 1 if b[1] > y else -1
        yield x, y


def _watches(query: Query) -> frozenset[str]:
    if not query.catalogue.cameras:
        return frozenset()
    return frozenset(skill.name for skill in query.catalogue.skills if skill.may_watch)
