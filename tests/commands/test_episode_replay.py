"""`episodes replay`: the answer that a shell gets, on both databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import Engine, update
from typer.testing import CliRunner

from backend.cli import app
from backend.persistence.connect import writing
from backend.persistence.heads import order_episode
from backend.persistence.redaction import redact
from backend.persistence.tables.inbox import intents
from backend.processes.exits import Exit
from tests.support.recorded import record


@pytest.fixture
def ask(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("QUARTERDECK_HOME", str(tmp_path))
    monkeypatch.setenv("QUARTERDECK_DATABASE_URL", engine.url.render_as_string(hide_password=False))

    def asked(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["episodes", "replay", *arguments])

    return asked


def test_an_episode_with_people_in_it_comes_out_the_same(engine: Engine, ask: object) -> None:
    content = record(engine, "replay-1")

    done = ask("replay-1", "--verify", "--json")

    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["same"], told["again"], told["content"]) == (True, "world", content)
    assert told["difference"] is None
    assert told["made"] == told["events"]
    assert "would be run again in its world" in ask("replay-1").stdout


def test_a_command_that_was_another_is_found_by_its_event(engine: Engine, ask: object) -> None:
    record(engine, "replay-2")
    with writing(engine) as connection:
        mine = (intents.c.episode == "replay-2") & (intents.c.kind == "guide")
        connection.execute(update(intents).where(mine).values(action='{"type":"guide","text":"Run."}'))

    done = ask("replay-2", "--verify")

    assert done.exit_code == Exit.FELL_SHORT
    assert 'text was "Mind the step.", is "Run."' in done.stdout
    assert "(guidance.given) differs" in done.stdout


def test_what_cannot_be_run_again_says_why(engine: Engine, ask: object) -> None:
    order_episode(engine, "replay-3", {"mission": "drill"}, "ada")
    empty = ask("replay-3", "--verify")
    unknown = ask("replay-4", "--verify")
    record(engine, "replay-5")
    with writing(engine) as connection:
        seq = connection.exec_driver_sql(
            "SELECT seq FROM events WHERE episode = 'replay-5' AND kind = 'guidance.given'"
        ).scalar_one()
    redact(engine, "replay-5", seq, "ada", "a name")
    thinned = ask("replay-5", "--verify")

    assert [each.exit_code for each in (empty, unknown, thinned)] == [Exit.BAD_INPUT] * 3
    assert "has not begun" in empty.stderr
    assert "There is no episode replay-4" in unknown.stderr
    assert f"Texts of event {seq} were taken out" in thinned.stderr
