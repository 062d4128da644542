"""Commands that look: each says what it found, as a table and as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from backend.cli import app
from backend.processes.exits import Exit
from tests.cli.program import clean_environment
from tests.support.homes import new_home

Ask = Callable[..., Result]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where one mission has run."""
    home = tmp_path_factory.mktemp("home")
    done = ask_in(home, "mission", "run", "recycling-s6", "--json")
    assert done.exit_code == 0, done.stderr
    return home


@pytest.fixture
def ask(home: Path) -> Ask:
    return lambda *arguments, **options: ask_in(home, *arguments, **options)


def ask_in(home: Path, *arguments: str, **options: Any) -> Result:
    environment = {**dict.fromkeys(("OPENAI_API_KEY", "QUARTERDECK_PLANNER_API_KEY")), **clean_environment()}
    return CliRunner().invoke(app, ["--home", str(home), *arguments], env=environment, **options)


@pytest.fixture(scope="module")
def episode(home: Path) -> str:
    [found] = json.loads(ask_in(home, "episodes", "list", "--json").stdout)
    return str(found["episode"])


def test_missions_are_listed_with_where_they_play_and_who_is_asked(ask: Ask) -> None:
    table = ask("mission", "list").stdout
    listed = json.loads(ask("mission", "list", "--json").stdout)

    assert "recycling-dn14 grid dn-14 every_plan attention, frames gated" in " ".join(table.split())
    names = [each["name"] for each in listed]
    assert names == sorted(names)
    assert {"recycling-d10", "recycling-dn14", "recycling-ros"} <= set(names)
    assert all(each["goal"] for each in listed)


def test_episodes_are_listed(ask: Ask, episode: str) -> None:
    table = ask("episodes", "list").stdout

    assert table.splitlines()[0].split() == ["EPISODE", "PHASE", "DELIVERED", "STEPS", "NEEDS", "ORDERED"]
    assert f"{episode}  completed  6 of 6" in table


def test_an_episode_is_shown_with_what_it_was_ordered_with(ask: Ask, episode: str) -> None:
    shown = json.loads(ask("episodes", "show", episode, "--json").stdout)

    assert (shown["outcome"], shown["delivered"], shown["seed"]) == ("completed", 6, 1)
    assert shown["request"]["planner"] == "policy"
    assert "outcome:        completed" in ask("episodes", "show", episode).stdout


def test_an_ended_episode_is_followed_to_its_end(ask: Ask, episode: str) -> None:
    lines = ask("episodes", "follow", episode).stdout.splitlines()
    told = json.loads(ask("episodes", "follow", episode, "--after", "2", "--json").stdout)

    assert "episode.opened" in lines[0]
    assert "All 6 delivered to their stations" in lines[-1]
    assert [each["seq"] for each in told["events"]] == list(range(3, len(lines) + 1))
    assert told["outcome"] == "completed"


def test_verify_finds_nothing_amiss_and_then_a_changed_byte(tmp_path: Path) -> None:
    done = json.loads(ask_in(tmp_path, "mission", "run", "recycling-s6", "--json").stdout)
    episode = done["episode"]
    assert "nothing amiss" in ask_in(tmp_path, "episodes", "verify", episode).stdout

    _, engine = new_home_of(tmp_path)
    with engine.begin() as connection:
        changed = "UPDATE events SET payload = replace(payload, 'bottle', 'bottel') WHERE seq = 5"
        connection.exec_driver_sql(changed)

    verified = ask_in(tmp_path, "episodes", "verify", episode, "--json")
    assert verified.exit_code == Exit.FELL_SHORT
    first = json.loads(verified.stdout)["faults"][0]
    assert (first["table"], first["key"], first["column"]) == ("events", "seq 5", "payload")


def new_home_of(home: Path) -> Any:
    from backend.bootstrap import open_engine
    from backend.config import load_settings

    settings = load_settings(home=home)
    return settings, open_engine(settings)


def test_the_doctor_says_what_is_there_and_what_is_missing(ask: Ask) -> None:
    done = ask("doctor", "--json")
    found = {each["name"]: each for each in json.loads(done.stdout)["findings"]}

    assert done.exit_code == 0
    assert {name for name, each in found.items() if each["state"] == "ok"} >= {
        "python",
        "home",
        "database",
        "missions",
    }
    assert found["model"]["state"] == "note"
    assert "QUARTERDECK_PLANNER_API_KEY" in found["model"]["remedy"]
    assert "✓ database" in ask("doctor").stdout


def test_the_doctor_is_not_content_without_a_home(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = ask_in(tmp_path / "file", "doctor")

    assert done.exit_code == Exit.FELL_SHORT
    assert "✗ home" in done.stdout
    assert "Make it writable, or name another with --home" in done.stdout


def test_a_database_is_made_and_upgraded_once(tmp_path: Path) -> None:
    made = json.loads(ask_in(tmp_path / "new", "db", "upgrade", "--json").stdout)
    again = ask_in(tmp_path / "new", "db", "upgrade")

    assert (made["before"], made["after"]) == (None, made["after"])
    assert f"is at {made['after']} already" in again.stdout


def test_an_account_is_added_with_a_password_from_a_pipe_and_listed(tmp_path: Path) -> None:
    new_home(tmp_path)
    added = ask_in(tmp_path, "accounts", "add", "mara", "--role", "admin", input="a long password\n")
    short = ask_in(tmp_path, "accounts", "add", "noor", input="short\n")

    assert (added.exit_code, short.exit_code) == (0, Exit.BAD_INPUT)
    assert "The password has 5 characters. Give at least 10" in short.stderr
    listed = json.loads(ask_in(tmp_path, "accounts", "list", "--json").stdout)
    assert listed == [{"name": "mara", "role": "admin", "active": True, "signs_in_by": "password"}]


def test_the_version_is_told() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout.startswith("quarterdeck 0.")
