"""Shadow: the planner proposes, people and policies decide, evidence counts, and nothing is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Abort, Hold
from backend.domain.episode.events import (
    ApprovalGranted,
    ApprovalRequested,
    PlanRequested,
    RobotObserved,
    StepDispatched,
    StopAsked,
)
from backend.domain.geometry import Pose
from backend.domain.memory.record import Source
from tests.domain.scripted import Scripted, collect, opened


def shadowed(policy: str) -> Scripted:
    state = opened(policy=policy)
    return Scripted(replace(state, mission=replace(state.mission, shadow=True)))


@pytest.mark.parametrize("policy", ["auto", "on_risk", "every_plan", "every_skill"])
def test_in_shadow_nothing_is_dispatched_whatever_is_approved(policy: str) -> None:
    script = shadowed(policy)
    script.see("can_1", 3, 0, source=Source.ONBOARD)
    script.answer(*collect("can_1"))
    if script.approval.status is ApprovalStatus.PENDING:
        script.approve()
    for _ in range(5):
        script.wait(1.0)
        script.see("can_9", 7, 7)

    assert script.approval.status is ApprovalStatus.APPROVED
    assert script.all(ApprovalGranted)
    assert script.all(StepDispatched) == []


def test_what_the_robot_s_drivers_change_is_planned_for_anew() -> None:
    script = shadowed("auto")
    script.see("can_1", 3, 0)
    script.answer(*collect("can_1"))
    script.wait(1.0)
    script.see("can_1", 6, 0, stamp_s=1.0, q=0.99)
    script.answer(*collect("can_1"))

    assert len(script.all(PlanRequested)) == 2
    assert len(script.all(ApprovalRequested)) == 2
    assert script.all(StepDispatched) == []


def test_where_its_drivers_take_the_robot_is_kept_and_planned_from() -> None:
    script = shadowed("auto")
    length_m = script.state.site.metric.length_m
    at = script.state.robot.pose
    script.tick(robot_pose=replace(at, x_m=at.x_m + 0.4 * length_m))
    assert script.all(RobotObserved) == []
    script.tick(robot_pose=Pose(5.0, 2.0))
    script.tick(robot_pose=Pose(5.0, 2.0))
    script.tick(robot_pose=Pose(9.0, 9.0, 0.0, "elsewhere"))

    assert script.all(RobotObserved) == [RobotObserved(pose=Pose(5.0, 2.0))]
    assert script.state.robot.pose == Pose(5.0, 2.0)


def test_a_robot_of_ours_is_where_its_outcomes_say() -> None:
    script = Scripted(opened(policy="auto"))
    before = script.state.robot
    script.tick(robot_pose=Pose(5.0, 2.0))

    assert script.state.robot == before


def test_who_ends_the_watching_stops_nobody_s_robot() -> None:
    script = shadowed("every_plan")
    script.click(Abort(stop_id="over", reason="seen enough"))

    assert script.all(StopAsked) == []
    assert script.state.ending is not None
    assert script.state.ending.message == "Aborted by operator-1: seen enough"


def test_a_robot_that_is_held_in_shadow_is_ended_like_any_other() -> None:
    script = shadowed("every_plan")
    script.click(Hold(stop_id="hold-1", reason="look out"))
    script.click(Abort(stop_id="over", reason="enough"))

    assert [each.stop_id for each in script.all(StopAsked)] == ["hold-1", "over"]
    assert script.state.ending is None, "it waits for standstill to be measured"


@given(st.lists(st.sampled_from(["see", "move", "answer", "approve", "wait"]), max_size=12))
def test_no_order_of_events_sends_anything(happens: list[str]) -> None:
    script = shadowed("on_risk")
    script.see("can_1", 3, 0)
    for number, each in enumerate(happens):
        if each == "see":
            script.see(f"can_{number + 2}", 7, number % 9)
        elif each == "move":
            script.see("can_1", number % 9, 2, stamp_s=script.met_s, q=0.99)
        elif each == "answer" and script.state.request is not None:
            script.answer(*collect("can_1"))
        elif each == "approve" and _waits(script):
            script.approve()
        else:
            script.wait(1.0)
    assert script.all(StepDispatched) == []


def _waits(script: Scripted) -> bool:
    approval = script.state.approval
    return approval is not None and approval.status is ApprovalStatus.PENDING
