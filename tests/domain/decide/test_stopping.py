"""Hold, release, abort and the late deny: latched from their commit, confirmed by measured standstill."""

from __future__ import annotations

import pytest

from backend.domain.command.intents import Abort, Hold, Reject, Release, TakeConn
from backend.domain.episode.events import (
    EpisodeEnded,
    PlanRequested,
    StepDispatched,
    StopAsked,
    StopConfirmed,
    StopUnconfirmed,
)
from backend.domain.execution.outcome import Result
from tests.domain.decide.test_approving import planned
from tests.domain.scripted import OPERATOR, OTHER, VIEWER, Scripted, approving, collect, kinds, opened


def moving() -> Scripted:
    """The robot is on its way to can_1 under an approved plan."""
    script = planned()
    script.approve()
    return script


def held() -> Scripted:
    """It was held on its way, has stopped, and stands still."""
    script = moving()
    script.click(Hold(stop_id="s1", reason="People"), VIEWER, "viewer")
    script.end(Result.STOPPED, "stopped")
    script.stand_still("s1")
    return script


def test_a_hold_is_latched_and_nothing_goes_until_it_is_released() -> None:
    script = moving()

    settlement = script.click(Hold(stop_id="s1", reason="People"), VIEWER, "viewer")

    assert settlement.applied
    (stop,) = script.state.stops
    assert (stop.id, stop.asked_by, stop.reason, stop.confirmed) == ("s1", VIEWER, "People", False)
    script.end(Result.STOPPED, "stopped")
    for _ in range(5):
        script.wait(1.0)
    assert len(script.all(StepDispatched)) == 1


def test_a_hold_is_honoured_however_late() -> None:
    script = moving()

    assert script.click(Hold(stop_id="s1"), in_s=-3600.0).applied
    assert script.state.is_held


def test_a_hold_sent_twice_is_one_stop() -> None:
    script = moving()
    script.click(Hold(stop_id="s1"))

    assert script.click(Hold(stop_id="s1")).applied
    assert len(script.all(StopAsked)) == 1


def test_standstill_is_confirmed_for_the_stop_it_was_measured_for() -> None:
    script = moving()
    script.click(Hold(stop_id="s1"))
    script.click(Hold(stop_id="s2"), OTHER)

    script.stand_still("s2")

    assert [(stop.id, stop.confirmed) for stop in script.state.stops] == [("s1", False), ("s2", True)]
    script.stand_still("s2")
    assert len(script.all(StopConfirmed)) == 1


WAITS = {"just in time": (1.0, False), "too long": (1.01, True)}


@pytest.mark.parametrize(("waited_s", "alarmed"), WAITS.values(), ids=WAITS.keys())
def test_a_stop_without_standstill_is_an_alarm(waited_s: float, alarmed: bool) -> None:
    script = moving()
    script.click(Hold(stop_id="s1"))

    script.tick(stop_waits_s={"s1": waited_s})
    script.tick(stop_waits_s={"s1": waited_s})

    assert script.state.stops[0].unconfirmed_alarm is alarmed
    assert len(script.all(StopUnconfirmed)) == alarmed


def test_standstill_ends_the_wait_for_an_alarm() -> None:
    script = moving()
    script.click(Hold(stop_id="s1"))
    script.stand_still("s1")

    assert kinds(script.tick(stop_waits_s={"s1": 5.0})) == []


def test_what_the_bridge_stopped_by_itself_is_latched_here_too() -> None:
    script = moving()

    script.stand_still("watchdog-1", by="watchdog")

    (stop,) = script.state.stops
    assert (stop.id, stop.asked_by, stop.confirmed) == ("watchdog-1", "watchdog", True)


def test_a_standstill_of_no_stop_we_know_latches_nothing() -> None:
    script = moving()
    script.stand_still("s9")

    assert not script.state.is_held


def test_a_hold_outlives_the_plan_and_nothing_is_asked_while_it_lasts() -> None:
    script = planned()
    script.click(Hold(stop_id="s1"))
    script.see("can_1", 5, 4, q=1.0)
    assert script.state.plan is None
    script.wait(5.0)

    assert script.state.request is None
    assert script.state.need is not None
    script.click(Release(stop_ids=("s1",)))
    assert script.state.request is not None


RELEASES = {
    "what is latched": (("s1",), None),
    "nothing": ((), "other_stop"),
    "another stop": (("s2",), "other_stop"),
    "more than is latched": (("s1", "s2"), "other_stop"),
}


@pytest.mark.parametrize(("stop_ids", "code"), RELEASES.values(), ids=RELEASES.keys())
def test_a_release_names_exactly_what_is_latched(stop_ids: tuple[str, ...], code: str | None) -> None:
    script = held()

    settlement = script.click(Release(stop_ids=stop_ids))

    assert (None if settlement.applied else settlement.code) == code
    assert script.state.is_held is (code is not None)


def test_a_hold_that_came_since_is_not_released_unseen() -> None:
    script = held()
    script.click(Hold(stop_id="s2"), VIEWER, "viewer")

    assert script.click(Release(stop_ids=("s1",))).message == "Another hold came since."


def test_a_release_without_a_hold_says_so() -> None:
    assert planned().click(Release(stop_ids=("s1",))).code == "not_held"


def test_a_release_waits_for_the_end_of_the_step_under_way() -> None:
    script = moving()
    script.click(Hold(stop_id="s1"))

    assert script.click(Release(stop_ids=("s1",))).code == "in_flight"
    script.end(Result.STOPPED, "stopped")
    assert script.click(Release(stop_ids=("s1",))).applied


def test_a_release_needs_the_conn() -> None:
    script = held()
    script.click(TakeConn(over=OPERATOR), OTHER, "admin")

    assert script.click(Release(stop_ids=("s1",))).code == "conn"
    assert script.click(Release(stop_ids=("s1",)), OTHER).applied


def test_releasing_is_not_approving() -> None:
    script = held()
    script.click(Release(stop_ids=("s1",)))
    script.wait(10.0)

    assert len(script.all(StepDispatched)) == 1
    assert script.approve().applied
    assert len(script.all(StepDispatched)) == 2


def test_an_approval_of_before_the_hold_is_worth_nothing_after_it() -> None:
    script = planned()
    page = approving(script.approval)
    script.click(Hold(stop_id="s1"))

    assert script.click(page).code == "decided"
    script.click(Release(stop_ids=("s1",)))
    assert script.click(page).code == "gone"
    assert script.all(StepDispatched) == []


def test_nothing_is_approved_while_held() -> None:
    """Not even a question that was asked in the same tick in which the hold arrives."""
    script = planned()

    tick = script.tick(intents=(script.intent(approving(script.approval)), script.intent(Hold(stop_id="s1"))))

    assert [settlement.applied for settlement in sorted(tick.settled, key=lambda each: each.intent_id)] == [
        False,
        True,
    ]
    assert script.all(StepDispatched) == []


def test_a_hold_and_an_outcome_in_one_tick_go_on_no_further() -> None:
    script = moving()
    hold = script.intent(Hold(stop_id="s1"))
    dispatch = script.state.dispatch
    assert dispatch is not None
    ended = Scripted(script.state)
    outcome = ended.end().events[0].event.outcome  # type: ignore[union-attr]

    tick = script.tick(intents=(hold,), outcomes=(outcome,))

    assert kinds(tick)[:3] == ["StopAsked", "ApprovalConsumed", "StepEnded"]
    assert "StepDispatched" not in kinds(tick)


def test_a_late_deny_stops_what_it_denies() -> None:
    script = moving()

    settlement = script.click(Reject(approval_id="e1-a1", reason="Not there!", stop_id="s1"), in_s=-60.0)

    assert settlement.applied
    assert script.last(StopAsked).reason == "Denied late: Not there!"
    assert script.state.is_held
    assert script.state.plan is None
    script.end(Result.STOPPED, "stopped")
    assert len(script.all(StepDispatched)) == 1


def test_a_deny_between_two_steps_ends_the_plan_without_a_hold() -> None:
    """Nothing moves then, so there is nothing to stop."""
    script = planned("every_skill")
    script.approve()
    script.end()
    script.click(Reject(approval_id="e1-a2", reason="", stop_id="s1"))

    assert not script.state.is_held
    assert script.last(PlanRequested).cause.message == f"Plan 1 was rejected by {OPERATOR}: no reason given"


DENIED = {"another": ("e1-a9", "gone"), "one used up": ("e1-a1", "decided")}


@pytest.mark.parametrize(("approval_id", "code"), DENIED.values(), ids=DENIED.keys())
def test_a_deny_of_what_cannot_run_says_so(approval_id: str, code: str) -> None:
    script = planned()
    script.click(Hold(stop_id="s0"))

    settlement = script.click(Reject(approval_id=approval_id, reason="", stop_id="s1"))

    assert (settlement.applied, settlement.code) == (False, code)


def test_a_deny_before_any_question_says_so() -> None:
    script = Scripted(opened())

    assert script.click(Reject(approval_id="e1-a1", reason="", stop_id="s1")).code == "gone"


def test_an_abort_ends_the_episode_once_the_robot_stands_still() -> None:
    script = moving()

    assert script.click(Abort(stop_id="s1", reason="Gripper hot")).applied
    assert script.state.ending is None
    script.stand_still("s1")
    assert script.state.ending is None, "the step under way has no outcome yet"
    script.end(Result.STOPPED, "stopped")

    assert script.state.ending is not None
    assert script.last(EpisodeEnded).message == f"Aborted by {OPERATOR}: Gripper hot."


def test_an_abort_whose_stop_came_back_from_the_bridge_first_is_still_an_abort() -> None:
    script = moving()
    script.stand_still("s1", by=OPERATOR)
    assert [(stop.abort, stop.confirmed) for stop in script.state.stops] == [(False, True)]

    assert script.click(Abort(stop_id="s1", reason="Servo hot")).applied

    (stop,) = script.state.stops
    assert (stop.reason, stop.abort, stop.confirmed) == ("Servo hot", True, True)
    script.end(Result.STOPPED, "stopped")
    assert script.last(EpisodeEnded).message == f"Aborted by {OPERATOR}: Servo hot."


def test_the_words_of_a_hold_count_though_its_stop_came_back_from_the_bridge_first() -> None:
    script = moving()
    script.stand_still("s1", by=OPERATOR)

    script.click(Hold(stop_id="s1", reason="A dog"))
    script.click(Hold(stop_id="s1", reason="A dog"))

    (stop,) = script.state.stops
    assert (stop.reason, stop.asked_by, stop.confirmed) == ("A dog", OPERATOR, True)
    assert len(script.all(StopAsked)) == 2


def test_an_abort_says_what_is_still_held() -> None:
    script = moving()
    for _ in range(3):
        script.end()
    script.click(Abort(stop_id="s1"))
    script.end(Result.STOPPED, "stopped")
    script.stand_still("s1")

    ended = script.last(EpisodeEnded)
    assert (ended.outcome, ended.held, ended.delivered, ended.total) == ("aborted", "can_1", 0, 2)


def test_an_abort_without_standstill_ends_with_the_alarm() -> None:
    script = moving()
    script.click(Abort(stop_id="s1", reason="Smoke"))

    script.tick(stop_waits_s={"s1": 1.5})
    script.tick()

    assert script.last(EpisodeEnded).message == f"Aborted by {OPERATOR}: Smoke. Standstill was not confirmed."


def test_an_abort_is_honoured_however_late() -> None:
    assert moving().click(Abort(stop_id="s1"), in_s=-3600.0).applied


def test_an_abort_cannot_be_released() -> None:
    script = moving()
    script.click(Abort(stop_id="s1"))

    assert script.click(Release(stop_ids=("s1",))).code == "not_held"


def test_nothing_stops_what_has_ended() -> None:
    script = moving()
    script.click(Abort(stop_id="s1"))
    script.end(Result.STOPPED, "stopped")
    script.stand_still("s1")

    for action in (
        Hold(stop_id="s2"),
        Abort(stop_id="s3"),
        Reject(approval_id="e1-a1", reason="", stop_id="s4"),
    ):
        assert script.click(action).code == "ended"
    assert script.click(TakeConn()).code == "ended"


def test_a_plan_that_arrives_while_held_waits_for_the_release() -> None:
    script = Scripted(opened())
    script.see("can_1", 3, 4)
    script.click(Hold(stop_id="s1"))

    script.answer(*collect("can_1"))
    assert script.state.plan is not None
    assert script.state.approval is None
    script.click(Release(stop_ids=("s1",)))
    assert script.approval.id == "e1-a1"
