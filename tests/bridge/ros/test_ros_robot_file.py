"""A robot's file is checked whole at start; each error names the key and what would be right."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from robot_bridge.ros.config import RobotFileError, read_robot
from robot_bridge.ros.files import SHIPPED, robot_file, robot_names
from robot_bridge.ros.goals import catalogue_of, goal_values, refusal_of
from robot_bridge.ros.wiring import child_configuration, ros_environment
from robot_bridge.world import Pose, Step

FILE = SHIPPED / "simulated-rover.yaml"
ROVER = read_robot(FILE)


def with_change(tmp_path: Path, path: str, value: Any) -> Path:
    """The simulated rover's file with one key set otherwise; None takes it away."""
    raw = yaml.safe_load(FILE.read_text("utf-8"))
    *folders, last = path.split(".")
    at = raw
    for name in folders:
        at = at[name]
    if value is None:
        del at[last]
    else:
        at[last] = value
    written = tmp_path / "robot.yaml"
    written.write_text(yaml.safe_dump(raw), "utf-8")
    return written


@pytest.mark.parametrize("name", robot_names(None))
def test_the_files_that_come_along_are_right(name: str) -> None:
    file = robot_file(name, None)

    assert child_configuration(read_robot(file), file.parent, 1.0)["skills"]


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("name", None, "name is missing. Add it."),
        ("speeed", {"topic": "odom"}, "speeed is no key of a robot's file"),
        ("times.lost_s", "soon", "times.lost_s is wrong: expected `float`, got `str`"),
        ("times.lost_s", -1.0, "times.lost_s is -1. Give a number above 0."),
        ("pose.via", "gps", "pose.via is wrong: invalid enum value 'gps'. Choose one of tf, topic."),
        ("pose.via", "topic", "pose.topic is missing, and pose.via is topic"),
        ("namespace", "rover", "namespace is 'rover'. Write one such as /rover_2"),
        ("velocity", None, "velocity is missing. Name the topic that a stop publishes zero velocity on"),
        ("limits.workspace_m", [0, 0, 0, 4], "limits.workspace_m is empty"),
        ("cameras.overhead.topic", "over head", "cameras.overhead.topic is 'over head', no ROS name"),
        (
            "cameras.overhead.kind",
            "mp4",
            "cameras.overhead.kind is wrong: invalid enum value 'mp4'. Choose one of raw, compressed.",
        ),
        ("detections.drone.type", "String", "detections.drone.type is 'String', no ROS type"),
        ("detections.drone.source", "operator", "detections.drone.source is wrong"),
        ("detections.drone.confidence", 2.0, "detections.drone.confidence is 2. Give 0 to 1."),
        ("gripper.holds_from", 0.9, "gripper.holds_from is 0.9. Give less than open_from, 0.7."),
        ("joints", None, "joints is missing, and the gripper is read from it"),
        ("skills.grasp.service", "arm/grasp", "skills.grasp names action and service"),
        ("skills.grasp.action", None, "skills.grasp names nothing"),
        ("skills.grasp.goal", {"object": "$tagret"}, "skills.grasp.goal.object is $tagret. Choose of"),
        ("skills.wave", {"topic": "wave", "type": "std_msgs/Empty"}, "skills.wave.description is missing"),
        ("skills.explore.type", "a/B", "and skills.explore says a/B of the same action"),
        (
            "skills.wave",
            {"service": "wave", "type": "std_srvs/Trigger", "description": "Wave.", "feedback": "phase"},
            "skills.wave.feedback is given, and a service tells none",
        ),
        ("site.cell_m", 0, "site.cell_m is 0. Give a number above 0."),
        ("occupancy", None, "site.size_m is missing. Give [width, height] in metres, or a map"),
        ("site.stations", [{"id": "a", "x_m": 0, "y_m": 0}] * 2, "site.stations name a twice"),
        ("ros.node", "/quarterdeck", "ros.node is '/quarterdeck'"),
    ],
)
def test_what_a_file_gets_wrong_is_told_by_its_key(tmp_path: Path, path: str, value: Any, told: str) -> None:
    file = with_change(tmp_path, path, value)

    with pytest.raises(RobotFileError) as refused:
        read_robot(file)

    assert str(refused.value).startswith("robot.yaml: ")
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [("a: [", "is no YAML"), ("- 1", "the file is wrong"), ("x" * 300_000, "has 300000 characters")],
)
def test_what_is_no_robot_s_file_is_told(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "robot.yaml"
    file.write_text(text)

    with pytest.raises(RobotFileError, match=told):
        read_robot(file)


def test_a_definition_that_is_not_there_is_told(tmp_path: Path) -> None:
    file = with_change(tmp_path, "definitions", ["actions/Fly.action"])

    with pytest.raises(RobotFileError, match=r"definitions: .*Fly\.action cannot be read"):
        child_configuration(read_robot(file), tmp_path, 1.0)


def test_an_unknown_robot_is_told_with_those_that_there_are(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("")

    with pytest.raises(ValueError, match=r"Robot 'mice' is unknown.*Known are: mine, simulated-rover"):
        robot_file("mice", tmp_path)


def test_names_lie_in_the_robot_s_namespace(tmp_path: Path) -> None:
    file = with_change(tmp_path, "namespace", "/rover_2")
    told = child_configuration(read_robot(file), SHIPPED, 1.0)

    assert told["speed"]["topic"] == "/rover_2/odom"
    assert told["skills"]["grasp"]["name"] == "/rover_2/grasp"
    assert told["cameras"]["wrist"]["topic"] == "/rover_2/wrist/image_raw/compressed"


@pytest.mark.parametrize(
    ("master", "ip"), [("http://127.0.0.1:11311", "127.0.0.1"), ("http://robot.lan:11311", None)]
)
def test_a_local_master_binds_loopback_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, master: str, ip: str | None
) -> None:
    monkeypatch.delenv("ROS_IP", raising=False)
    file = with_change(tmp_path, "ros.master", master)

    environment = ros_environment(read_robot(file), tmp_path)

    assert (environment["ROS_MASTER_URI"], environment.get("ROS_IP")) == (master, ip)


GOAL = Pose(1.0, 2.0, 0.0, "map")


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (Step("navigate", {"to": "can_01"}, Pose(9.0, 2.0)), "out_of_workspace"),
        (Step("navigate", {"to": "can_01"}, Pose(1.0, 2.0, 0.0, "odom")), "no_goal"),
        (Step("explore", {"cell": [12.0, 2.0]}), "out_of_workspace"),
        (Step("explore", {"cell": ["a", 2.0]}), "wrong_cell"),
        (Step("grasp", {"target": "can_01"}, GOAL, None, ("rear",)), "unknown_camera"),
        (Step("jump", {}), "unknown_skill"),
        (Step("grasp", {"target": "can_01"}, GOAL), None),
    ],
)
def test_what_a_robot_cannot_do_is_refused_before_anything_is_sent(step: Step, code: str | None) -> None:
    refusal = refusal_of(ROVER, step)

    assert (None if refusal is None else refusal.code) == code


def test_a_goal_is_filled_with_what_the_step_says() -> None:
    step = Step("deliver", {"object": "can_01", "station": "station_west"}, GOAL)

    values = goal_values(ROVER, step)

    assert (values["object"], values["station"]) == ("can_01", "station_west")
    assert values["place"]["header"] == {"frame_id": "map", "stamp": "now"}
    assert values["place"]["pose"]["position"] == {"x": 1.0, "y": 2.0, "z": 0.0}


def test_a_skill_of_one_s_own_is_told_to_the_planner(tmp_path: Path) -> None:
    wave = {
        "service": "arm/wave",
        "type": "std_srvs/Trigger",
        "description": "Wave at somebody.",
        "arguments": [{"name": "times", "types": ["integer"], "description": "How often."}],
    }
    robot = read_robot(with_change(tmp_path, "skills.wave", wave))

    skill = next(each for each in catalogue_of(robot)["skills"] if each["name"] == "wave")

    assert (skill["description"], skill["arguments"][0]["types"]) == ("Wave at somebody.", ["integer"])
