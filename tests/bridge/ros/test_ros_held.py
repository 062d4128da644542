"""What a ROS robot holds is what its gripper is measured to hold, whatever its skills say."""

from typing import Any, cast

import pytest

from robot_bridge.ros.config import read_robot
from robot_bridge.ros.files import robot_file
from robot_bridge.ros.process import Child as Process
from robot_bridge.ros.world import RosWorld
from robot_bridge.world import Outcome, Pose, Step

ROBOT = read_robot(robot_file("simulated-rover", None))
OPEN, SHUT, HOLDS = 1.0, 0.02, 0.35
PLACE = Pose(1.0, 1.0)


class Child:
    """As the world uses it; says what a test says."""

    has_begun = is_ready = True
    lives, pid, why_not = 1, None, ""

    def __init__(self) -> None:
        self.says: list[tuple[dict[str, Any], bytes]] = []
        self.goal_id = ""

    def begin(self) -> None: ...

    def tend(self) -> None: ...

    def close(self) -> None: ...

    def send(self, kind: str, **fields: Any) -> bool:
        self.goal_id = fields.get("goal_id", self.goal_id)
        return True

    def take(self) -> list[tuple[dict[str, Any], bytes]]:
        says, self.says = self.says, []
        return says


class Rig:
    def __init__(self) -> None:
        self.child, self.now_s = Child(), 0.0
        self.world = RosWorld(ROBOT, cast(Process, self.child), lambda: self.now_s)

    def hear(self, gripper: float, *more: dict[str, Any]) -> Outcome | None:
        self.now_s += 0.1
        pose = {"x_m": 1.0, "y_m": 1.0, "yaw_rad": 0.0, "frame_id": "map"}
        state = {
            "kind": "state", "ros_s": self.now_s, "utc_s": 0.0, "pose": pose, "pose_age_s": 0.0,
            "speed_m_s": 0.0, "still": True, "halting": False, "progress": "",
            "joints": {"gripper_servo": gripper}, "joints_age_s": 0.0, "battery": None,
            "robots": [], "troubles": [],
        }  # fmt: skip
        self.child.says = [(each, b"") for each in (*more, state)]
        return self.world.elapse(self.now_s)

    def run(self, step: Step, end: str, reason: str, gripper: float) -> Outcome:
        self.world.start(step)
        ended = {"kind": "ended", "goal_id": self.child.goal_id, "end": end, "message": ""}
        outcome = self.hear(gripper, {**ended, "result": {"reason": reason}}) or self.hear(gripper)
        assert outcome is not None
        return outcome


@pytest.fixture
def rig() -> Rig:
    """It has grasped can_01."""
    rig = Rig()
    rig.hear(OPEN)
    grasped = rig.run(Step("grasp", {"target": "can_01"}, PLACE), "succeeded", "grasped", HOLDS)
    assert (grasped.result, grasped.measured.held) == ("succeeded", "can_01")
    return rig


DELIVER = Step("deliver", {"object": "can_01", "station": "station_west"}, PLACE)
ENDS = [
    pytest.param("succeeded", "delivered", OPEN, "succeeded", None, id="let go"),
    pytest.param("failed", "place_failed", OPEN, "failed", None, id="said to have failed, and open"),
    pytest.param("failed", "place_failed", HOLDS, "failed", "can_01", id="failed, and held still"),
    pytest.param("succeeded", "delivered", HOLDS, "failed", "can_01", id="said to be done, and held still"),
    pytest.param("cancelled", "", SHUT, "cancelled", None, id="fallen meanwhile"),
]


@pytest.mark.parametrize(("end", "reason", "gripper", "result", "held"), ENDS)
def test_what_is_held_after_a_delivery_was_measured(
    rig: Rig, end: str, reason: str, gripper: float, result: str, held: str | None
) -> None:
    outcome = rig.run(DELIVER, end, reason, gripper)

    assert (outcome.result, outcome.measured.held) == (result, held)
    assert outcome.measured.gripper_open is (gripper == OPEN)


@pytest.mark.parametrize(("gripper", "held"), [(SHUT, None), (OPEN, None), (HOLDS, "can_01")])
def test_what_falls_between_two_skills_is_held_no_more(rig: Rig, gripper: float, held: str | None) -> None:
    rig.hear(gripper)
    rig.hear(gripper)

    assert rig.world.measure().held == held
