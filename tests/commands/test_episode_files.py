"""`episodes export` and `import`: from one home into another, as a shell sees it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from backend.cli import app
from backend.persistence.frames import FrameStore
from backend.processes.exits import Exit
from tests.persistence.episodes import new_episode
from tests.support.homes import new_home
from tests.support.recorded import record
from tests.support.sent import stored


def ask(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["episodes", *arguments, "--home", str(home)])


def test_from_one_home_into_another(tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "one.bundle"
    record(new_home(here)[1], "sent-1")
    new_home(there)

    made = ask(here, "export", "sent-1", "--output", str(file))
    taken = ask(there, "import", str(file))
    again = ask(there, "import", str(file), "--json")

    assert (made.exit_code, taken.exit_code, again.exit_code) == (0, 0, 0), made.output + taken.output
    assert "events, imported." in taken.stdout
    assert json.loads(again.stdout)["state"] == "here"
    assert "nothing amiss" in ask(there, "verify", "sent-1").stdout
    replayed = json.loads(ask(there, "replay", "sent-1", "--verify", "--json").stdout)
    assert (replayed["same"], replayed["again"]) == (True, "world")


def test_what_cannot_be_says_why_and_writes_nothing(tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "one.bundle"
    _, engine = new_home(home)
    episode = stored(engine, FrameStore(str(home / "frames")))
    file.write_bytes(b"PK\x03\x04")

    for told, arguments in {
        "is none of names, prompts": ("export", episode, "--output", "a", "--redact", "faces"),
        "--redact is for bundles": (
            "export",
            episode,
            "--output",
            "a",
            "--redact",
            "names",
            "--format",
            "mcap",
        ),
        "There is no episode nobody": ("export", "nobody", "--output", "a", "--format", "jsonl"),
        "is there already": ("export", episode, "--output", str(file)),
        "is no bundle of an episode": ("import", str(file)),
        "cannot be read: No such file": ("import", str(tmp_path / "none")),
    }.items():
        done = ask(home, *arguments)
        assert (done.exit_code, told in done.stderr) == (Exit.BAD_INPUT, True), done.output
    assert file.read_bytes() == b"PK\x03\x04"


@pytest.mark.parametrize("format_", ["mcap", "jsonl"])
def test_it_is_written_for_other_tools(tmp_path: Path, format_: str) -> None:
    home, file = tmp_path / "home", tmp_path / "one"
    _, engine = new_home(home)
    episode = stored(engine, FrameStore(str(home / "frames")))

    done = ask(home, "export", episode, "--output", str(file), "--format", format_)

    assert done.exit_code == 0, done.output
    assert f"messages in {file}" in done.stdout
    assert file.stat().st_size > 1000


def test_tables_are_a_folder(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "tables"
    _, engine = new_home(home)
    episode = stored(engine, FrameStore(str(home / "frames")))

    done = ask(home, "export", episode, "--output", str(folder), "--format", "csv")
    again = ask(home, "export", episode, "--output", str(folder), "--format", "csv")

    assert (done.exit_code, again.exit_code) == (0, Exit.BAD_INPUT), done.output
    assert "telemetry 3, entities" in done.stdout
    assert (folder / "telemetry.csv").read_text("utf-8").startswith("met_s,robot,x_m,y_m")


def test_a_report_opens_without_a_server(tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "report.html"
    _, engine = new_home(home)
    episode = stored(engine, FrameStore(str(home / "frames")))

    done = ask(home, "export", episode, "--output", str(file), "--format", "html")

    assert done.exit_code == 0, done.output
    html = file.read_text("utf-8")
    assert f"from the journal of {episode}" in html
    assert "default-src 'none'" in html
    assert not re.search(r"<script|<link|<a |href=\"/|src=", html)
    assert ".report" in html
    ask(home, "export", episode, "--output", str(file), "--format", "html")
    assert file.read_text("utf-8") == html
    empty = ask(home, "export", new_episode(engine), "--output", str(tmp_path / "e"), "--format", "html")
    assert (empty.exit_code, (tmp_path / "e").exists()) == (Exit.BAD_INPUT, False), empty.output


def test_a_redacted_copy_says_that_it_cannot_be_run_again(tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "one.bundle"
    record(new_home(here)[1], "sent-2")
    new_home(there)

    made = ask(here, "export", "sent-2", "--output", str(file), "--redact", "names,prompts")
    ask(there, "import", str(file))
    replayed = ask(there, "replay", "sent-2", "--verify")

    assert "Left out: names, prompts" in made.stdout
    assert "nothing amiss" in ask(there, "verify", "sent-2").stdout
    assert (replayed.exit_code, "were taken out" in replayed.stderr) == (Exit.BAD_INPUT, True)
