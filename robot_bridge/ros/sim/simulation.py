"""Starts and ends the simulation: a rosmaster, and the nodes, each a process on ROS's interpreter.

The only file here that runs on this side; it draws the tape, which needs numpy.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType

from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.tape import draw
from robot_bridge.ros.child import launch
from robot_bridge.ros.child.master import MasterGone, master_pid
from robot_bridge.ros.places import RosPlace, find_ros

SCENARIO = "reveal-5"
NODES = ("clock", "base", "skills", "drone")
STARTS_S = 30.0


class SimulationError(Exception):
    """The simulation cannot be started; the text says why."""


class Simulation:
    """`home`: where its logs lie. `rate`: simulated seconds a second. `light`: 1 is day, 0.2 too dim to see.

    `drone_cut_s`: simulated seconds of the mission between which the drone's link is cut. `seed` draws the
    layout; `obstacles`: how many cells are blocked, None for as many as reveal-5 has.
    """

    def __init__(
        self,
        home: Path,
        *,
        seed: int = 1,
        rate: float = 1.0,
        light: float = 1.0,
        drone_cut_s: tuple[float, float] = (-1.0, -1.0),
        obstacles: int | None = None,
        namespace: str = "",
        port: int | None = None,
        place: RosPlace | None = None,
    ) -> None:
        self._home = home
        self._place = place or find_ros()
        self._port = port or free_port()
        self.uri = f"http://127.0.0.1:{self._port}"
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        scenario = SCENARIOS[SCENARIO]
        if obstacles is not None:
            scenario = replace(scenario, obstacles=obstacles)
        tape = asdict(draw(scenario, seed))
        scene = {
            "scenario": asdict(scenario), "tape": {**tape, "obstacles": sorted(tape["obstacles"])},
            "rate": rate, "namespace": namespace, "light": light, "drone_cut_s": drone_cut_s,
        }  # fmt: skip
        home.mkdir(parents=True, exist_ok=True)
        self._scene = home / "scene.json"
        self._scene.write_text(json.dumps(scene), "utf-8")

    def environment(self) -> dict[str, str]:
        return {"ROS_MASTER_URI": self.uri, "ROS_IP": "127.0.0.1", "ROS_HOME": str(self._home / "ros")}

    def __enter__(self) -> Simulation:
        try:
            self.start_master()
            self.start_nodes()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start_master(self) -> None:
        """Raises SimulationError."""
        self._start("master", "robot_bridge.ros.sim.master", "--core", "-p", str(self._port))
        until_s = time.monotonic() + STARTS_S
        while True:
            try:
                master_pid(self.uri)
            except MasterGone:
                if time.monotonic() > until_s or self._processes["master"].poll() is not None:
                    raise SimulationError(
                        f"rosmaster does not come up; see {self._home / 'master.log'}."
                    ) from None
                time.sleep(0.05)
            else:
                self._simulate_time()
                return

    def start_nodes(self) -> None:
        for name in NODES:
            self.start_node(name)

    def start_node(self, name: str) -> None:
        self._start(name, f"robot_bridge.ros.sim.{name}", str(self._scene))

    def signal(self, name: str, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._processes[name].pid, number)

    def kill(self, *names: str) -> None:
        """Without a word, as a power cut does."""
        for name in names:
            process = self._processes.pop(name)
            process.kill()
            process.wait()

    def close(self) -> None:
        self.kill(*[name for name in list(self._processes) if name != "master"])
        if "master" in self._processes:
            self.kill("master")

    def _simulate_time(self) -> None:
        import xmlrpc.client

        with xmlrpc.client.ServerProxy(self.uri) as master:
            master.setParam("/quarterdeck_simulation", "/use_sim_time", True)

    def _start(self, name: str, module: str, *arguments: str) -> None:
        tether = {launch.TETHER: str(os.getpid())}
        with (self._home / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                [self._place.python, launch.__file__, module, *arguments],
                env={**self._place.environment(), **self.environment(), **tether},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,
            )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
