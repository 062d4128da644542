"""A world run on from a call: with nothing changed it goes as it went; with something, on the same tape."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backend.domain.episode.evolve import fold
from backend.planners.policy import PolicyPlanner
from backend.sandbox.asking import changed
from backend.sandbox.change import Change
from backend.sandbox.purse import Allowance, Purse
from backend.sandbox.running import Course, course_of, parting, run_on
from tests.sandbox.recorded_episode import before, calls, journal, world
from tests.sandbox.test_asking_again import Scripted

EVENTS = journal("dn-14", 5)
CALLS = calls(EVENTS)
FREE = Purse(Allowance(calls=0, tokens=0), counts=False)


def recorded(call_index: int) -> Course:
    since = len(before(EVENTS, CALLS[call_index]).log)
    return course_of(fold(EVENTS), since)


@pytest.mark.parametrize("index", [0, 7, -1], ids=["first", "midway", "last"])
def test_with_nothing_changed_it_goes_as_it_went(index: int) -> None:
    call = CALLS[index]
    course = run_on(before(EVENTS, call), world(EVENTS, call), PolicyPlanner(), FREE)

    assert course == recorded(index)
    assert parting(recorded(index), course) is None


def test_with_another_k_it_parts_and_comes_to_an_end() -> None:
    call = CALLS[0]
    state = changed(before(EVENTS, call), Change(memory="static"), call.met_s)
    course = run_on(state, world(EVENTS, call), PolicyPlanner(), FREE)  # type: ignore[arg-type]

    part = parting(recorded(0), course)
    assert course.outcome in ("completed", "budget")
    assert part is not None
    assert course != recorded(0)


def test_a_world_is_restored_to_the_moment_it_was_saved_at() -> None:
    call = CALLS[3]
    ground = world(EVENTS, call)
    saved = ground.save()
    first = run_on(before(EVENTS, call), ground, PolicyPlanner(), FREE)
    ground.restore(saved)

    assert run_on(before(EVENTS, call), ground, PolicyPlanner(), FREE) == first == recorded(3)


def test_the_budget_ends_it_before_the_call_that_it_has_no_room_for() -> None:
    call = CALLS[0]
    planner = Scripted(call.steps or (), *[()] * 9)
    course = run_on(
        before(EVENTS, call), world(EVENTS, call), planner, Purse(Allowance(calls=1, tokens=10**6))
    )

    assert course.outcome == "budget of what-ifs"
    assert len(planner.asked) == 1


def test_what_only_a_person_could_say_ends_it() -> None:
    call = CALLS[0]
    course = run_on(before(EVENTS, call), world(EVENTS, call), Scripted((), ()), FREE)

    assert course.outcome == "asks a person"


def test_the_branch_s_own_mission_bounds_it() -> None:
    call = CALLS[0]
    state = before(EVENTS, call)
    budgets = replace(state.mission.budgets, steps=40)
    bounded = replace(state, mission=replace(state.mission, budgets=budgets))

    course = run_on(bounded, world(EVENTS, call), PolicyPlanner(), FREE)

    assert (course.outcome, course.met_s) == ("budget", 40.0)
