"""Commands from the command line: on this home, and of a running console with a token; judged as clicks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from backend.bootstrap import ready_engine
from backend.cli import app
from backend.config import load_settings
from backend.persistence import accounts, tokens
from backend.processes.exits import Exit
from backend.web.app import create_app
from tests.support.serving import serving
from tests.web.stand import Played, Stand, prepared


@dataclass
class Terminal:
    """Runs a command on the home, or with `environment` at the server that it names."""

    home: Path
    stand: Stand
    environment: dict[str, str] = field(default_factory=dict)

    def run(self, *words: str, typed: str | None = None) -> tuple[int, str]:
        given = ["--home", str(self.home), *words]
        answer = CliRunner().invoke(app, given, input=typed, env=self.environment)
        assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.exception
        return answer.exit_code, answer.output


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def stand(home: Path) -> Stand:
    return prepared(ready_engine(load_settings(home=home)), home / "frames")


@pytest.fixture(scope="module", params=["this home", "a server"])
def terminal(request: pytest.FixtureRequest, home: Path, stand: Stand) -> Iterator[Terminal]:
    if request.param == "this home":
        yield Terminal(home, stand)
        return
    token = tokens.issue(stand.engine, "boss", "api", 600.0, scopes=("read", "hold", "command"))
    patient = replace(stand.settings, answer_within_s=20.0)
    with serving(create_app(stand.deps(settings=patient))) as url:
        yield Terminal(home, stand, {"QUARTERDECK_SERVER": url, "QUARTERDECK_TOKEN": token})


@pytest.fixture
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(lambda state: state.approval is not None).running() as played:
        yield played


def digest_of(terminal: Terminal, episode: str) -> str:
    code, told = terminal.run("approvals", "list", "--json")
    assert code == 0
    return next(each["pins_digest"] for each in json.loads(told) if each["episode"] == episode)


def test_a_plan_is_approved_by_what_was_read(terminal: Terminal, played: Played) -> None:
    digest = digest_of(terminal, played.episode)
    code, told = terminal.run("approvals", "approve", played.episode, "0" * 12)
    assert (code, f"What waits now is {digest[:12]}" in told) == (Exit.REFUSED, True)
    assert played.state.dispatches == 0

    code, told = terminal.run("approvals", "approve", played.episode, digest[:12])
    assert (code, told) == (0, f"Approved plan 1 of {played.episode}.\n")
    assert terminal.run("approvals", "approve", played.episode, digest[:12])[0] == Exit.REFUSED


def test_a_plan_is_rejected_with_a_reason(terminal: Terminal, played: Played) -> None:
    digest = digest_of(terminal, played.episode)
    assert terminal.run("approvals", "reject", played.episode, digest, "--reason", " ")[0] == Exit.BAD_INPUT
    code, told = terminal.run("approvals", "reject", played.episode, digest, "--reason", "Not that one.")
    assert (code, told) == (0, f"Rejected plan 1 of {played.episode}.\n")
    assert played.state.guidance[-1].text == "Not that one."


def test_a_robot_is_held_and_released_in_two_steps(terminal: Terminal, played: Played) -> None:
    code, told = terminal.run("hold", played.episode, "--reason", "A dog")
    assert (code, "Stopped." in told) == (0, True)
    assert [stop.reason for stop in played.state.stops] == ["A dog"]

    code, told = terminal.run("release", played.episode)
    assert code == Exit.BAD_INPUT
    for line in ("A dog", "Plan 1 is left.", "Give --area-is-clear"):
        assert line in told
    assert played.state.is_held
    assert terminal.run("release", played.episode, "--area-is-clear")[0] == 0
    assert not played.state.is_held
    assert terminal.run("release", played.episode)[1] == "Nothing is held.\n"


def test_a_stop_that_is_not_confirmed_is_an_alarm(
    terminal: Terminal, stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.commands.stops.CONFIRMED_WITHIN_S", 0.2)
    idle = stand.play("s-6").until(lambda state: state.approval is not None)
    code, told = terminal.run("hold", idle.episode)
    assert code == Exit.FELL_SHORT
    assert "Stop not confirmed. See to the robot" in told

    idle.tick(5)
    assert [stop.confirmed for stop in idle.state.stops] == [True]
    assert terminal.run("hold", idle.episode)[0] == Exit.FELL_SHORT, "the older one proves nothing of this"


def test_an_episode_is_aborted_and_what_is_held_is_said(terminal: Terminal, played: Played) -> None:
    assert terminal.run("abort", played.episode)[0] == Exit.BAD_INPUT
    code, told = terminal.run("abort", played.episode, "--yes", "--reason", "Rain")
    assert (code, "Rain" in told, "The robot holds nothing." in told) == (0, True, True)
    assert played.state.ending is not None


def test_the_conn_is_taken_shown_and_let_go(terminal: Terminal, played: Played) -> None:
    assert terminal.run("conn", "show", played.episode)[1] == "Nobody has the conn.\n"
    assert terminal.run("conn", "take", played.episode)[0] == 0
    assert "has the conn." in terminal.run("conn", "show", played.episode)[1]
    code, told = terminal.run("conn", "give", played.episode, "--to", "op-2")
    assert (code, "op-2 does not ask for the conn now." in told) == (Exit.REFUSED, True)
    assert terminal.run("conn", "keep", played.episode, "op-2")[0] == Exit.REFUSED
    assert terminal.run("conn", "give", played.episode)[1] == "Nobody has the conn.\n"
    assert terminal.run("conn", "ask", played.episode)[0] == Exit.REFUSED


def test_an_unknown_episode_is_named(terminal: Terminal) -> None:
    code, told = terminal.run("hold", "nowhere")
    assert (code, "There is no episode nowhere." in told) == (Exit.BAD_INPUT, True)


def test_a_server_takes_a_token_and_one_that_is_away_is_said(home: Path, stand: Stand) -> None:
    away = Terminal(home, stand, {"QUARTERDECK_SERVER": "http://127.0.0.1:9", "QUARTERDECK_TOKEN": "x"})
    code, told = away.run("approvals", "list")
    assert (code, "http://127.0.0.1:9 does not answer" in told) == (Exit.CANNOT_START, True)
    without = Terminal(home, stand, {"QUARTERDECK_SERVER": "http://127.0.0.1:9"})
    code, told = without.run("approvals", "list")
    assert (code, "A server takes a token." in told) == (Exit.BAD_INPUT, True)


def test_tokens_are_made_listed_and_revoked(home: Path, stand: Stand) -> None:
    here = Terminal(home, stand)
    code, told = here.run("tokens", "create", "--user", "watcher", "--scope", "command")
    assert (code, "A viewer commands nothing" in told) == (Exit.BAD_INPUT, True)
    scopes = ("--scope", "read", "--scope", "hold")
    code, told = here.run("tokens", "create", "--user", "op-1", *scopes, "--label", "ci")
    assert code == 0
    token = told.split()[-1]
    found = tokens.bearer(stand.engine, token)
    assert found is not None
    assert found.scopes == ("read", "hold")
    rows = json.loads(here.run("tokens", "list", "--json")[1])
    (mine,) = [each["id"] for each in rows if each["label"] == "ci"]
    assert token not in str(rows)
    assert here.run("tokens", "revoke", mine)[0] == 0
    assert tokens.bearer(stand.engine, token) is None
    assert here.run("tokens", "revoke", mine)[0] == Exit.BAD_INPUT


def test_accounts_are_seen_to(home: Path, stand: Stand) -> None:
    here = Terminal(home, stand)
    assert here.run("accounts", "add", "lee", "--role", "viewer", typed="a long enough one\n")[0] == 0
    assert here.run("accounts", "password", "lee", typed="short\n")[0] == Exit.BAD_INPUT
    assert here.run("accounts", "password", "lee", typed="another long one\n")[0] == 0
    assert here.run("accounts", "role", "lee", "operator")[0] == 0
    assert here.run("accounts", "disable", "lee")[0] == 0
    lee = accounts.user_named(stand.engine, "lee")
    assert lee == accounts.User(name="lee", role="operator", active=False)
    assert here.run("accounts", "enable", "lee")[0] == 0
    code, told = here.run("accounts", "role", "nobody", "viewer")
    assert (code, "There is no user nobody." in told) == (Exit.BAD_INPUT, True)
