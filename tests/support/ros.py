"""A simulated ROS robot, real processes and all, with a bridge core in this one, driven in real time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from robot_bridge.bridge import Bridge
from robot_bridge.ledger import Ledger, MemoryLedger
from robot_bridge.ros.config import Robot, read_robot
from robot_bridge.ros.files import robot_file
from robot_bridge.ros.places import RosMissing, RosPlace, find_ros
from robot_bridge.ros.process import Child
from robot_bridge.ros.sim.simulation import Simulation
from robot_bridge.ros.wiring import child_configuration, ros_environment
from robot_bridge.ros.world import RosWorld
from robot_bridge.world import Pose, Step, World
from tests.bridge.support import Runner

RATE = 8.0
PATIENCE_S = 60.0
"""How long a busy machine may take before a test gives up; nothing waits that long otherwise."""
MOUTH = Path(__file__).with_name("ros_mouth.py")


class Rig:
    """A world whose clock runs, before a bridge core whose ledger is each test's own."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.begin(MemoryLedger())

    def begin(self, ledger: Ledger) -> Runner:
        """A bridge of its own, and a runner before it."""
        self.ledger = ledger
        self.runner = Runner(Bridge(self.world, ledger, time.monotonic))
        return self.runner

    def pass_time(self, seconds: float, beat: bool = True) -> None:
        until_s = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= until_s, "time passes", beat)

    def until(self, done: Callable[[], Any], what: str, beat: bool = True) -> Any:
        deadline_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline_s:
            if beat and self.runner.bridge.running is not None:
                self.runner.send("heartbeat", epoch=self.runner.epoch)
            self.runner.bridge.tick()
            self.runner.listen()
            found = done()
            if found:
                return found
            time.sleep(0.01)
        heard = [each["kind"] for each in self.runner.reports]
        raise AssertionError(f"waited in vain until {what}; told {self.told()}, heard {heard[-20:]}")

    def told(self) -> list[str]:
        """What is wrong, as the console is told."""
        return [robot.get("trouble", "") for robot in self.world.telemetry()]

    def hello(self) -> dict[str, Any]:
        """Once the robot is heard."""

        def greeted() -> dict[str, Any] | None:
            reply = self.runner.hello()
            return reply if reply["ok"] else None

        return self.until(greeted, "the robot is heard")

    def outcome(self, dispatch_id: str) -> dict[str, Any]:
        def ended() -> dict[str, Any] | None:
            found = [each["outcome"] for each in self.runner.of_kind("outcome")]
            return next((each for each in found if each["dispatch_id"] == dispatch_id), None)

        return self.until(ended, f"{dispatch_id} has ended")

    def is_moving(self) -> bool:
        return self.world.telemetry()[0]["speed_m_s"] > 0.1

    def settle(self) -> None:
        """Nothing runs, and the robot stands."""
        self.world.halt("over")
        self.until(lambda: not getattr(self.world, "is_ending", False) and self.world.is_still(), "it stands")


class RosRig(Rig):
    """The simulated robot's bridge, with the child that speaks ROS."""

    def __init__(self, home: Path, simulation: Simulation, robot: Robot, place: RosPlace) -> None:
        home.mkdir(parents=True, exist_ok=True)
        folder = robot_file("simulated-rover", None).parent
        environment = {**ros_environment(robot, home), **simulation.environment()}
        configuration = {**child_configuration(robot, folder, RATE), "master": simulation.uri}
        self.simulation = simulation
        self.child = Child(place, configuration, environment, log_file=home / "child.log")
        self.world: RosWorld
        super().__init__(RosWorld(robot, self.child, time.monotonic, rate=RATE))

    def trouble(self, words: str) -> str:
        """What the console is told, once it holds these words."""
        return self.until(lambda: next((t for t in self.told() if words in t), ""), f"{words!r} is told")

    def close(self) -> None:
        self.world.close()


def explore(x: int, y: int, cameras: tuple[str, ...] = ()) -> Step:
    return Step("explore", {"cell": [float(x), float(y)]}, Pose(x * 0.5, y * 0.5), None, cameras)


class Mouth:
    """A ROS node of the test's own, which says what no good robot says."""

    def __init__(self, simulation: Simulation, place: RosPlace, what: str) -> None:
        self._process = subprocess.Popen(
            [place.python, str(MOUTH), what],
            env={**place.environment(), **simulation.environment()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=sys.stderr,
        )

    def __enter__(self) -> Mouth:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture(scope="session")
def ros_place() -> RosPlace:
    """Never skipped: `make test` installs it."""
    try:
        return find_ros()
    except RosMissing as error:
        raise AssertionError(str(error)) from None


@pytest.fixture(scope="module")
def simulated_robot(tmp_path_factory: pytest.TempPathFactory, ros_place: RosPlace) -> Iterator[Simulation]:
    """A rosmaster and the simulated robot's nodes, for a module."""
    with Simulation(tmp_path_factory.mktemp("simulation"), seed=1, rate=RATE, place=ros_place) as simulation:
        yield simulation


@pytest.fixture(scope="module")
def ros_rig(
    tmp_path_factory: pytest.TempPathFactory, simulated_robot: Simulation, ros_place: RosPlace
) -> Iterator[RosRig]:
    """The bridge of that robot; a test begins a ledger of its own."""
    robot = read_robot(robot_file("simulated-rover", None))
    rig = RosRig(tmp_path_factory.mktemp("rig"), simulated_robot, robot, ros_place)
    try:
        rig.hello()
        yield rig
    finally:
        rig.close()


def end(pid: int | None, number: signal.Signals) -> None:
    assert pid is not None
    os.kill(pid, number)
