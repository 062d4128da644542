"""`episodes redact` and `episodes exchanges`: words that go for good, answers that are given again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import Engine
from typer.testing import CliRunner

from backend.cli import app
from backend.domain.episode.events import NoteWritten
from backend.persistence.frames import FrameStore
from backend.persistence.heads import order_episode
from backend.persistence.leases import release
from backend.persistence.plain import audit_trail
from backend.persistence.reader import SqlReader
from backend.persistence.redaction import GONE
from backend.planners.recording import load
from backend.processes.exits import Exit
from tests.persistence.episodes import claimed, fill
from tests.support.drill import whole

Ask = Callable[..., Result]


@pytest.fixture
def ask(sqlite_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("QUARTERDECK_HOME", str(tmp_path))
    monkeypatch.setenv("QUARTERDECK_DATABASE_URL", sqlite_engine.url.render_as_string(hide_password=False))
    return lambda *arguments: CliRunner().invoke(app, ["episodes", *arguments])


def stored(engine: Engine, episode: str) -> str:
    """Of an episode that nobody runs any more."""
    order_episode(engine, episode, {}, "ada")
    fill(engine, episode, whole(episode).commits)
    release(engine, claimed(engine, episode))
    return episode


def test_a_note_is_taken_out_and_the_audit_says_why(ask: Ask, sqlite_engine: Engine) -> None:
    episode = stored(sqlite_engine, "texts-1")
    reader = SqlReader(sqlite_engine)
    seq = reader.events(episode, kinds=("note.written",))[0].recorded.seq

    done = ask("redact", episode, "--seq", str(seq), "--reason", "a name")

    assert done.exit_code == 0, done.output
    [entry] = reader.events(episode, after=seq - 1, until=seq)
    assert isinstance(entry.recorded.event, NoteWritten)
    assert entry.recorded.event.text == GONE
    assert audit_trail(sqlite_engine, limit=1)[0].after == "a name"
    assert reader.verify(episode) == []


def test_a_picture_is_taken_out(ask: Ask, sqlite_engine: Engine, tmp_path: Path) -> None:
    episode = stored(sqlite_engine, "texts-2")
    sha256 = SqlReader(sqlite_engine).rows("frames", episode)[0]["sha256"]

    assert ask("redact", episode, "--frame", sha256, "--reason", "a face").exit_code == 0
    assert not FrameStore(str(tmp_path / "frames")).has(sha256)
    assert audit_trail(sqlite_engine, limit=1)[0].subject == sha256


WRONG = [
    pytest.param(["--reason", "x"], "either --seq or --frame", id="neither"),
    pytest.param(["--reason", "x", "--seq", "3", "--frame", "ab"], "either --seq or --frame", id="both"),
    pytest.param(["--reason", "x", "--frame", "ab"], "shows no frame ab", id="another's frame"),
]


@pytest.mark.parametrize(("options", "says"), WRONG)
def test_what_cannot_go(ask: Ask, sqlite_engine: Engine, options: list[str], says: str) -> None:
    order_episode(sqlite_engine, "texts-3", {}, "ada")
    done = ask("redact", "texts-3", *options)

    assert done.exit_code == Exit.BAD_INPUT
    assert says in done.stderr


def test_what_a_model_answered_is_kept_to_be_given_again(
    ask: Ask, sqlite_engine: Engine, tmp_path: Path
) -> None:
    episode = stored(sqlite_engine, "texts-4")
    file = tmp_path / "answers.jsonl"

    done = ask("exchanges", episode, str(file))

    assert done.exit_code == 0, done.output
    recorded = SqlReader(sqlite_engine).events(episode, kinds=("exchange.recorded",), limit=None)
    kept = [attempt for exchange in load(file) for attempt in exchange.attempts]
    assert kept == [entry.recorded.event.exchange for entry in recorded]  # type: ignore[union-attr]
    assert kept


def test_an_episode_that_is_not_there(ask: Ask, tmp_path: Path) -> None:
    done = ask("exchanges", "nowhere", str(tmp_path / "x"))

    assert done.exit_code == Exit.BAD_INPUT
    assert "There is no episode nowhere." in done.stderr
