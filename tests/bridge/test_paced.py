"""A world whose clock runs, and the watchdog over it."""

import pytest

from robot_bridge.bridge import Bridge
from robot_bridge.grid.world import GridWorld
from robot_bridge.ledger import MemoryLedger
from robot_bridge.paced import PacedWorld
from tests.bridge.support import SMALL, Clock, Runner, navigate, quiet_tape, small_world

TICK_S = 0.125
"""How often the bridge is ticked; a power of two, so that times add up exactly."""


class Watched:
    """A runner before a bridge whose world takes a step a second."""

    def __init__(self, world: GridWorld | None = None) -> None:
        self.clock = Clock()
        self.world = world or small_world()
        self.runner = Runner(Bridge(PacedWorld(self.world, 1.0), MemoryLedger(), self.clock))
        self.runner.hello()
        self.runner.bridge.tick()

    def pass_time(self, seconds: float, heartbeat: bool = True) -> None:
        for _ in range(round(seconds / TICK_S)):
            self.clock.now_s += TICK_S
            if heartbeat:
                self.runner.send("heartbeat", epoch=self.runner.epoch)
            self.runner.bridge.tick()
            self.runner.listen()


@pytest.fixture
def watched() -> Watched:
    return Watched()


class TestTime:
    def test_it_goes_on_while_nothing_is_running_and_costs_no_skill_a_step(self, watched: Watched) -> None:
        watched.pass_time(5)

        assert watched.world.t == 5
        assert watched.world.executed == 0

    def test_relocations_and_reports_go_on(self) -> None:
        tape = quiet_tape(
            relocates=[step == 2 for step in range(SMALL.budget)],
            detected=[[True, False] for _ in range(SMALL.surveys)],
        )
        watched = Watched(GridWorld(SMALL, 0, tape=tape))
        watched.pass_time(8)

        poses = [each["evidence"]["pose"] for each in watched.runner.of_kind("evidence")]
        assert [(pose["x_m"], pose["y_m"]) for pose in poses] == [(2, 1), (1, 1)]

    def test_a_skill_takes_a_step_a_tick(self, watched: Watched) -> None:
        watched.runner.submit("d1", navigate(2, 1))
        watched.pass_time(2.875)
        assert watched.world.robot == (2, 0)

        watched.pass_time(0.125)

        assert [each["outcome"]["reason"] for each in watched.runner.of_kind("outcome")] == ["arrived"]

    def test_ticks_that_a_frozen_bridge_missed_are_not_made_up_for(self, watched: Watched) -> None:
        watched.clock.now_s += 60
        for _ in range(3):
            watched.runner.bridge.tick()
        assert watched.world.t == 1

        watched.pass_time(3)

        assert watched.world.t == 4

    def test_advance_is_for_worlds_that_wait(self, watched: Watched) -> None:
        assert watched.runner.advance()["error"]["code"] == "runs_by_itself"

    def test_a_tick_too_short_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"The tick is 0 s. Give 0.01 s or more."):
            PacedWorld(small_world(), 0.0)


class TestWatchdog:
    def test_a_living_decision_loop_keeps_a_skill_running(self, watched: Watched) -> None:
        watched.runner.submit("d1", navigate(3, 3))
        watched.pass_time(5)

        assert watched.runner.of_kind("watchdog") == []
        assert watched.world.t == 5

    def test_silence_stops_the_robot_and_latches(self, watched: Watched) -> None:
        watched.pass_time(1)
        watched.runner.submit("d1", navigate(3, 3))
        watched.pass_time(2, heartbeat=False)
        assert watched.runner.of_kind("watchdog") == []

        watched.pass_time(0.125, heartbeat=False)

        trip, outcome, stopped = [each for each in watched.runner.reports if each["kind"] != "evidence"]
        assert {trip["kind"], outcome["kind"]} == {"watchdog", "outcome"}
        assert stopped["stop_id"] == "watchdog-1"
        assert watched.runner.of_kind("watchdog")[0]["silent_s"] == 2.125
        assert watched.runner.of_kind("outcome")[0]["outcome"]["reason"] == "watchdog"
        standing = watched.world.robot
        watched.pass_time(5)
        assert watched.world.robot == standing
        assert watched.runner.submit("d2", navigate(3, 3))["error"]["code"] == "latched"

    def test_it_trips_once_and_counts_its_trips(self, watched: Watched) -> None:
        for number in (1, 2):
            watched.runner.submit(f"d{number}", navigate(3, 3) if number == 1 else navigate(0, 3))
            watched.pass_time(6, heartbeat=False)
            watched.runner.send("release", epoch=1, stop_id=f"watchdog-{number}")

        assert [each["stop_id"] for each in watched.runner.of_kind("watchdog")] == [
            "watchdog-1",
            "watchdog-2",
        ]

    @pytest.mark.parametrize("operation", ["status", "resume", "acknowledge", "truth", "hello"])
    def test_nothing_but_a_heartbeat_feeds_it(self, watched: Watched, operation: str) -> None:
        fields = {
            "status": {"dispatch_id": "d1"},
            "resume": {"after": 0},
            "acknowledge": {"through": 0},
            "truth": {"met_s": 0},
            "hello": {"epoch": 1, "contract": 1},
        }
        watched.runner.submit("d1", navigate(3, 3))

        for _ in range(20):
            watched.runner.send(operation, **fields[operation])
            watched.pass_time(TICK_S, heartbeat=False)

        assert len(watched.runner.of_kind("watchdog")) == 1

    def test_a_stale_runner_s_heartbeat_feeds_nothing(self, watched: Watched) -> None:
        successor = Runner(watched.runner.bridge, epoch=2)
        successor.hello()
        successor.submit("d1", navigate(3, 3))

        watched.pass_time(2.5)

        assert len(watched.runner.of_kind("watchdog")) == 1

    def test_a_dispatch_sent_again_and_again_feeds_nothing(self, watched: Watched) -> None:
        for _ in range(20):
            watched.runner.submit("d1", navigate(3, 3))
            watched.pass_time(TICK_S, heartbeat=False)

        assert len(watched.runner.of_kind("watchdog")) == 1

    def test_silence_is_no_harm_while_nothing_runs(self, watched: Watched) -> None:
        watched.pass_time(30, heartbeat=False)

        assert watched.runner.submit("d1", navigate(3, 3))["state"] == "running"
        watched.pass_time(1, heartbeat=False)
        assert watched.runner.of_kind("watchdog") == []

    def test_a_world_that_waits_has_none(self) -> None:
        clock = Clock()
        runner = Runner(Bridge(small_world(), MemoryLedger(), clock))
        runner.hello()
        runner.submit("d1", navigate(3, 3))
        clock.now_s += 60
        runner.bridge.tick()

        assert runner.advance()["state"] == "running"
