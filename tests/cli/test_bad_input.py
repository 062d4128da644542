"""Whatever is wrong gets one clear line on stderr that names it and the remedy, and starts nothing."""

from __future__ import annotations

import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from backend.commands import mission as mission_command
from backend.processes.exits import Exit
from backend.processes.headless import Unplayable
from tests.cli.program import quarterdeck
from tests.cli.test_commands import ask_in
from tests.support.homes import new_home

RUN = ("mission", "run", "recycling-s6")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("mission", "run", "recycling-s7"), "Mission 'recycling-s7' is unknown. Did you mean recycling-s6?"),
        (
            (*RUN, "--planner", "oracel"),
            "Planner 'oracel' is unknown. Choose one of policy, openai, recorded, ",
        ),
        (
            (*RUN, "--planner", "surrogate"),
            "The planner surrogate plans at a table alone, and this mission's",
        ),
        ((*RUN, "--planner", "openai"), "QUARTERDECK_PLANNER_API_KEY is missing, and OpenAI answers nobody"),
        ((*RUN, "--planner", "recorded"), "QUARTERDECK_PLANNER_RECORDING is not set. Name the file"),
        ((*RUN, "--memory", "atention"), "Memory 'atention' is unknown. Choose one of attention, unfiltered"),
        (
            (*RUN, "--difficulty", "hard"),
            "--difficulty is for missions at the tabletop, and this one's world",
        ),
        ((*RUN, "--episode", "7"), "--episode is for missions at the tabletop, and this one's world is grid"),
        (("episodes", "show", "nope"), "There is no episode nope. Run: quarterdeck episodes list"),
        (("episodes", "verify", "nope"), "There is no episode nope."),
        (("episodes", "follow", "nope"), "There is no episode nope."),
        (("accounts", "add", " mara"), "The name has blanks where nobody sees them."),
    ],
)
def test_it_is_told_in_one_line(arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    new_home(tmp_path)

    done = ask_in(tmp_path, *arguments)

    assert done.exit_code == Exit.BAD_INPUT
    assert done.stderr.startswith("quarterdeck: ")
    assert told in done.stderr
    assert (done.stderr.count("\n"), done.stdout) == (1, "")
    assert ask_in(tmp_path, "episodes", "list", "--json").stdout.strip() == "[]"


@pytest.mark.parametrize(
    "arguments",
    [
        (*RUN, "--approve", "sometimes"),
        (*RUN, "--seed", "-1"),
        (*RUN, "--seed", "many"),
        (*RUN, "--clock", "stops"),
        (*RUN, "--tick-s", "0"),
        ("mission", "run", "tabletop-stop-cube", "--episode", "50"),
        ("mission", "run", "tabletop-stop-cube", "--difficulty", "harder"),
        ("mission", "run"),
        ("missions",),
        ("serve", "--port", "eighty"),
    ],
    ids=" ".join,
)
def test_a_wrong_option_is_refused_with_what_it_takes(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = ask_in(tmp_path, *arguments)

    assert done.exit_code == Exit.BAD_INPUT
    assert "Error" in done.stderr
    assert not (tmp_path / "quarterdeck.db").exists()


def test_a_home_where_nothing_has_run_says_so(tmp_path: Path) -> None:
    done = ask_in(tmp_path, "episodes", "show", "any")

    assert done.exit_code == Exit.BAD_INPUT
    assert "Nothing has run in" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_home_where_nothing_has_run_has_no_episodes(tmp_path: Path) -> None:
    done = ask_in(tmp_path, "episodes", "list", "--json")

    assert done.exit_code == Exit.OK
    assert done.stdout.strip() == "[]"
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    done = ask_in(tmp_path / "file" / "home", *RUN)

    assert done.exit_code == Exit.BAD_INPUT
    assert "cannot be written: Not a directory. Make it writable, or name another with --home" in done.stderr


@pytest.mark.parametrize(
    "arguments", [RUN, ("episodes", "list"), ("db", "upgrade"), ("serve",)], ids=" ".join
)
def test_a_database_from_a_newer_version_is_left_alone(arguments: tuple[str, ...], tmp_path: Path) -> None:
    _, engine = new_home(tmp_path)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    before = dump(tmp_path / "quarterdeck.db")

    done = quarterdeck(tmp_path, *arguments)

    assert done.code == Exit.STORAGE
    assert "was written by a newer Quarterdeck: it is at revision 9999" in done.err
    assert "Install that newer version, or name another database or home." in done.err
    assert "Traceback" not in done.err
    assert dump(tmp_path / "quarterdeck.db") == before


def dump(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def test_a_database_url_of_another_kind_is_refused(tmp_path: Path) -> None:
    done = quarterdeck(tmp_path, *RUN, QUARTERDECK_DATABASE_URL="mysql://somewhere/db")

    assert done.code == Exit.BAD_INPUT
    assert "Write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE." in done.err


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    done = quarterdeck(tmp_path, "mission", "list", QUARTERDECK_PORT="eighty")

    assert done.code == Exit.BAD_INPUT
    assert "QUARTERDECK_PORT is 'eighty'" in done.err


def test_a_mission_file_of_one_s_own_that_is_wrong_is_told_by_its_place(tmp_path: Path) -> None:
    new_home(tmp_path)
    (tmp_path / "missions").mkdir()
    (tmp_path / "missions" / "mine.yaml").write_text("name: mine\ntitel: x")

    done = ask_in(tmp_path, "mission", "run", "mine")

    assert done.exit_code == Exit.BAD_INPUT
    assert "mine.yaml: titel is no field of a mission. Did you mean title?" in done.stderr


def test_a_port_in_use_is_told_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = quarterdeck(tmp_path, "serve", "--port", str(port))

    assert done.code == Exit.CANNOT_START
    assert f"Port {port} is in use. End what uses it, or give another --port, or 0." in done.err


def test_beyond_loopback_it_does_not_open_without_accounts(tmp_path: Path) -> None:
    done = quarterdeck(tmp_path, "serve", "--host", "0.0.0.0", "--port", "0")

    assert done.code == Exit.BAD_INPUT
    assert "Anyone who reaches 0.0.0.0 could command the robots" in done.err
    assert "quarterdeck accounts add NAME --role admin" in done.err


def test_an_unknown_mission_to_start_starts_no_server(tmp_path: Path) -> None:
    done = quarterdeck(tmp_path, "serve", "--start", "recycling-s7", "--port", "0")

    assert done.code == Exit.BAD_INPUT
    assert "Did you mean recycling-s6?" in done.err


def test_a_full_disk_under_way_ends_the_command_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the runner said last is what the command says; the runner's part is tested where faults are."""

    def full(*_: object, **__: object) -> None:
        raise Unplayable("The disk is full. Free some space there, then start again.", Exit.STORAGE)

    new_home(tmp_path)
    monkeypatch.setattr(mission_command, "play", full)

    done = ask_in(tmp_path, *RUN)

    assert done.exit_code == Exit.STORAGE
    assert done.stderr == "quarterdeck: The disk is full. Free some space there, then start again.\n"
