"""What every bridge of a world whose clock runs does alike: the grid, the arena, a table, a real ROS system.

The ROS robot has a master, topics, action servers and a child process of its own; simulated is only the
floor. Each test begins a ledger of its own; the robot goes on from where the last one left it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from robot_bridge import guards
from robot_bridge.arena.scenarios import SCENARIOS as ARENA_SCENARIOS
from robot_bridge.arena.world import ArenaWorld
from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.world import GridWorld
from robot_bridge.ledger import MemoryLedger
from robot_bridge.paced import PacedWorld
from robot_bridge.sqlite_ledger import open_ledger
from robot_bridge.world import Pose, Step
from tests.bridge.support import Runner
from tests.support.ros import Rig, explore
from tests.tabletop.support import table

SIMULATED = {
    "grid": lambda: PacedWorld(GridWorld(SCENARIOS["reveal-5"], 1), 0.1),
    "arena": lambda: PacedWorld(ArenaWorld(ARENA_SCENARIOS["arena-6"], 1), 0.03),
    "tabletop": lambda: PacedWorld(table("bin-fill/easy"), 0.03),
}


@pytest.fixture(params=["grid", "arena", "tabletop", "ros"])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    if request.param in SIMULATED:
        simulated = Rig(SIMULATED[request.param]())
        simulated.hello()
        yield simulated
        return
    ros: Rig = request.getfixturevalue("ros_rig")
    ros.begin(MemoryLedger())
    ros.hello()
    yield ros
    ros.settle()


def led(x_m: float, y_m: float) -> Step:
    """The arm's tool; what is believed is no goal of its."""
    return Step("move", {"x_m": x_m, "y_m": y_m, "z_m": 0.25}, Pose(x_m, y_m))


FAR = {
    11: (led(0.05, -0.3), led(0.05, 0.3)),
    10: (explore(3, 9), explore(7, 0)),
    7: (explore(0, 6), explore(6, 0)),
}
"""By the map's width two places far apart: from wherever the robot stands, one of them is a long way."""


def a_long_way(rig: Rig) -> Step:
    pose = rig.world.measure().pose
    return max(
        FAR[rig.world.describe()["site"]["map"]["width"]],
        key=lambda step: abs(step.goal.x_m - pose.x_m) + abs(step.goal.y_m - pose.y_m),
    )


def code(reply: dict) -> str:
    return "" if reply["ok"] else reply["error"]["code"]


def test_hello_describes_robot_skills_and_site(rig: Rig) -> None:
    hello = rig.hello()

    assert [skill["name"] for skill in hello["catalogue"]["skills"]][:2] in (
        ["navigate", "explore"],
        ["navigate", "approach"],
        ["locate", "move"],
    )
    if hello["world"] == "tabletop":
        assert (hello["site"]["map"]["first"], hello["task"], hello["clock"]) == (
            [-5, -5],
            "bin-fill",
            "runs",
        )
        return
    site = hello["site"]
    told = site["map"]["width"], len(site["map"]["occupied"]), hello["initial"][0]["entity"], hello["total"]
    assert told == ((7, 3, "can_01", 6) if hello["world"] == "arena" else (10, 14, "can_01", 5))
    assert len(site["stations"]) == 2
    assert hello["clock"] == "runs"


def test_a_skill_ends_where_it_was_to_go(rig: Rig) -> None:
    step = a_long_way(rig)
    reply = rig.runner.submit("d1", step)

    outcome = rig.outcome("d1")

    assert reply["state"] == "running"
    assert (outcome["result"], outcome["reason"]) == ("succeeded", "arrived")
    pose = outcome["measured"]["pose"]
    assert (pose["x_m"], pose["y_m"]) == pytest.approx((step.goal.x_m, step.goal.y_m), abs=0.05)
    assert len(outcome["measured"]["path"]) >= 4
    assert outcome["measured"]["moves"] >= 4
    assert outcome["ended_s"] > outcome["started_s"]


def test_a_dispatch_runs_once_and_is_told_its_end_again(rig: Rig) -> None:
    step = a_long_way(rig)
    rig.runner.submit("d1", step)
    assert code(rig.runner.submit("d2", step)) == "busy"
    outcome = rig.outcome("d1")

    again = rig.runner.submit("d1", step)

    assert (again["state"], again["outcome"]) == ("ended", outcome)
    assert rig.runner.send("status", dispatch_id="d1")["executions"] == 1
    assert rig.runner.send("status", dispatch_id="d2")["state"] == "unknown"


def test_a_stop_is_confirmed_by_measured_standstill_and_latches(rig: Rig) -> None:
    rig.runner.submit("d1", a_long_way(rig))
    rig.until(rig.is_moving, "it moves")

    reply = rig.runner.send("stop", stop_id="s1", actor="operator:ada")

    assert reply["latched"]
    rig.until(lambda: rig.runner.of_kind("stopped"), "standstill is measured")
    outcome = rig.outcome("d1")
    assert (outcome["result"], outcome["reason"]) == ("stopped", "stopped")
    assert rig.world.telemetry()[0]["speed_m_s"] == pytest.approx(0.0, abs=0.02)
    assert code(rig.runner.submit("d2", a_long_way(rig))) == "latched"
    assert rig.runner.send("release", epoch=1, stop_id="s1")["latched"] == []
    assert rig.runner.submit("d3", a_long_way(rig))["state"] == "running"


def test_cancelled_is_told_when_it_is_measured(rig: Rig) -> None:
    rig.runner.submit("d1", a_long_way(rig))
    rig.until(rig.is_moving, "it moves")

    rig.runner.send("cancel", epoch=1, dispatch_id="d1")

    outcome = rig.outcome("d1")
    assert (outcome["result"], outcome["reason"]) == ("cancelled", "cancelled")
    rig.until(rig.world.is_still, "it stands")
    assert rig.runner.submit("d2", a_long_way(rig))["state"] == "running"


def test_a_runner_that_falls_silent_is_a_stop(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        guards, "SILENCE_S", 0.4
    )  # what a way across the floor lasts is less than two seconds
    rig.runner.submit("d1", a_long_way(rig))

    rig.until(lambda: rig.runner.of_kind("watchdog"), "it trips", beat=False)

    stop_id = rig.runner.of_kind("watchdog")[0]["stop_id"]
    rig.until(lambda: rig.runner.of_kind("stopped"), "standstill is measured")
    assert rig.outcome("d1")["reason"] == "watchdog"
    assert rig.hello()["latched"] == [stop_id]


def test_a_runner_that_was_succeeded_commands_nothing(rig: Rig) -> None:
    rig.runner.epoch = 2
    rig.hello()

    rig.runner.epoch = 1

    assert code(rig.runner.submit("d1", a_long_way(rig))) == "stale_epoch"
    assert rig.runner.send("stop", stop_id="s1", actor="anyone")["latched"]


@pytest.mark.parametrize(
    ("step", "refused"),
    [
        (Step("fly", {}), "unknown_skill"),
        (Step("explore", {}), "wrong_arguments"),
        (Step("explore", {"cell": [-1.0, 2.0]}), "wrong_cell"),
        (Step("explore", {"cell": [2.0, 2.0]}, cameras=("rear",)), "unknown_camera"),
        (Step("navigate", {"to": "can_01"}), "no_goal"),
        (Step("deliver", {"object": "can_01", "station": "station_north"}), "unknown_name"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.skill,
)
def test_a_step_that_cannot_be_taken_is_refused_before_anything_is_sent(
    rig: Rig, step: Step, refused: str
) -> None:
    told = code(rig.runner.submit("d1", step))
    assert told == ("unknown_skill" if rig.world.describe()["world"] == "tabletop" else refused)
    assert rig.runner.send("status", dispatch_id="d1")["state"] == "unknown"


def test_reports_are_kept_until_they_are_acknowledged(rig: Rig) -> None:
    rig.runner.submit("d1", a_long_way(rig))
    rig.outcome("d1")
    last = rig.runner.reports[-1]["report"]
    numbers = [each["report"] for each in rig.runner.reports]
    assert numbers == sorted(numbers)

    rig.runner.send("acknowledge", through=last)

    assert [each for each in rig.runner.bridge.kept_reports(0) if each["report"] <= last] == []


def test_pictures_of_an_action_begin_before_it_and_end_with_it(rig: Rig) -> None:
    camera = "front" if rig.world.describe()["world"] == "tabletop" else "overhead"
    rig.runner.submit("d1", a_long_way(rig)._replace(cameras=(camera,)))

    frames = rig.outcome("d1")["frames"]

    steps = [frame["step"] for frame in frames]
    assert len(frames) >= 2
    assert steps == sorted(steps)
    assert {frame["camera"] for frame in frames} == {camera}


def test_a_bridge_that_comes_back_stops_what_was_running(rig: Rig, tmp_path: Path) -> None:
    before = rig.begin(open_ledger(tmp_path))
    rig.hello()
    before.submit("d1", a_long_way(rig))
    rig.until(rig.is_moving, "it moves")

    after = rig.begin(open_ledger(tmp_path))

    hello = rig.hello()
    assert hello["latched"] == ["restart-1"]
    status = rig.until(lambda: ended(after), "its end is told")
    assert (status["executions"], status["outcome"]["result"]) == (1, "stopped")
    assert status["outcome"]["reason"] == "restarted"
    rig.until(rig.world.is_still, "it stands")
    assert after.send("release", epoch=1, stop_id="restart-1")["latched"] == []


def ended(runner: Runner) -> dict | None:
    status = runner.send("status", dispatch_id="d1")
    return status if status["state"] == "ended" else None
