"""The worlds that a bridge process can run, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from robot_bridge.grid.scenarios import scenario_named
from robot_bridge.grid.world import GridWorld
from robot_bridge.paced import PacedWorld
from robot_bridge.world import Clock, World


class WorldOptions(NamedTuple):
    """`parameters`: a custom scenario's values. `tick_s` counts where the clock runs."""

    world: str = "grid"
    scenario: str = "dn-14"
    parameters: Mapping[str, Any] = {}
    seed: int = 0
    clock: Clock = "runs"
    tick_s: float = 1.0
    emits_truth: bool = False


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


WORLDS: dict[str, Callable[[WorldOptions], World]] = {"grid": _grid}
