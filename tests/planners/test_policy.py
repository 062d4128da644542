"""The policy planner: the nearest confidence-weighted record, the search, and honest notes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.domain.geometry import Pose
from backend.domain.memory.record import EntityRecord, Status
from backend.domain.mission.site import GridMap
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.ground import Ground
from backend.domain.plans.plan import Step, Watch, digest_of_steps
from backend.domain.plans.validator import MAX_SEARCH, validate
from backend.domain.query.query import Facts, Query
from backend.planners.policy import PolicyPlanner, choose, cost, propose
from tests.domain.memory.test_arbitration import KNOWN
from tests.domain.plans.samples import MOBILE
from tests.domain.scripted import BOTTLES, CANS, SITE, collect

OPEN = replace(SITE, map=GridMap(width=4, height=3, cell_m=1.0))


def can(number: int, x_m: float, y_m: float, q: float = 1.0, cls: str = "can") -> EntityRecord:
    return replace(KNOWN, id=f"{cls}_{number:02d}", cls=cls, pose=Pose(x_m, y_m), confidence=q, order=number)


def facts(*exposed: EntityRecord, **changes: Any) -> Facts:
    usual = Facts(
        exposed=exposed,
        robot=Pose(0, 0),
        held=None,
        assignments={"can": CANS, "bottle": BOTTLES},
        site=OPEN,
        swept=None,
        steps_left=None,
        cause="First plan of the mission",
    )
    return replace(usual, **changes)


CHOICES = {
    "the nearest": ([can(1, 3, 0), can(2, 1, 0)], "can_02"),
    "near and unsure against far and sure": ([can(1, 1, 0, 0.4), can(2, 3, 0)], "can_02"),
    "near enough to outweigh doubt": ([can(1, 1, 0, 0.6), can(2, 3, 0)], "can_01"),
    "as good: the lower number": ([can(2, 0, 2), can(1, 2, 0)], "can_01"),
    "as good: numbers count before names": ([can(10, 2, 0, cls="bottle"), can(2, 0, 2)], "can_02"),
    "no confidence at all is the last resort": ([can(1, 0, 0, 0.0), can(2, 3, 2, 0.01)], "can_02"),
    "nothing but no confidence": ([can(1, 0, 0, 0.0)], "can_01"),
    "a class without a station is left": ([can(1, 0, 0, cls="jar"), can(2, 3, 2)], "can_02"),
    "only classes without a station": ([can(1, 0, 0, cls="jar")], None),
    "nothing exposed": ([], None),
}


@pytest.mark.parametrize(("exposed", "target"), CHOICES.values(), ids=CHOICES.keys())
def test_the_target_has_the_least_distance_over_confidence(
    exposed: list[EntityRecord], target: str | None
) -> None:
    chosen = choose(facts(*exposed))

    assert (None if chosen is None else chosen.id) == target


def test_the_cost_is_the_paper_s() -> None:
    assert cost(facts(), can(1, 3, 4, 0.5)) == (1 + 5) / 0.5


def test_a_plan_collects_its_target() -> None:
    assert propose(facts(can(1, 3, 0))).steps == collect("can_01")


def test_what_is_held_already_is_only_brought_home() -> None:
    proposal = propose(facts(can(2, 1, 0), held=can(1, 3, 0)))

    assert proposal.steps == collect("can_01")[3:]


def test_the_note_says_what_was_weighed() -> None:
    proposal = propose(facts(can(1, 3, 0, 0.5), can(2, 3, 2, 0.5)))

    assert proposal.rationale == "can_01 has the least distance over confidence of 2 exposed records."
    assert proposal.note.endswith("Cost 8.000, confidence 0.50, seen at 90 s.")


def cells(proposal_facts: Facts) -> list[tuple[float, ...]]:
    return [each.arguments["cell"] for each in propose(proposal_facts).steps]  # type: ignore[misc]


SEARCHES = {
    "nearest first, ties row by row": (facts(), [(1, 0), (2, 0), (3, 0), (3, 1)]),
    "what was entered is not searched again": (
        facts(swept=frozenset({(0, 0), (1, 0), (2, 0)})),
        [(0, 1), (1, 1), (2, 1), (3, 1)],
    ),
    "what no way leads to is left out": (
        facts(swept=frozenset({(0, 0)}), unreachable=frozenset({(1, 0), (0, 1)})),
        [(2, 0), (3, 0), (3, 1), (2, 1)],
    ),
    "over again once all that can be was": (
        facts(
            swept=frozenset((x, y) for x in range(4) for y in range(3) if (x, y) != (3, 2)),
            unreachable=frozenset({(3, 2)}),
        ),
        [(1, 0), (2, 0), (3, 0), (3, 1)],
    ),
    "over again once everything was": (
        facts(swept=frozenset((x, y) for x in range(4) for y in range(3))),
        [(1, 0), (2, 0), (3, 0), (3, 1)],
    ),
}


@pytest.mark.parametrize(("known", "first"), SEARCHES.values(), ids=SEARCHES.keys())
def test_a_search_goes_to_the_nearest_cell_not_entered(known: Facts, first: list[tuple[int, int]]) -> None:
    assert cells(known)[: len(first)] == first


def test_a_search_without_bound_sweeps_the_whole_map_once() -> None:
    searched = cells(facts())

    assert len(searched) == len(set(searched)) == 11


def test_a_search_of_a_map_that_reaches_below_the_origin_goes_there() -> None:
    below = replace(OPEN, map=GridMap(width=3, height=2, cell_m=1.0, first=(-2, -1)))

    assert set(cells(facts(site=below))) == {(-2, -1), (-1, -1), (0, -1), (-2, 0), (-1, 0)}


def test_a_search_with_nowhere_to_go_ends() -> None:
    cell = replace(OPEN, map=GridMap(width=1, height=1, cell_m=1.0))

    assert cells(facts(site=cell, steps_left=5)) == []


def test_a_search_leaves_blocked_cells_out() -> None:
    blocked = replace(OPEN, map=GridMap(width=4, height=3, cell_m=1.0, occupied=((1, 0), (1, 1))))

    searched = cells(facts(site=blocked))
    assert len(searched) == 9
    assert not {(1, 0), (1, 1)} & set(searched)


def test_a_search_of_a_large_map_stays_within_what_a_plan_may_hold() -> None:
    yard = replace(OPEN, map=GridMap(width=30, height=30, cell_m=1.0))

    assert len(cells(facts(site=yard))) == MAX_SEARCH


@pytest.mark.parametrize("steps_left", [1, 3, 11, 40])
def test_a_search_reaches_as_far_as_the_steps_that_are_left(steps_left: int) -> None:
    place, moves = (0.0, 0.0), 0.0
    searched = cells(facts(steps_left=steps_left))
    for cell in searched[:-1]:
        moves += abs(cell[0] - place[0]) + abs(cell[1] - place[1])
        place = cell

    assert moves < steps_left
    assert searched


def test_it_watches_only_where_something_is_recorded() -> None:
    def watch(catalogue: Catalogue) -> Watch | None:
        query = Query(decision=1, attempt=1, blocks=(), facts=facts(can(1, 3, 0)), catalogue=catalogue)
        proposal = PolicyPlanner().propose(query).proposal
        assert proposal is not None
        return proposal.steps[2].watch

    assert watch(MOBILE) == Watch(points="all")
    assert watch(replace(MOBILE, cameras=())) is None


def test_it_answers_the_query_it_was_asked_and_claims_no_request_to_a_model() -> None:
    query = Query(decision=7, attempt=1, blocks=(), facts=facts(), catalogue=MOBILE)

    reply = PolicyPlanner().propose(query)

    assert (reply.decision, reply.attempt, reply.attempts) == (7, 1, ())


RECORDS = st.lists(
    st.builds(can, st.integers(1, 99), st.integers(0, 3), st.integers(0, 2), st.floats(0, 1)),
    unique_by=lambda record: record.id,
    max_size=9,
)


@given(RECORDS, st.booleans(), st.integers(1, 40))
def test_every_plan_of_it_is_valid(records: list[EntityRecord], holds: bool, steps_left: int) -> None:
    held = replace(can(100, 1, 1), status=Status.GRASPED) if holds else None
    known = facts(*records, held=held, steps_left=steps_left)
    ground = Ground(
        catalogue=MOBILE,
        site=OPEN,
        records={record.id: record for record in (*records, *([held] if held is not None else []))},
        held=None if held is None else held.id,
        assignments=known.assignments,
        exposed=frozenset(record.id for record in records),
        robot=known.robot,
    )

    assert validate(propose(known).steps, ground) == ()


def test_its_plan_is_the_same_once_it_was_stored() -> None:
    """Numbers are floats, as they come back from the journal: the digest stays the same."""
    for proposal in (propose(facts()), propose(facts(can(1, 3, 0)))):
        stored = msgspec.json.decode(msgspec.json.encode(proposal.steps), type=tuple[Step, ...])

        assert digest_of_steps(stored) == digest_of_steps(proposal.steps)
