"""`storage show` and `storage prune`, as a shell sees them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import Result
from sqlalchemy import update
from typer.testing import CliRunner

from backend.cli import app
from backend.persistence.connect import writing
from backend.persistence.frames import FrameStore
from backend.persistence.tables.episodes import episodes
from backend.processes.exits import Exit
from tests.support.homes import new_home
from tests.support.sent import stored


def ask(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["storage", *arguments, "--home", str(home)])


def test_what_would_go_is_shown_first(tmp_path: Path) -> None:
    home = tmp_path / "home"
    _, engine = new_home(home)
    store = FrameStore(str(home / "frames"))
    episode, _ = stored(engine, store), stored(engine, store)
    with writing(engine) as connection:
        old = update(episodes).where(episodes.c.episode == episode)
        connection.execute(old.values(updated_utc="2020-01-01T00:00:00.000Z"))

    kept = ask(home, "prune", "--yes")
    shown = ask(home, "prune", "--drop-failed", "--json")
    done = ask(home, "prune", "--drop-failed", "--yes")
    told = json.loads(ask(home, "show", "--json").stdout)
    wrong = ask(home, "prune", "--keep-days", "0")

    assert "Nothing would go." in kept.stdout
    answer = json.loads(shown.stdout)
    assert ([row["episode"] for row in answer["would_go"]], answer["gone"]) == ([episode], None)
    assert (done.exit_code, "Deleted 1 episodes" in done.stdout, episode in done.stdout) == (0, True, True)
    assert [row["episodes"] for row in told["missions"]] == [1]
    assert dict(told["kinds"])["Pictures"] > 0
    assert (wrong.exit_code, "--keep-days" in wrong.stderr) == (Exit.BAD_INPUT, True)
    assert "Free on the disk" in ask(home, "show").stdout
