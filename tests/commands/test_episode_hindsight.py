"""`episodes hindsight`: how long plans rested on wrong beliefs, as a shell is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backend.cli import app
from backend.domain.command.policy import Policy
from backend.persistence.frames import FrameStore
from backend.persistence.heads import order_episode
from backend.processes.exits import Exit
from tests.support.homes import new_home
from tests.web.stand import Stand


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With DN-14, seed 1, to its end; the same under way; and one that was only ordered."""
    home = tmp_path_factory.mktemp("home")
    _, engine = new_home(home)
    stand = Stand(engine, FrameStore(str(home / "frames")))
    for name, over in (("ended", True), ("running", False)):
        order_episode(engine, name, {}, "ada")
        played = stand.play("dn-14", seed=1, policy=Policy(mode="auto"), episode=name)
        played.until(lambda state, over=over: state.ending is not None if over else state.seq > 300)
    order_episode(engine, "ordered", {}, "ada")
    engine.dispose()
    return home


def ask(home: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["episodes", "hindsight", *arguments, "--home", str(home)])
    return done.exit_code, done.output


def test_it_says_for_how_long_and_why(home: Path) -> None:
    code, text = ask(home, "ended")

    assert code == Exit.OK
    assert "plans rested on records for 83 s, on wrong ones for 3 s, by the simulator." in text
    assert "3.0 s  A false report was believed" in text
    assert "bottle_05" in text


def test_a_program_is_told_the_same(home: Path) -> None:
    code, text = ask(home, "ended", "--json")
    told = json.loads(text)

    assert code == Exit.OK
    assert (told["certain_s"], told["at_most_s"], told["by_why"]) == (3.0, 3.0, {"false_report": 3.0})
    [span] = told["spans"]
    assert (span["entity"], span["kind"], span["distance_m"]) == ("bottle_05", "wrong_pose", 5.0)


def test_where_things_are_is_not_told_while_it_runs(home: Path) -> None:
    told = json.loads(ask(home, "running", "--json")[1])

    assert told["has_truth"] is False
    assert "once the episode has ended" in told["why_no_truth"]
    assert told["certain_s"] <= told["at_most_s"]


@pytest.mark.parametrize(
    ("episode", "says"), [("ordered", "has not begun"), ("nobody", "nobody")], ids=["ordered", "unknown"]
)
def test_what_is_not_there_is_said(home: Path, episode: str, says: str) -> None:
    code, text = ask(home, episode)

    assert code != Exit.OK
    assert says in text


def test_running_the_world_again_tells_what_its_tape_tells(home: Path) -> None:
    by_tape, again = (json.loads(ask(home, "ended", "--json", *more)[1]) for more in ((), ("--run-again",)))

    assert again["has_truth"] is True
    assert again == by_tape
