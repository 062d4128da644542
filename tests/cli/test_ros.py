"""`quarterdeck ros check|demo`: a robot's file, and the five-container mission on a real ROS system."""

from pathlib import Path

import pytest

from robot_bridge.ros.files import SHIPPED
from robot_bridge.ros.places import RosPlace
from tests.cli.program import quarterdeck


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


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", range(1, 11))
def test_the_demo_delivers_five_of_five(tmp_path: Path, seed: int, ros_place: RosPlace) -> None:
    done = quarterdeck(tmp_path, "ros", "demo", "--approve", "auto", "--seed", str(seed), "--json")

    result = done.json
    assert (result["outcome"], result["delivered"], result["total"]) == ("completed", 5, 5)
