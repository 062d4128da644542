"""The worlds that a bridge process can run here, and the scenarios of each.

A robot's own bridge is reached, not run.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from backend.domain.mission.mission import World
from robot_bridge.grid.scenarios import SCENARIOS

WORLDS: Mapping[str, tuple[str, ...]] = {"grid": tuple(SCENARIOS)}


def bridge_command(world: World, *, seed: int, home: Path, port: int = 0, oracle: bool = False) -> list[str]:
    """The command line of a bridge process; it prints one JSON line with its address when it is ready.

    `oracle`: the world also reports the truth, for the memory that is to know it.
    """
    command = [
        sys.executable, "-m", "robot_bridge",
        "--world", world.name, "--scenario", world.scenario, "--seed", str(seed),
        "--clock", world.clock, "--tick-s", f"{world.tick_s:g}",
        "--home", str(home), "--port", str(port),
    ]  # fmt: skip
    return [*command, "--emit-truth"] if oracle else command
