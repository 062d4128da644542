"""The worlds that a bridge process can run, by name."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from robot_bridge.grid.scenarios import scenario_named
from robot_bridge.grid.world import GridWorld
from robot_bridge.paced import PacedWorld
from robot_bridge.world import Clock, World


class WorldOptions(NamedTuple):
    """`parameters`: a custom scenario's values. `tick_s` counts where the clock runs.

    `home`: the robot's folder, for logs. `robots`: a folder of robots' files beside those that come along.
    """

    world: str = "grid"
    scenario: str = "dn-14"
    parameters: Mapping[str, Any] = {}
    seed: int = 0
    clock: Clock = "runs"
    tick_s: float = 1.0
    emits_truth: bool = False
    home: Path = Path()
    robots: Path | None = None


def make_world(options: WorldOptions) -> World:
    """Raises ValueError in the operator's words when there is no such world."""
    if options.world not in WORLDS:
        raise ValueError(f"World {options.world} is unknown. Choose one of {', '.join(WORLDS)}.")
    if options.seed < 0:
        raise ValueError(f"The seed is {options.seed}. Give 0 or more.")
    return WORLDS[options.world](options)


def _grid(options: WorldOptions) -> World:
    scenario = scenario_named(options.scenario, options.parameters)
    world = GridWorld(scenario, options.seed, options.emits_truth)
    return world if options.clock == "waits" else PacedWorld(world, options.tick_s)


def _arena(options: WorldOptions) -> World:
    try:
        # Only here: the grid must run where MuJoCo is not installed.
        from robot_bridge.arena.scenarios import scenario_named as arena_named
        from robot_bridge.arena.world import ArenaWorld
    except ImportError as error:
        raise ValueError(
            f"World arena needs {error.name}. Run: pip install 'quarterdeck[sim]', or choose another world."
        ) from None
    world = ArenaWorld(arena_named(options.scenario), options.seed, options.emits_truth)
    return world if options.clock == "waits" else PacedWorld(world, options.tick_s)


def _tabletop(options: WorldOptions) -> World:
    try:
        # Only here: the grid must run where MuJoCo is not installed.
        from robot_bridge.tabletop.scenarios import scenario_named as tabletop_named
        from robot_bridge.tabletop.world import TabletopWorld
    except ImportError as error:
        raise ValueError(
            f"World tabletop needs {error.name}. Run: pip install 'quarterdeck[sim]', or choose another."
        ) from None
    if options.clock != "waits":
        raise ValueError("The tabletop's clock waits, and this one was asked to run. Write clock: waits.")
    return TabletopWorld(tabletop_named(options.scenario), options.seed, options.emits_truth)


def _ros(options: WorldOptions) -> World:
    """A robot by the name of its file. Nothing of ROS is imported here: a child process speaks it."""
    from robot_bridge.ros.files import robot_file
    from robot_bridge.ros.setup import ros_world

    if options.clock != "runs":
        raise ValueError("A robot's clock runs, and this one was asked to wait. Write clock: runs.")
    file = robot_file(options.scenario, options.robots)
    rate = 1.0 / options.tick_s
    return ros_world(file, options.home, rate=rate, seed=options.seed, monotonic=time.monotonic)


WORLDS: dict[str, Callable[[WorldOptions], World]] = {
    "grid": _grid,
    "arena": _arena,
    "tabletop": _tabletop,
    "ros": _ros,
}
