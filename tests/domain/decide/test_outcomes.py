"""Measured outcomes: what each leaves of the record, the plan and the approval; and dispatches in doubt."""

from __future__ import annotations

import pytest

from backend.domain.command.intents import AskAgain, Release, Resolve
from backend.domain.episode.events import (
    DispatchInDoubt,
    FramesRecorded,
    PlanCompleted,
    PlanInvalidated,
    StepDispatched,
    StepEnded,
)
from backend.domain.execution.outcome import Result
from backend.domain.geometry import Pose
from backend.domain.memory.record import Field, FieldChange, Status
from tests.domain.query.test_blocks import frames
from tests.domain.scripted import CANS, Scripted, collect, event, kinds, opened, step

SUCCEEDED, FAILED, STOPPED = Result.SUCCEEDED, Result.FAILED, Result.STOPPED
CANCELLED, NOT_EXECUTED = Result.CANCELLED, Result.NOT_EXECUTED


def at_step(number: int, *, policy: str = "auto") -> Scripted:
    """can_1 is collected; step `number` of navigate, approach, grasp, navigate, deliver is in flight."""
    script = Scripted(opened(policy=policy))
    script.see("can_1", 3, 4)
    script.see("can_2", 8, 8)
    script.answer(*collect("can_1"))
    for _ in range(number):
        script.end()
    return script


STATUS = {
    "navigate succeeded": (0, SUCCEEDED, "arrived", Status.OBSERVED, True),
    "navigate failed": (0, FAILED, "unreachable", Status.RECONSIDER, False),
    "navigate cancelled": (0, CANCELLED, "cancelled", Status.OBSERVED, False),
    "navigate stopped": (0, STOPPED, "stopped", Status.OBSERVED, True),
    "navigate not executed": (0, NOT_EXECUTED, "unreachable", Status.OBSERVED, False),
    "approach failed": (1, FAILED, "blocked", Status.RECONSIDER, False),
    "approached, and it is not there": (1, FAILED, "absent", Status.LOST, False),
    "grasp succeeded": (2, SUCCEEDED, "grasped", Status.GRASPED, True),
    "grasp slipped": (2, FAILED, "grasp_slipped", Status.RECONSIDER, False),
    "grasped at nothing": (2, FAILED, "absent", Status.LOST, False),
    "grasp stopped": (2, STOPPED, "stopped", Status.OBSERVED, True),
    "grasp not executed": (2, NOT_EXECUTED, "out_of_reach", Status.OBSERVED, False),
    "carried": (3, SUCCEEDED, "arrived", Status.GRASPED, True),
    "carrying failed": (3, FAILED, "unreachable", Status.GRASPED, False),
    "delivery failed, still held": (4, FAILED, "place_failed", Status.GRASPED, False),
}


@pytest.mark.parametrize(
    ("number", "result", "reason", "status", "plan_stands"), STATUS.values(), ids=STATUS.keys()
)
def test_what_an_outcome_says_of_its_entity(
    number: int, result: Result, reason: str, status: Status, plan_stands: bool
) -> None:
    script = at_step(number)

    script.end(result, reason)

    assert script.record("can_1").status is status
    assert script.record("can_2").status is Status.OBSERVED
    assert (script.state.plan is not None) is plan_stands


@pytest.mark.parametrize(
    ("number", "held", "status"),
    [
        pytest.param(2, None, Status.RECONSIDER, id="a grasp that holds nothing"),
        pytest.param(2, "can_2", Status.RECONSIDER, id="a grasp of another"),
        pytest.param(4, "can_1", Status.GRASPED, id="a delivery that still holds"),
    ],
)
def test_a_success_that_is_not_measured_is_a_failure(number: int, held: str | None, status: Status) -> None:
    script = at_step(number)

    tick = script.end(held=held)

    ended = event(tick, StepEnded).outcome
    assert (ended.result, ended.reason) == (FAILED, "not_as_measured")
    assert script.record("can_1").status is status
    assert script.state.plan is None


def test_what_is_delivered_stands_at_its_station_and_the_plan_is_complete() -> None:
    script = at_step(4)

    tick = script.end()

    assert event(tick, StepEnded).changes == (
        FieldChange("can_1", Field.STATUS, "grasped", "delivered"),
        FieldChange("can_1", Field.POSE, Pose(3, 4), Pose(0, 0)),
    )
    assert (script.record("can_1").status, script.record("can_1").pose) == (Status.DELIVERED, Pose(0, 0))
    assert script.state.delivered == {"can_1": CANS}
    assert kinds(tick) == ["StepEnded", "PlanCompleted", "PlanRequested"]
    assert script.state.request is not None
    assert not script.state.request.cause.is_replan


def test_seen_again_at_its_station_it_is_still_delivered() -> None:
    """The camera has no ids: what it sees at the station is what was put there."""
    script = at_step(4)
    script.end()

    script.see(None, 0.2, 0.1)

    assert set(script.state.memory.records) == {"can_1", "can_2"}
    assert script.record("can_1").status is Status.DELIVERED


DROPPED = {
    "on the way, noticed on arrival": (3, SUCCEEDED, "arrived", Pose(0, 0)),
    "on the way, which ended it": (3, FAILED, "dropped", Pose(3, 4)),
    "in a stop": (3, STOPPED, "stopped", Pose(3, 4)),
    "while being delivered": (4, FAILED, "place_failed", Pose(0, 0)),
}


@pytest.mark.parametrize(("number", "result", "reason", "place"), DROPPED.values(), ids=DROPPED.keys())
def test_what_was_dropped_is_to_be_collected_again(
    number: int, result: Result, reason: str, place: Pose
) -> None:
    script = at_step(number)

    tick = script.end(result, reason, held=None)

    assert (script.record("can_1").status, script.record("can_1").pose) == (Status.RECONSIDER, place)
    assert not event(tick, StepEnded).predicted
    assert script.state.robot.held is None
    assert "can_1" in [each.id for each in script.state.memory.ordered() if each.status is Status.RECONSIDER]


def test_a_plan_does_not_deliver_what_was_dropped() -> None:
    script = at_step(3)

    script.end(SUCCEEDED, "arrived", held=None)

    assert script.state.plan is None
    assert script.last(PlanInvalidated).cause.message == (
        "No longer possible: Step 5 object: Nothing is held then. "
        "Navigate to, approach and grasp can_1 before this step."
    )


def test_a_failed_skill_says_so_and_the_next_plan_starts_from_what_was_achieved() -> None:
    script = at_step(2)

    tick = script.end(FAILED, "grasp_slipped")

    cause = event(tick, PlanInvalidated).cause
    assert (cause.kind, cause.message, cause.entity) == ("failed", "grasp failed: grasp_slipped", "can_1")
    assert script.state.after_failure
    assert script.state.request is not None
    assert script.state.robot.pose == Pose(3, 4)


SHORT = {
    "cancelled by the robot": (
        CANCELLED,
        "teach_pendant",
        "navigate was cancelled by the robot: teach_pendant",
    ),
    "not executed": (NOT_EXECUTED, "unreachable", "navigate was not executed: unreachable"),
}


@pytest.mark.parametrize(("result", "reason", "message"), SHORT.values(), ids=SHORT.keys())
def test_a_command_that_did_not_run_is_not_sent_again(result: Result, reason: str, message: str) -> None:
    """Even where nobody is asked: what comes next comes from a new plan."""
    script = at_step(0)

    script.end(result, reason)

    assert script.last(PlanInvalidated).cause.message == message
    assert len(script.all(StepDispatched)) == 1
    assert script.state.request is not None


def test_frames_are_recorded_after_the_outcome_they_belong_to() -> None:
    script = at_step(2)

    tick = script.end(frames=frames(False, True))

    assert kinds(tick)[:2] == ["StepEnded", "FramesRecorded"]
    assert event(tick, FramesRecorded).dispatch_id == "e1-d3"


def test_an_outcome_heard_twice_counts_once() -> None:
    script = at_step(0)
    outcome = event(script.end(), StepEnded).outcome

    assert kinds(script.tick(outcomes=(outcome,))) == []
    assert script.state.cursor == 1


def test_a_step_asked_to_cancel_may_still_succeed_and_that_is_what_counts() -> None:
    script = at_step(2)
    script.see("can_1", 5, 4, q=1.0)
    assert script.state.plan is None

    tick = script.end()

    assert script.record("can_1").status is Status.GRASPED
    assert script.all(PlanCompleted) == []
    assert kinds(tick) == ["StepEnded", "PlanRequested"]


def test_nothing_follows_a_step_that_was_asked_to_cancel_before_it_has_ended() -> None:
    script = at_step(0)
    script.see("can_1", 5, 4, q=1.0)
    script.wait(5.0)

    assert script.state.dispatch is not None
    assert script.state.request is None
    assert len(script.all(StepDispatched)) == 1
    script.end(CANCELLED, "cancelled")
    assert script.state.request is not None


def in_doubt() -> Scripted:
    script = at_step(2)
    script.lose_the_ledger()
    return script


def test_a_lost_ledger_holds_and_asks_a_person() -> None:
    script = in_doubt()

    assert script.state.asks_person == "The ledger is lost."
    assert script.state.is_held
    assert script.state.dispatch is not None
    assert script.state.dispatch.in_doubt
    script.lose_the_ledger()
    assert len(script.all(DispatchInDoubt)) == 1


def test_a_doubt_is_neither_released_nor_asked_around() -> None:
    script = in_doubt()
    stop_id = script.state.stops[0].id

    assert script.click(Release(stop_ids=(stop_id,))).code == "in_doubt"
    assert script.click(AskAgain()).code == "in_doubt"


@pytest.mark.parametrize(
    ("executed", "result", "status"),
    [(True, FAILED, Status.OBSERVED), (False, NOT_EXECUTED, Status.OBSERVED)],
    ids=["it moved", "it never moved"],
)
def test_a_person_s_account_ends_the_doubt(executed: bool, result: Result, status: Status) -> None:
    script = in_doubt()

    assert script.click(
        Resolve(dispatch_id="e1-d3", executed=executed, account="It stood at the can.")
    ).applied

    outcome = script.last(StepEnded).outcome
    assert (outcome.result, outcome.reason, outcome.message) == (
        result,
        "told_by_operator",
        "It stood at the can.",
    )
    assert script.record("can_1").status is status
    assert script.state.dispatch is None
    assert script.state.asks_person == ""
    assert script.state.plan is None
    script.click(Release(stop_ids=(script.state.stops[0].id,)))
    assert script.state.request is not None
    assert "told by operator-1" in script.state.request.cause.message
    assert len(script.all(StepDispatched)) == 3


def test_only_the_dispatch_in_doubt_can_be_accounted_for() -> None:
    script = in_doubt()

    assert script.click(Resolve(dispatch_id="e1-d2", executed=True, account="")).code == "not_in_doubt"
    assert at_step(2).click(Resolve(dispatch_id="e1-d3", executed=True, account="")).code == "not_in_doubt"


def test_an_outcome_that_turns_up_after_all_ends_the_doubt_by_measurement() -> None:
    script = in_doubt()

    script.end()

    assert script.record("can_1").status is Status.GRASPED
    assert script.state.asks_person == ""


def test_a_doubt_about_what_has_ended_is_none() -> None:
    script = at_step(2)
    dispatch = script.state.dispatch
    script.end()
    assert dispatch is not None
    from backend.domain.decide.turn import Doubt

    assert kinds(script.tick(doubts=(Doubt(dispatch_id=dispatch.id, reason=""),))) == []


def test_the_cells_of_a_search_are_counted_as_they_are_entered() -> None:
    script = Scripted(opened(policy="auto"))
    script.tick()
    script.answer(step("explore", cell=(1.0, 2.0)))
    script.end()

    assert script.state.swept == {(1, 1)}
