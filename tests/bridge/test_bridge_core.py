"""The bridge core as a runner meets it: fencing, at most once, stop and release, cancel, reports, a failing
ledger.
"""

from pathlib import Path
from typing import Any

import pytest

from robot_bridge import contract
from robot_bridge.bridge import Bridge
from robot_bridge.grid.world import GridWorld
from robot_bridge.ledger import LedgerError, MemoryLedger
from robot_bridge.sqlite_ledger import open_ledger
from robot_bridge.world import Step
from tests.bridge.support import SMALL, Clock, Runner, navigate, quiet_tape, small_world, step_message

GO = navigate(2, 1)
GRASP = Step("grasp", {"target": "bottle_01"})


class MappingWorld(GridWorld):
    """A world that hands out what it is given as its new map."""

    found: dict[str, Any] | None = None

    def __init__(self) -> None:
        super().__init__(SMALL, 0, False, quiet_tape())

    def take_map(self) -> dict[str, Any] | None:
        taken, self.found = self.found, None
        return taken


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture
def world() -> GridWorld:
    return small_world()


@pytest.fixture
def runner(world: GridWorld, ledger: MemoryLedger) -> Runner:
    runner = Runner(Bridge(world, ledger, Clock()))
    runner.hello()
    return runner


def code(reply: dict[str, Any]) -> str | None:
    return None if reply["ok"] else reply["error"]["code"]


class TestHello:
    def test_it_tells_what_a_mission_needs(self, runner: Runner) -> None:
        hello = runner.hello()

        assert (hello["robot"], hello["world"], hello["clock"], hello["total"]) == (
            "rover",
            "grid",
            "waits",
            2,
        )
        assert [skill["name"] for skill in hello["catalogue"]["skills"]] == [
            "navigate", "approach", "grasp", "deliver", "verify", "explore",
        ]  # fmt: skip
        assert [(robot["name"], robot["kind"]) for robot in hello["robots"]] == [
            ("rover", "ground"),
            ("drone", "aerial"),
        ]
        assert [each["entity"] for each in hello["initial"]] == ["bottle_01", "can_02"]

    def test_it_tells_where_the_robot_stands_now_and_what_it_holds(self, runner: Runner) -> None:
        runner.finish("d1", GO)
        runner.finish("d2", GRASP)

        hello = runner.hello()

        assert (hello["robots"][0]["pose"]["x_m"], hello["robots"][0]["pose"]["y_m"]) == (2, 1)
        assert (hello["held"], hello["met_s"]) == ("bottle_01", 4)

    def test_another_contract_is_refused(self, runner: Runner) -> None:
        assert code(runner.send("hello", epoch=9, contract=2)) == "contract_version"
        assert runner.bridge._ledger.highest_epoch() == 1


class TestFencing:
    @pytest.mark.parametrize("operation", ["hello", "submit", "cancel", "release", "heartbeat", "advance"])
    def test_a_runner_that_was_succeeded_commands_nothing(self, runner: Runner, operation: str) -> None:
        successor = Runner(runner.bridge, epoch=2)
        successor.hello()
        successor.submit("d1", GO)
        runner.send("stop", stop_id="s1", actor="someone")

        replies = {
            "hello": lambda: runner.hello(),
            "submit": lambda: runner.submit("d2", GO),
            "cancel": lambda: runner.send("cancel", epoch=1, dispatch_id="d1"),
            "release": lambda: runner.send("release", epoch=1, stop_id="s1"),
            "heartbeat": lambda: runner.send("heartbeat", epoch=1),
            "advance": lambda: runner.advance(),
        }

        assert code(replies[operation]()) == "stale_epoch"
        assert successor.hello()["latched"] == ["s1"]

    def test_an_epoch_that_never_said_hello_commands_nothing(self, runner: Runner) -> None:
        runner.epoch = 2

        assert code(runner.submit("d1", GO)) == "unannounced_epoch"

    def test_a_runner_that_comes_back_under_its_own_epoch_goes_on(self, runner: Runner) -> None:
        runner.submit("d1", GO)

        assert runner.hello()["ok"]
        assert runner.advance()["state"] == "running"

    @pytest.mark.parametrize("operation", ["stop", "status", "resume"])
    def test_whoever_is_connected_may_stop_and_look(self, runner: Runner, operation: str) -> None:
        fields = {
            "stop": {"stop_id": "s1", "actor": "viewer"},
            "status": {"dispatch_id": "d1"},
            "resume": {"after": 0},
        }

        assert Runner(runner.bridge, epoch=0).send(operation, **fields[operation])["ok"]


class TestAtMostOnce:
    def test_the_id_is_in_the_ledger_before_anything_moves(
        self, runner: Runner, world: GridWorld, ledger: MemoryLedger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        known_at_start = []

        def start(step: Step) -> None:
            known_at_start.append(ledger.dispatch("d1"))

        monkeypatch.setattr(world, "start", start)

        runner.submit("d1", GO)

        assert [each.state for each in known_at_start if each] == ["running"]

    def test_a_dispatch_sent_again_while_it_runs_is_told_so(
        self, runner: Runner, ledger: MemoryLedger
    ) -> None:
        runner.submit("d1", GO)
        runner.advance()

        assert runner.submit("d1", GO)["state"] == "running"
        assert ledger.executions() == {"d1": 1}

    def test_a_dispatch_sent_again_after_its_end_is_told_the_outcome(
        self, runner: Runner, world: GridWorld
    ) -> None:
        first = runner.finish("d1", GO)
        runner.finish("d2", navigate(0, 0))

        again = runner.submit("d1", GO)

        assert (again["state"], again["outcome"]) == ("ended", first)
        assert world.robot == (0, 0)

    def test_a_dispatch_sent_again_is_told_so_even_while_a_stop_is_in_force(self, runner: Runner) -> None:
        outcome = runner.finish("d1", GO)
        runner.send("stop", stop_id="s1", actor="someone")

        assert runner.submit("d1", GO)["outcome"] == outcome

    def test_a_second_dispatch_waits_for_the_first(self, runner: Runner, ledger: MemoryLedger) -> None:
        runner.submit("d1", GO)

        assert code(runner.submit("d2", GO)) == "busy"
        assert ledger.executions() == {"d1": 1}

    def test_a_step_that_cannot_be_taken_is_refused_and_not_recorded(
        self, runner: Runner, ledger: MemoryLedger
    ) -> None:
        reply = runner.submit("d1", Step("grasp", {"target": "bottle_77"}))

        assert code(reply) == "unknown_name"
        assert reply["error"]["remedy"] == "Choose one of bottle_01, can_02."
        assert ledger.executions() == {}

    def test_a_dispatch_cancelled_before_it_came_never_runs(
        self, runner: Runner, ledger: MemoryLedger
    ) -> None:
        cancelled = runner.send("cancel", epoch=1, dispatch_id="d1")

        late = runner.submit("d1", GO)

        assert (cancelled["state"], cancelled["outcome"]["result"]) == ("ended", "not_executed")
        assert late["outcome"] == cancelled["outcome"]
        assert ledger.executions() == {"d1": 0}

    @pytest.mark.parametrize(
        ("steps", "state", "executions"), [(None, "unknown", 0), (0, "running", 1), (3, "ended", 1)]
    )
    def test_status(self, runner: Runner, steps: int | None, state: str, executions: int) -> None:
        if steps is not None:
            runner.submit("d1", GO)
            for _ in range(steps):
                runner.advance()

        status = runner.send("status", dispatch_id="d1")

        assert (status["state"], status["executions"], status["ledger"]) == (state, executions, "intact")
        assert (status["outcome"] is None) == (state != "ended")


class TestStop:
    def test_it_ends_the_running_skill_and_confirms_by_measured_standstill(self, runner: Runner) -> None:
        runner.submit("d1", GO)
        runner.advance()

        reply = runner.send("stop", stop_id="s1", actor="operator:ada")

        assert (reply["latched"], reply["standstill"]) == (True, True)
        assert [each["kind"] for each in runner.reports] == ["outcome", "stopped"]
        outcome, stopped = runner.reports
        assert (outcome["outcome"]["result"], outcome["outcome"]["reason"]) == ("stopped", "stopped")
        assert (stopped["stop_id"], stopped["actor"], stopped["standstill"]) == ("s1", "operator:ada", True)
        assert stopped["measured"]["pose"]["x_m"] == 1

    def test_nothing_moves_until_each_stop_is_released(self, runner: Runner, ledger: MemoryLedger) -> None:
        for stop_id in ("s1", "s2"):
            runner.send("stop", stop_id=stop_id, actor="someone")
        assert code(runner.submit("d1", GO)) == "latched"
        assert runner.send("release", epoch=1, stop_id="s1")["latched"] == ["s2"]
        assert code(runner.submit("d1", GO)) == "latched"
        assert ledger.executions() == {}

        assert runner.send("release", epoch=1, stop_id="s2")["latched"] == []

        assert runner.submit("d1", GO)["state"] == "running"

    def test_the_same_stop_sent_again_is_one_stop(self, runner: Runner) -> None:
        for _ in range(3):
            assert runner.send("stop", stop_id="s1", actor="someone")["latched"]

        assert len(runner.of_kind("stopped")) == 1

    def test_a_stop_that_comes_again_after_its_release_does_not_stop_again(self, runner: Runner) -> None:
        """The same click by a slower road: the person has released it since."""
        runner.send("stop", stop_id="s1", actor="someone")
        runner.send("release", epoch=1, stop_id="s1")
        runner.submit("d1", GO)

        assert not runner.send("stop", stop_id="s1", actor="someone")["latched"]
        assert runner.advance()["state"] == "running"

    def test_a_stop_that_was_never_given_cannot_be_released(self, runner: Runner) -> None:
        assert code(runner.send("release", epoch=1, stop_id="s9")) == "unknown_stop"

    def test_a_robot_that_still_moves_leaves_its_stop_unconfirmed(
        self, runner: Runner, world: GridWorld, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(world, "is_still", lambda: False)
        assert not runner.send("stop", stop_id="s1", actor="someone")["standstill"]
        runner.bridge.tick()
        assert runner.listen() == []

        monkeypatch.undo()
        runner.bridge.tick()

        assert [each["kind"] for each in runner.listen()] == ["stopped"]


class TestCancel:
    def test_it_ends_the_running_skill_as_cancelled(self, runner: Runner) -> None:
        runner.submit("d1", GO)
        runner.advance()

        reply = runner.send("cancel", epoch=1, dispatch_id="d1")

        assert (reply["state"], reply["outcome"]["result"]) == ("ended", "cancelled")
        assert runner.submit("d2", GO)["ok"]

    def test_it_leaves_alone_what_has_ended_and_what_else_runs(self, runner: Runner) -> None:
        done = runner.finish("d1", GO)
        runner.submit("d2", navigate(0, 0))

        assert runner.send("cancel", epoch=1, dispatch_id="d1")["outcome"] == done
        assert runner.advance()["state"] == "running"


class TestReports:
    def test_an_outcome_comes_before_the_evidence_of_the_step_it_ended_in(self, runner: Runner) -> None:
        runner.finish("d1", GO)

        assert [each["kind"] for each in runner.reports] == ["outcome", "evidence"]
        assert [each["met_s"] for each in runner.reports] == [3, 3]
        assert [each["report"] for each in runner.reports] == [1, 2]

    def test_they_are_kept_until_acknowledged_and_never_after(self, runner: Runner) -> None:
        runner.finish("d1", GO)
        assert runner.bridge.kept_reports(0) == runner.reports
        assert runner.bridge.kept_reports(1) == runner.reports[1:]

        assert runner.send("acknowledge", through=1)["ok"]

        assert runner.bridge.kept_reports(0) == runner.reports[1:]

    def test_what_was_never_sent_cannot_be_acknowledged(self, runner: Runner) -> None:
        assert code(runner.send("acknowledge", through=5)) == "unknown_report"

    def test_telemetry_follows_each_step(self, runner: Runner) -> None:
        runner.bridge.drain()
        runner.bridge.handle(
            {"op": "submit", "id": 1, "epoch": 1, "dispatch_id": "d", "step": step_message(navigate(1, 0))}
        )
        runner.bridge.handle({"op": "advance", "id": 2, "epoch": 1})

        telemetry = [each for each in runner.bridge.drain() if each["kind"] == "telemetry"]

        assert [each["robots"][0]["doing"] for each in telemetry] == ["navigate", "idle"]
        assert [each["robots"][0]["speed_m_s"] for each in telemetry] == [1.0, 0.0]

    def test_a_map_that_changes_is_told_at_once_and_the_latest_again(self, ledger: MemoryLedger) -> None:
        world = MappingWorld()
        runner = Runner(Bridge(world, ledger, Clock()))
        runner.hello()
        for width in (5, 6):
            world.found = {"width": width, "height": 1, "cell_m": 1.0, "occupied": []}
            runner.bridge.tick()
        runner.bridge.tick()

        told = [each for each in runner.bridge.drain() if each["kind"] == "map"]
        assert [(contract.check_report(each)["map"]["width"], each["report"]) for each in told] == [
            (5, 0), (6, 0),
        ]  # fmt: skip
        assert runner.bridge.kept_reports(0)[0] == told[-1]

    def test_a_world_that_waits_has_no_step_to_take_while_idle(
        self, runner: Runner, world: GridWorld
    ) -> None:
        assert code(runner.advance()) == "idle"
        for _ in range(5):
            runner.bridge.tick()
        assert world.t == 0

    def test_frames_come_with_the_outcome_of_a_step_that_asked_for_them(self, runner: Runner) -> None:
        outcome = runner.finish("d1", navigate(2, 1, cameras=("overhead",)))

        assert [frame["step"] for frame in outcome["frames"]] == [0, 3]

    def test_the_truth_is_told_on_demand(self, runner: Runner) -> None:
        truth = runner.send("truth", met_s=0.0)["entities"]

        assert [(each["entity"], each["state"]) for each in truth] == [
            ("bottle_01", "floor"),
            ("can_02", "floor"),
        ]


class TestComingBack:
    def test_the_running_skill_has_ended_as_stopped_and_a_person_must_release_it(
        self, tmp_path: Path
    ) -> None:
        before = Runner(Bridge(small_world(), open_ledger(tmp_path), Clock()))
        before.hello()
        before.submit("d1", GO)
        before.advance()

        after = Runner(Bridge(small_world(), open_ledger(tmp_path), Clock()))

        hello = after.hello()
        assert hello["latched"] == ["restart-1"]
        assert hello["robots"][0]["pose"]["x_m"] == 1
        status = after.send("status", dispatch_id="d1")
        assert (status["state"], status["executions"]) == ("ended", 1)
        assert (status["outcome"]["result"], status["outcome"]["reason"]) == ("stopped", "restarted")
        assert status["outcome"]["measured"]["path"] == [[1, 0]]
        assert code(after.submit("d2", GO)) == "latched"
        assert after.send("release", epoch=1, stop_id="restart-1")["latched"] == []
        assert after.submit("d2", GO)["state"] == "running"

    def test_a_skill_that_had_not_begun_to_move_has_ended_too(self, tmp_path: Path) -> None:
        """Killed between the ledger's write and the world's first step."""
        Bridge(small_world(), open_ledger(tmp_path), Clock())
        open_ledger(tmp_path).begin("d1", 1, {}, 0.0)

        after = Runner(Bridge(small_world(), open_ledger(tmp_path), Clock()))

        outcome = after.send("status", dispatch_id="d1")["outcome"]
        assert (outcome["result"], outcome["message"]) == ("stopped", "Stopped before it moved.")
        assert outcome["measured"]["path"] == []

    def test_reports_are_sent_again_by_a_bridge_that_came_back(self, tmp_path: Path) -> None:
        before = Runner(Bridge(small_world(), open_ledger(tmp_path), Clock()))
        before.hello()
        before.finish("d1", GO)
        before.send("acknowledge", through=1)

        after = Bridge(small_world(), open_ledger(tmp_path), Clock())

        assert after.kept_reports(0) == before.reports[1:]

    def test_restarts_are_counted(self, tmp_path: Path) -> None:
        for number in (1, 2):
            runner = Runner(Bridge(small_world(), open_ledger(tmp_path), Clock()))
            runner.hello()
            for stop_id in runner.hello()["latched"]:
                runner.send("release", epoch=1, stop_id=stop_id)
            runner.submit(f"d{number}", navigate(3, 3))

        assert Runner(Bridge(small_world(), open_ledger(tmp_path), Clock())).hello()["latched"] == [
            "restart-2"
        ]

    def test_another_world_s_home_is_refused(self, tmp_path: Path) -> None:
        Bridge(small_world(), open_ledger(tmp_path), Clock())
        other = GridWorld(small_world().scenario, 8)

        with pytest.raises(ValueError, match="This home holds scenario custom with seed 0"):
            Bridge(other, open_ledger(tmp_path), Clock())


class TestAFailingLedger:
    @pytest.fixture
    def disk(self, monkeypatch: pytest.MonkeyPatch, ledger: MemoryLedger) -> pytest.MonkeyPatch:
        """Each write fails until `disk.undo()`."""

        def full(*_: Any) -> Any:
            raise LedgerError("The ledger took nothing: database or disk is full.")

        self.fail = lambda: [
            monkeypatch.setattr(ledger, name, full) for name in ("begin", "transaction", "latch")
        ]
        return monkeypatch

    def test_nothing_begins_to_move(self, runner: Runner, world: GridWorld, disk: pytest.MonkeyPatch) -> None:
        self.fail()

        reply = runner.submit("d1", GO)

        assert code(reply) == "ledger_failed"
        assert "disk is full" in reply["error"]["problem"]
        assert world.is_still()
        assert runner.bridge.running is None

    def test_what_was_moving_is_halted_and_its_outcome_written_once_it_can_be(
        self, runner: Runner, world: GridWorld, disk: pytest.MonkeyPatch
    ) -> None:
        runner.submit("d1", GO)
        self.fail()
        assert code(runner.advance()) == "ledger_failed"
        assert world.is_still()
        assert runner.reports == []
        runner.bridge.tick()
        assert runner.listen() == []

        disk.undo()
        runner.bridge.tick()

        runner.listen()
        assert [each["outcome"]["reason"] for each in runner.of_kind("outcome")] == ["ledger_failed"]
        assert runner.send("status", dispatch_id="d1")["state"] == "ended"

    def test_a_stop_halts_the_robot_all_the_same_and_holds(
        self, runner: Runner, world: GridWorld, disk: pytest.MonkeyPatch
    ) -> None:
        runner.submit("d1", GO)
        self.fail()

        assert code(runner.send("stop", stop_id="s1", actor="someone")) == "ledger_failed"

        assert world.is_still()
        disk.undo()
        assert code(runner.submit("d2", GO)) == "latched"
        runner.bridge.tick()
        runner.listen()
        assert [each["stop_id"] for each in runner.of_kind("stopped")] == ["s1"]


def test_shutting_down_ends_what_runs(runner: Runner) -> None:
    runner.submit("d1", GO)

    runner.bridge.shut_down()

    runner.listen()
    assert [each["outcome"]["reason"] for each in runner.reports] == ["shutdown"]


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"op": "fly", "id": 3},
        {"op": "submit", "id": 3},
        {"op": "hello", "id": "3", "epoch": 1, "contract": 1},
    ],
)
def test_a_message_that_breaks_the_contract_is_answered_and_changes_nothing(
    runner: Runner, message: dict[str, Any], ledger: MemoryLedger
) -> None:
    reply = runner.bridge.handle(message)

    assert code(reply) == "contract"
    assert reply["re"] == (3 if message.get("id") == 3 else None)
    assert runner.bridge.drain()[1:] == []
    assert ledger.executions() == {}
