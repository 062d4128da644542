"""The bridge as a process: killed, frozen, stopped, flooded, and started where it cannot be."""

import json
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from robot_bridge.__main__ import main
from robot_bridge.sqlite_ledger import open_ledger
from robot_bridge.world import Pose, Step
from tests.bridge.process import Client, Process, bridge, client, is_kind
from tests.bridge.support import navigate

PACED = ("--clock", "runs", "--tick-s", "0.1")
Start = Callable[..., tuple[int, str]]

FAR = Step("navigate", {"to": "station_metal"}, Pose(7.0, 7.0))


def executions(home: Path) -> dict[str, int]:
    ledger = open_ledger(home)
    try:
        return ledger.executions()
    finally:
        ledger.close()


def start_moving(runner: Client, dispatch_id: str) -> None:
    """The skill is under way when this returns: at least one step of it was seen."""
    runner.send("resume", after=0)
    assert runner.submit(dispatch_id, FAR)["state"] == "running"
    runner.wait_for(lambda report: report["kind"] == "telemetry" and report["robots"][0]["pose"]["x_m"] > 0)


class TestKilledInTheMiddleOfASkill:
    @pytest.fixture
    def home(self, tmp_path: Path) -> Path:
        """Of a bridge that was killed while it executed d1, with all that happened before acknowledged."""
        home = tmp_path / "home"
        with bridge(home, *PACED) as process, client(process) as runner:
            runner.hello()
            start_moving(runner, "d1")
            process.kill()
        return home

    def test_a_known_dispatch_is_not_executed_again(self, home: Path) -> None:
        with bridge(home, *PACED) as process, client(process) as runner:
            assert runner.hello()["latched"] == ["restart-1"]
            again = runner.submit("d1", FAR)
            runner.send("release", epoch=1, stop_id="restart-1")
            once_more = runner.submit("d1", FAR)

        for reply in (again, once_more):
            assert (reply["state"], reply["outcome"]["reason"]) == ("ended", "restarted")
        assert executions(home) == {"d1": 1}

    def test_the_world_is_as_it_was_and_nothing_moves_by_itself(self, home: Path) -> None:
        with bridge(home, *PACED) as process, client(process) as runner:
            hello = runner.hello()
            outcome = runner.send("status", dispatch_id="d1")["outcome"]
            time.sleep(0.4)
            later = runner.hello()

        assert hello["met_s"] > 0
        assert hello["robots"][0]["pose"]["x_m"] == outcome["measured"]["pose"]["x_m"] > 0
        assert outcome["measured"]["moves"] == len(outcome["measured"]["path"])
        assert later["robots"][0] == hello["robots"][0]
        assert later["met_s"] > hello["met_s"]

    def test_the_outcome_and_the_stop_are_reported_to_whoever_comes(self, home: Path) -> None:
        with bridge(home, *PACED) as process, client(process) as runner:
            runner.send("resume", after=0)
            first = runner.numbered()
        with bridge(home, *PACED) as process, client(process) as runner:
            runner.send("resume", after=0)
            again = runner.numbered()
            runner.send("acknowledge", through=first[-1]["report"])
        with bridge(home, *PACED) as process, client(process) as runner:
            runner.send("resume", after=0)
            acknowledged = runner.numbered()

        assert [each["kind"] for each in first if each["kind"] != "evidence"] == ["outcome", "stopped"]
        assert again[: len(first)] == first
        assert not {each["report"] for each in acknowledged} & {each["report"] for each in first}

    def test_a_lost_ledger_is_told_to_whoever_asks(self, home: Path) -> None:
        (home / "ledger.sqlite").unlink()

        with bridge(home, *PACED) as process, client(process) as runner:
            status = runner.send("status", dispatch_id="d1")

        assert (status["state"], status["ledger"]) == ("unknown", "lost")


class TestStop:
    def test_whoever_is_connected_may_stop_and_all_are_told(self, tmp_path: Path) -> None:
        with bridge(tmp_path / "home", *PACED) as process, client(process) as runner, client(process) as web:
            runner.hello()
            start_moving(runner, "d1")

            asked_s = time.monotonic()
            reply = web.send("stop", stop_id="s1", actor="operator:ada")
            took_s = time.monotonic() - asked_s

            assert (reply["latched"], reply["standstill"]) == (True, True)
            assert took_s < 1.0
            assert runner.wait_for(is_kind("stopped"))["actor"] == "operator:ada"
            assert web.reports == []
            assert runner.submit("d2", FAR)["error"]["code"] == "latched"

    def test_it_outlives_a_kill(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        with bridge(home, *PACED) as process, client(process) as web:
            web.send("stop", stop_id="s1", actor="operator:ada")
            process.kill()
        with bridge(home, *PACED) as process, client(process) as runner:
            assert runner.hello()["latched"] == ["s1"]
            assert runner.submit("d1", FAR)["error"]["code"] == "latched"


class TestWatchdog:
    def test_two_seconds_of_silence_stop_the_robot(self, tmp_path: Path) -> None:
        """Real time: observed for three times the bound."""
        with (
            bridge(tmp_path / "home", "--clock", "runs", "--tick-s", "0.5") as process,
            client(process) as runner,
        ):
            runner.hello()
            runner.send("resume", after=0)
            assert runner.submit("d1", FAR)["state"] == "running"
            deadline_s = time.monotonic() + 6.0
            while time.monotonic() < deadline_s:
                runner.receive()

            trips = [each for each in runner.reports if each["kind"] == "watchdog"]
            outcome = runner.wait_for(is_kind("outcome"))["outcome"]
            standing = runner.hello()["robots"][0]["pose"]

        assert [each["stop_id"] for each in trips] == ["watchdog-1"]
        assert 2.0 < trips[0]["silent_s"] < 4.0
        assert outcome["reason"] == "watchdog"
        assert standing == outcome["measured"]["pose"]

    def test_heartbeats_keep_it_going(self, tmp_path: Path) -> None:
        with (
            bridge(tmp_path / "home", "--clock", "runs", "--tick-s", "0.2") as process,
            client(process) as runner,
        ):
            runner.hello()
            runner.send("resume", after=0)
            runner.submit("d1", FAR)

            outcome = runner.wait_for(is_kind("outcome"), beating=True)["outcome"]

        assert (outcome["reason"], outcome["measured"]["moves"]) == ("arrived", 14)

    def test_a_frozen_bridge_wakes_up_to_a_stop_and_makes_up_for_nothing(self, tmp_path: Path) -> None:
        with bridge(tmp_path / "home", *PACED) as process, client(process) as runner:
            runner.hello()
            start_moving(runner, "d1")
            process.send_signal(signal.SIGSTOP)
            time.sleep(2.5)
            process.send_signal(signal.SIGCONT)

            outcome = runner.wait_for(is_kind("outcome"))["outcome"]

        assert outcome["reason"] == "watchdog"
        assert outcome["measured"]["moves"] < 14


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A bridge that several tests may send nonsense to."""
    with bridge(tmp_path_factory.mktemp("waiting") / "home", "--clock", "waits") as process:
        yield process


class TestBadInput:
    @pytest.mark.parametrize(
        ("sent", "problem"),
        [
            pytest.param("{", "is no JSON", id="no JSON"),
            pytest.param("[]", "is no JSON object", id="a list"),
            pytest.param(b"\xff\x00", "is no JSON", id="bytes"),
            pytest.param('{"op": "fly", "id": 1}', 'is "fly"', id="unknown operation"),
            pytest.param('{"op": "stop", "id": 1}', "is missing", id="missing field"),
            pytest.param("x" * 3_000_000, "has 3000000 characters", id="oversized"),
        ],
    )
    def test_it_is_answered_and_the_bridge_lives_on(
        self, waiting: Process, sent: str | bytes, problem: str
    ) -> None:
        with client(waiting) as runner:
            runner.connection.send(sent)
            answer = runner.receive()

            assert problem in answer["error"]["problem"]
            assert answer["error"]["remedy"]
            assert runner.hello()["ok"]

    def test_what_no_bridge_could_read_closes_that_line_alone(self, waiting: Process) -> None:
        with client(waiting) as flooding, client(waiting) as runner:
            flooding.connection.send("x" * 17_000_000)

            assert runner.hello()["ok"]

    def test_a_browser_s_page_cannot_connect(self, waiting: Process) -> None:
        page = Origin("http://elsewhere.example")
        with pytest.raises(InvalidStatus) as refused, connect(waiting.ready["address"], origin=page):
            pass

        assert refused.value.response.status_code == 403

    def test_a_token_is_asked_for_where_one_is_set(self, tmp_path: Path) -> None:
        secret = {"QUARTERDECK_BRIDGE_TOKEN": "k9"}
        with bridge(tmp_path / "home", "--clock", "waits", environment=secret) as process:
            for shown in (None, "k8"):
                with pytest.raises(InvalidStatus) as refused, client(process, token=shown):
                    pass
                assert refused.value.response.status_code == 401
            with client(process, token="k9") as runner:
                assert runner.hello()["ok"]


class TestAWorldThatWaits:
    def test_a_step_s_reports_come_before_the_reply_to_advance(self, tmp_path: Path) -> None:
        with bridge(tmp_path / "home", "--clock", "waits") as process, client(process) as runner:
            runner.hello()
            runner.send("resume", after=0)
            runner.submit("d1", navigate(1, 0))

            reply = runner.send("advance", epoch=1)

            assert (reply["state"], reply["met_s"]) == ("ended", 1)
            assert runner.numbered()[-1]["outcome"] == reply["outcome"]

    def test_it_ends_cleanly_when_asked_to_and_comes_back_as_it_was(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        with bridge(home, "--clock", "waits") as process, client(process) as runner:
            runner.hello()
            runner.submit("d1", FAR)
            runner.send("advance", epoch=1)
            process.send_signal(signal.SIGTERM)
            assert process.popen.wait(20) == 0
        with bridge(home, "--clock", "waits") as process, client(process) as runner:
            hello = runner.hello()
            outcome = runner.send("status", dispatch_id="d1")["outcome"]

        assert (hello["latched"], hello["met_s"]) == ([], 1)
        assert outcome["reason"] == "shutdown"


class TestWhereItCannotStart:
    @pytest.fixture
    def start(self, capsys: pytest.CaptureFixture[str]) -> Start:
        """The exit code and the last line on stderr."""

        def start(home: Path, *options: str) -> tuple[int, str]:
            code = main(["--home", str(home), *options])
            printed = capsys.readouterr()
            assert printed.out == ""
            return code, printed.err.strip().splitlines()[-1]

        return start

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--world", "moon"), "World moon is unknown. Choose one of grid, arena, tabletop, ros."),
            (("--scenario", "dn-15"), "scenario dn-15 is unknown. Choose one of s-6, d-10, dn-14"),
            (("--scenario", "custom", "--parameters", "{"), "--parameters is no JSON"),
            (("--scenario", "custom", "--parameters", '{"size": 1}'), "size is 1. Give 3 to 60."),
            (("--seed", "-1"), "The seed is -1. Give 0 or more."),
            (("--tick-s", "0"), "The tick is 0 s. Give 0.01 s or more."),
            (("--host", "0.0.0.0"), "Set QUARTERDECK_BRIDGE_TOKEN, or listen on 127.0.0.1."),
        ],
        ids=lambda value: value[0] if isinstance(value, tuple) else None,
    )
    def test_it_says_why_and_what_to_do(
        self, tmp_path: Path, start: Start, options: tuple[str, ...], message: str
    ) -> None:
        code, last_line = start(tmp_path / "home", *options)

        assert code == 2
        assert message in last_line

    def test_a_port_in_use(self, tmp_path: Path, start: Start) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            code, last_line = start(tmp_path / "home", "--port", str(port))

        assert code == 2
        assert f"Cannot listen on 127.0.0.1 port {port}" in last_line
        assert "Give another --port" in last_line

    def test_a_home_that_is_taken_or_of_another_world(self, tmp_path: Path, start: Start) -> None:
        home = tmp_path / "home"
        with bridge(home, "--clock", "waits"):
            taken = start(home, "--seed", "1")
        other = start(home, "--seed", "2")

        assert taken == (2, f"robot_bridge: Another bridge runs in {home}. Stop it, or give another --home.")
        assert other[0] == 2
        assert "This home holds scenario dn-14 with seed 1" in other[1]

    def test_the_ready_line_is_one_json_document(self, tmp_path: Path) -> None:
        with bridge(tmp_path / "home", "--clock", "waits") as process:
            ready = process.ready
            hello_id = json.loads(json.dumps(ready))["ledger_id"]
            with client(process) as runner:
                assert runner.hello()["ledger_id"] == hello_id

        assert ready["ready"] is True
        assert ready["address"].startswith("ws://127.0.0.1:")
