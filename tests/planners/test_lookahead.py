"""The policy that thinks one container ahead: it takes what leads on, and only from what it is shown."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backend.domain.geometry import Pose
from backend.domain.memory.record import EntityRecord
from backend.domain.mission.site import GridMap, Station
from backend.domain.plans.catalogue import Catalogue
from backend.domain.query.query import Facts, Query
from backend.planners.lookahead import LookaheadPlanner, choose
from backend.planners.policy import choose as choose_nearest
from tests.domain.scripted import BOTTLES, CANS, SITE
from tests.planners.test_policy import can, facts

# The robot stands at the station for bottles; that for cans is far off.
FAR = replace(
    SITE,
    map=GridMap(width=12, height=3, cell_m=1.0),
    stations=(
        Station(id=BOTTLES, pose=Pose(0, 0), accepts=("bottle",)),
        Station(id=CANS, pose=Pose(11, 0), accepts=("can",)),
    ),
)


def bottle(number: int, x_m: float, q: float = 1.0) -> EntityRecord:
    return can(number, x_m, 0.0, q, cls="bottle")


def at(*exposed: EntityRecord) -> Facts:
    return facts(*exposed, site=FAR)


def test_it_takes_the_can_first_where_a_bottle_waits_at_the_other_end() -> None:
    """Nearest first would carry the near bottle home, and come back empty from the far end later."""
    shown = at(bottle(1, 1), can(2, 2, 0), bottle(3, 11))

    assert choose_nearest(shown) == bottle(1, 1)
    assert choose(shown) == can(2, 2, 0)


def test_what_it_is_not_shown_cannot_lead_it() -> None:
    assert choose(at(bottle(1, 1), can(2, 2, 0))) == bottle(1, 1)


@pytest.mark.parametrize(
    ("exposed", "target"),
    [
        ([], None),
        ([bottle(1, 3)], "bottle_01"),
        ([bottle(2, 3), bottle(1, 3)], "bottle_01"),
        ([can(1, 2, 0, 0.2), bottle(2, 5), bottle(3, 4)], "bottle_02"),
    ],
    ids=["nothing", "one", "a tie goes to the lower number", "doubt counts as distance"],
)
def test_choices(exposed: list[EntityRecord], target: str | None) -> None:
    chosen = choose(at(*exposed))

    assert (None if chosen is None else chosen.id) == target


def test_its_plan_covers_the_first_container_and_says_why() -> None:
    shown = at(bottle(1, 1), can(2, 2, 0), bottle(3, 11))
    query = Query(decision=4, attempt=1, blocks=(), facts=shown, catalogue=Catalogue(skills=()))

    reply = LookaheadPlanner().propose(query)

    assert reply.proposal is not None
    assert [step.skill for step in reply.proposal.steps] == [
        "navigate",
        "approach",
        "grasp",
        "navigate",
        "deliver",
    ]
    assert reply.proposal.rationale == "can_02 and the best one after it cost least of 3 exposed records."


def test_holding_it_carries_on_and_without_records_it_explores() -> None:
    holding = replace(at(bottle(1, 5)), held=can(2, 2, 0))
    query = Query(decision=1, attempt=1, blocks=(), facts=holding, catalogue=Catalogue(skills=()))

    carried = LookaheadPlanner().propose(query).proposal
    explored = LookaheadPlanner().propose(replace(query, facts=at())).proposal

    assert carried is not None
    assert explored is not None
    assert [step.skill for step in carried.steps] == ["navigate", "deliver"]
    assert {step.skill for step in explored.steps} == {"explore"}
