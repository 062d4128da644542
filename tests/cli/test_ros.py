"""`quarterdeck ros check|demo`: a robot's file, and the five-container mission on a real ROS system."""

from pathlib import Path

import pytest

from backend.bootstrap import mission_files
from backend.config import load_settings
from backend.processes.exits import Exit
from robot_bridge.ros.config import read_robot
from robot_bridge.ros.files import SHIPPED
from robot_bridge.ros.places import RosPlace
from tests.cli.program import quarterdeck
from tests.cli.test_commands import ask_in


def test_check_says_what_a_file_maps(tmp_path: Path) -> None:
    done = quarterdeck(tmp_path, "ros", "check", str(SHIPPED / "simulated-rover.yaml"))

    assert done.code == 0
    assert "grasp by action grasp" in done.out
    assert "overhead on overhead/image_raw" in done.out


def test_check_names_the_key_that_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        (SHIPPED / "simulated-rover.yaml").read_text("utf-8").replace("lost_s: 2.0", "lost_s: never")
    )

    done = quarterdeck(tmp_path, "ros", "check", str(file))

    assert done.code == 2
    assert done.err.startswith("quarterdeck: mine.yaml: times.lost_s is wrong")


def test_a_new_robot_can_be_checked_and_its_mission_chosen_at_once(tmp_path: Path) -> None:
    made = ask_in(tmp_path, "ros", "new", "my-rover")
    assert made.exit_code == 0, made.stderr
    file = tmp_path / "ros" / "my-rover.yaml"

    checked = ask_in(tmp_path, "ros", "check", str(file))
    assert checked.stdout.startswith("my-rover at ")
    assert "only watched" in checked.stdout
    robot, mission = read_robot(file), mission_files(load_settings(home=tmp_path)).get("my-rover")
    assert (robot.ros.node, robot.shadow) == ("quarterdeck_my_rover", True)
    assert mission.world.scenario == "my-rover"
    assert robot.skills.keys() == read_robot(SHIPPED / "simulated-rover.yaml").skills.keys()


@pytest.mark.parametrize(("name", "told"), [("my-rover", "is there already"), ("../up", "is no name")])
def test_a_robot_that_cannot_be_made_is_one_line(tmp_path: Path, name: str, told: str) -> None:
    ask_in(tmp_path, "ros", "new", "my-rover")
    made = ask_in(tmp_path, "ros", "new", name)

    assert made.exit_code == Exit.BAD_INPUT
    assert told in made.stderr
    assert len(made.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", range(1, 11))
def test_the_demo_delivers_five_of_five(tmp_path: Path, seed: int, ros_place: RosPlace) -> None:
    done = quarterdeck(tmp_path, "ros", "demo", "--approve", "auto", "--seed", str(seed), "--json")

    result = done.json
    assert (result["outcome"], result["delivered"], result["total"]) == ("completed", 5, 5)
