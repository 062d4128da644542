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


def test_each_field_is_explained() -> None:
    page = (ROOT / "docs" / "how-to" / "find-a-moment.md").read_text("utf-8")

    assert [name for name in (*MOMENT, *EPISODE) if f"| `{name}` |" not in page] == []
