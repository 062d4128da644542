"""The policy under an order of classes: the first class first, as far as it is shown."""

from __future__ import annotations

from backend.domain.plans.catalogue import Catalogue
from backend.domain.query.query import Query
from backend.planners.in_order import InOrderPlanner, choose
from tests.planners.test_lookahead import at, bottle
from tests.planners.test_policy import can


def test_the_first_station_s_class_comes_first_however_far() -> None:
    assert choose(at(can(1, 1, 0), bottle(2, 9), bottle(3, 8))) == bottle(3, 8)


def test_what_it_is_not_shown_it_takes_for_done() -> None:
    assert choose(at(can(1, 1, 0), can(2, 5, 0))) == can(1, 1, 0)


def test_nothing_shown_means_to_explore() -> None:
    query = Query(decision=1, attempt=1, blocks=(), facts=at(), catalogue=Catalogue(skills=()))

    proposal = InOrderPlanner().propose(query).proposal

    assert proposal is not None
    assert {step.skill for step in proposal.steps} == {"explore"}


def test_it_says_whose_turn_it_is() -> None:
    shown = at(can(1, 1, 0), bottle(2, 9))
    query = Query(decision=1, attempt=1, blocks=(), facts=shown, catalogue=Catalogue(skills=()))

    proposal = InOrderPlanner().propose(query).proposal

    assert proposal is not None
    assert proposal.rationale == "bottle_02 is of the class whose turn it is, among 2 exposed records."
