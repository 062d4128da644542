"""When an episode ends, and that nothing moves once it has."""

from __future__ import annotations

import pytest

from backend.domain.episode.events import EpisodeEnded, StepCancelAsked, StepDispatched
from backend.domain.execution.budgets import Budgets
from backend.domain.execution.outcome import Result
from tests.domain.scripted import BOTTLES, Scripted, collect, kinds, opened


def collecting(total: int = 1, steps: int | None = None) -> Scripted:
    script = Scripted(
        opened(policy="auto", total=total, budgets=Budgets(steps=steps, decisions=None, tokens=None))
    )
    script.see("can_1", 3, 4)
    script.answer(*collect("can_1"))
    return script


def test_a_mission_is_complete_with_its_last_delivery() -> None:
    script = collecting()
    for _ in range(4):
        script.end()
    assert script.state.ending is None

    tick = script.end()

    assert kinds(tick) == ["StepEnded", "PlanCompleted", "EpisodeEnded"]
    ended = script.last(EpisodeEnded)
    assert (ended.outcome, ended.held, ended.delivered, ended.total) == ("completed", None, 1, 1)
    assert ended.message == "All 1 delivered to their stations"


def test_one_of_two_is_not_all() -> None:
    script = collecting(total=2)
    for _ in range(5):
        script.end()

    assert script.state.ending is None
    assert script.state.request is not None


def test_a_wrong_station_is_refused_before_it_could_complete_anything() -> None:
    script = Scripted(opened(policy="auto", total=1))
    script.see("can_1", 3, 4)
    script.answer(*collect("can_1", BOTTLES))

    assert script.all(StepDispatched) == []


def test_out_of_steps_between_two_actions() -> None:
    script = collecting(steps=3)
    for _ in range(3):
        script.end()

    assert script.last(EpisodeEnded).message == "Step budget used up: 3 of 3"
    assert script.state.dispatch is None


def test_out_of_steps_in_the_middle_of_one_cancels_it_and_ends_with_its_outcome() -> None:
    script = collecting(steps=3)
    script.wait(2.0)
    assert script.all(StepCancelAsked) == []

    assert kinds(script.wait(1.0)) == ["StepCancelAsked"]
    assert kinds(script.wait(1.0)) == []
    script.end(Result.CANCELLED, "cancelled", moves=3)

    assert script.last(EpisodeEnded).outcome == "budget"
    assert len(script.all(StepDispatched)) == 1


def test_waiting_for_people_costs_no_step() -> None:
    script = Scripted(opened(total=1, budgets=Budgets(steps=3, decisions=None, tokens=None)))
    script.see("can_1", 3, 4)
    script.answer(*collect("can_1"))
    script.wait(50.0)

    assert script.state.ending is None
    script.approve()
    assert script.state.dispatch is not None


@pytest.mark.parametrize("steps", [None, 100])
def test_within_its_budget_it_goes_on(steps: int | None) -> None:
    script = collecting(total=2, steps=steps)
    for _ in range(5):
        script.end()

    assert script.state.ending is None
    assert script.state.spent.steps == 5


def test_what_happens_after_the_end_is_still_measured() -> None:
    script = collecting(total=1)
    for _ in range(5):
        script.end()

    assert kinds(script.wait(100.0)) == []
    assert len(script.all(EpisodeEnded)) == 1
