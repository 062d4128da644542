"""A ROS robot's own safety rules; `make mutants` switches each off and demands that its test notices."""

import pytest

from robot_bridge.ros.child.guards import refuse_silent_parent
from robot_bridge.ros.config import read_robot
from robot_bridge.ros.files import robot_file
from robot_bridge.ros.goals import refusal_of
from robot_bridge.world import Pose, Step
from tests.bridge.ros.test_ros_robot_file import with_change

ROVER = read_robot(robot_file("simulated-rover", None))


@pytest.mark.parametrize(
    ("silent_s", "running", "stops"), [(0.5, True, False), (2.5, True, True), (60.0, False, False)]
)
def test_a_skill_ends_when_the_bridge_process_is_silent(silent_s: float, running: bool, stops: bool) -> None:
    assert (refuse_silent_parent(silent_s, running) is not None) is stops


@pytest.mark.parametrize("place", [Pose(9.0, 1.0), Pose(1.0, -2.0)])
def test_no_goal_outside_the_workspace_is_sent(place: Pose) -> None:
    refusal = refusal_of(ROVER, Step("navigate", {"to": "can_01"}, place))

    assert refusal is not None
    assert refusal.code == "out_of_workspace"
    assert refusal.remedy == "Choose a place within x -0.3 to 4.8 m, y -0.3 to 4.8 m."


def test_a_robot_that_is_only_watched_is_sent_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    watched = read_robot(with_change(tmp_path_factory.mktemp("robot"), "shadow", True))

    refusal = refusal_of(watched, Step("grasp", {"target": "can_01"}, Pose(1.0, 2.0)))

    assert refusal is not None
    assert refusal.code == "shadow"
