"""`episodes search` and `db index`, as a shell sees them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import Result
from typer.testing import CliRunner

from backend.cli import app
from backend.domain.search.query import EPISODE, MOMENT
from backend.persistence.frames import FrameStore
from backend.processes.exits import Exit
from tests.support.checkout import ROOT
from tests.support.homes import new_home
from tests.support.sent import stored


def ask(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--home", str(home)])


def test_a_moment_is_found_and_the_index_made_again(tmp_path: Path) -> None:
    home = tmp_path / "home"
    _, engine = new_home(home)
    episode = stored(engine, FrameStore(str(home / "frames")))

    shown = ask(home, "episodes", "search", "skill:navigate in:step")
    listed = ask(home, "episodes", "search", "in:guidance", "--json")
    again = ask(home, "db", "index", "--again")
    idle = ask(home, "db", "index", "--json")
    nothing = ask(home, "episodes", "search", "xyzzy")
    wrong = ask(home, "episodes", "search", "colour:red")

    assert (shown.exit_code, episode in shown.stdout) == (0, True), shown.output
    assert [row["kind"] for row in json.loads(listed.stdout)] == ["guidance"]
    assert "1 episode indexed." in again.stdout
    assert json.loads(idle.stdout) == {"indexed": 0}
    assert "Nothing found." in nothing.stdout
    assert (wrong.exit_code, "There is no field colour." in wrong.stderr) == (Exit.BAD_INPUT, True)


def test_what_is_written_is_listed_and_found(tmp_path: Path) -> None:
    home = tmp_path / "home"
    _, engine = new_home(home)
    episode = stored(engine, FrameStore(str(home / "frames")))

    none = ask(home, "episodes", "annotations", episode)
    done = ask(
        home, "episodes", "annotate", episode, "It\nslipped", "--at", "2", "--until", "4", "--tags", "stall"
    )
    wrong = ask(home, "episodes", "annotate", episode, "Late", "--at", "999")
    listed = ask(home, "episodes", "annotations", episode)
    told = json.loads(ask(home, "episodes", "annotations", episode, "--json").stdout)
    found = json.loads(ask(home, "episodes", "search", "tag:stall", "--json").stdout)
    unknown = ask(home, "episodes", "annotations", "nowhere")

    assert "Nobody has written anything." in none.stdout
    assert (done.exit_code, "annotated at event 2" in done.stdout) == (0, True), done.output
    assert (wrong.exit_code, "There is no event 999." in wrong.stderr) == (Exit.BAD_INPUT, True)
    assert "2-4" in listed.stdout
    assert "It slipped" in listed.stdout
    assert [(row["text"], row["tags"]) for row in told] == [("It\nslipped", ["stall"])]
    assert [row["text"] for row in found] == ["It\nslipped"]
    assert unknown.exit_code == Exit.BAD_INPUT


def test_each_field_is_explained() -> None:
    page = (ROOT / "docs" / "how-to" / "find-a-moment.md").read_text("utf-8")

    assert [name for name in (*MOMENT, *EPISODE) if f"| `{name}` |" not in page] == []
