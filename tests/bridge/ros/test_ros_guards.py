"""A ROS robot's own safety rules; `make mutants` switches each off and demands that its test notices."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from robot_bridge.ros.child.guards import refuse_silent_parent
from robot_bridge.ros.config import RobotFileError, read_robot
from robot_bridge.ros.files import robot_file
from robot_bridge.ros.goals import goal_values, refusal_of
from robot_bridge.ros.listening import Listening
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


def with_speed(folder: Path, most: float | None = 0.5, asked: Any = "$speed_asked") -> Path:
    """The simulated rover with a skill that is told how fast to go."""
    raw = yaml.safe_load(with_change(folder, "limits.speed_m_s", most).read_text("utf-8"))
    raw["skills"]["creep"] = {
        "action": "creep",
        "type": "quarterdeck_robots/Navigate",
        "goal": {"target": "$goal", "motion": {"speed": asked}},
        "speeds": ["motion.speed"],
        "description": "Go slowly.",
        "arguments": [{"name": "speed_asked", "types": ["number"]}],
    }
    file = folder / "fast.yaml"
    file.write_text(yaml.safe_dump(raw), "utf-8")
    return file


SPEEDS = [
    pytest.param(0.5, None, id="at the limit"),
    pytest.param(-0.4, None, id="backwards"),
    pytest.param(0.51, "is 0.51 m/s", id="faster"),
    pytest.param(-2.0, "is -2 m/s", id="backwards too fast"),
    pytest.param(float("nan"), "is nan m/s", id="NaN"),
    pytest.param("quick", "is 'quick'", id="no number"),
]


@pytest.mark.parametrize(("asked", "told"), SPEEDS)
def test_no_goal_asks_for_more_speed_than_the_file_allows(
    tmp_path: Path, asked: Any, told: str | None
) -> None:
    rover = read_robot(with_speed(tmp_path))
    refusal = refusal_of(rover, Step("creep", {"speed_asked": asked}, Pose(1.0, 1.0)))

    assert (refusal is None) == (told is None)
    if refusal is not None and told is not None:
        assert (refusal.code, refusal.field) == ("too_fast", "step.goal.motion.speed")
        assert refusal.problem.startswith(told)
        assert refusal.remedy == "Ask for 0.5 m/s at most."


def test_the_limit_itself_can_be_sent(tmp_path: Path) -> None:
    rover = read_robot(with_speed(tmp_path, asked="$speed"))
    step = Step("creep", {"speed_asked": 0.1}, Pose(1.0, 1.0))

    assert refusal_of(rover, step) is None
    assert goal_values(rover, step)["motion"] == {"speed": 0.5}


FILES = [
    pytest.param(None, "$speed_asked", "limits.speed_m_s is missing, and skills.creep.speeds", id="no limit"),
    pytest.param(0.5, 0.9, "skills.creep.goal.motion.speed is 0.9, more than limits", id="written too fast"),
    pytest.param(-1.0, "$speed_asked", "limits.speed_m_s is -1. Give a number above 0", id="no speed"),
]


@pytest.mark.parametrize(("most", "asked", "told"), FILES)
def test_what_a_file_says_of_speed_is_checked_at_start(
    tmp_path: Path, most: float | None, asked: Any, told: str
) -> None:
    file = with_speed(tmp_path, 0.5, asked)
    raw = yaml.safe_load(file.read_text("utf-8"))
    raw["limits"]["speed_m_s"] = most
    file.write_text(yaml.safe_dump(raw), "utf-8")

    with pytest.raises(RobotFileError, match=told):
        read_robot(file)


def test_a_robot_that_drives_too_fast_is_told() -> None:
    rover = replace(ROVER, limits=replace(ROVER.limits, speed_m_s=0.5))
    listening = Listening(rover, 1.0)
    state = {"pose": None, "pose_age_s": 0.0, "speed_m_s": 0.8, "troubles": []}
    listening.state(state, 0.0)

    assert listening.troubles(0.1) == ["It drives at 0.8 m/s, more than limits.speed_m_s, 0.5."]
    listening.state({**state, "speed_m_s": 0.5}, 0.2)
    assert listening.troubles(0.3) == []


def test_a_station_that_people_drew_is_a_place_to_go_to() -> None:
    """The bridge goes by the goal's place: it need not know the station."""
    there = Step("deliver", {"object": "can_01", "station": "station_drawn"}, Pose(1.0, 2.0))

    assert refusal_of(ROVER, there) is None
    unplaced = refusal_of(ROVER, there._replace(goal=None))
    assert unplaced is not None
    assert unplaced.code == "unknown_name"
