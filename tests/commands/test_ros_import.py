"""`quarterdeck ros import`: a recording through runner and bridge, planned for, and nothing sent."""

import json
from pathlib import Path

import pytest
import yaml

from backend.processes.exits import Exit
from robot_bridge.ros.files import SHIPPED
from tests.cli.program import quarterdeck
from tests.cli.test_commands import ask_in
from tests.support.bags import drive, robot_of, said, seen, write_bag
from tests.support.homes import new_home


@pytest.fixture
def rover(tmp_path: Path) -> Path:
    """The robot's own file: one that could be driven."""
    file = robot_of(tmp_path, "", shadow=False)
    raw = yaml.safe_load(file.read_text("utf-8"))
    raw["definitions"] = [
        str(SHIPPED / "actions" / "Navigate.action"),
        str(SHIPPED / "actions" / "Handle.action"),
    ]
    file.write_text(yaml.safe_dump(raw), "utf-8")
    return file


def test_a_recording_is_planned_for_in_shadow(tmp_path: Path, rover: Path) -> None:
    moved = seen("/drone/detections", 2.5, id="can_01", x_m=4.0, y_m=3.0, confidence=1.0)
    bag = write_bag(tmp_path / "day one.bag", [*drive(3.5), moved])
    done = quarterdeck(tmp_path / "home", "ros", "import", str(bag), str(rover), "--json")

    assert done.code == Exit.OK, done.err
    assert "the recording is over" in done.json["message"]
    assert done.json["steps"] == 0
    assert done.json["planner_calls"] >= 2, "what moved in the recording was not planned for anew"
    written = yaml.safe_load((tmp_path / "home" / "ros" / "recorded-rover-day-one.yaml").read_text("utf-8"))
    assert (written["shadow"], written["bag"]) == (True, str(bag))


WRONG = [
    pytest.param([], "none.bag is not there", id="no recording"),
    pytest.param([said("/chatter", "hello", 0.5)], "holds none of the topics", id="another robot's"),
]


@pytest.mark.parametrize(("recorded", "told"), WRONG)
def test_what_cannot_be_played_is_one_line(
    tmp_path: Path, rover: Path, recorded: list[object], told: str
) -> None:
    bag = tmp_path / "none.bag"
    if recorded:
        write_bag(bag, recorded)  # type: ignore[arg-type]
    done = ask_in(tmp_path / "home", "ros", "import", str(bag), str(rover), "--json")

    assert done.exit_code == Exit.BAD_INPUT
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert json.loads(ask_in(tmp_path / "home", "mission", "list", "--json").stdout)


RECORDED = [
    pytest.param(("--file", "drive.txt"), "Call it .bag or .mcap", id="another ending"),
    pytest.param(("--episode", "none"), "none", id="no episode"),
]


@pytest.mark.parametrize(("words", "told"), RECORDED)
def test_what_cannot_be_recorded_is_one_line(
    tmp_path: Path, rover: Path, words: tuple[str, ...], told: str
) -> None:
    home = tmp_path / "home"
    new_home(home)
    done = ask_in(home, "ros", "record", str(rover), *words)

    assert done.exit_code == Exit.BAD_INPUT, done.stderr
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
