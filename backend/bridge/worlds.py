"""The worlds that a bridge process can run here, and the scenarios of each.

A robot's own bridge is reached, not run.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from backend.domain.mission.mission import World
from backend.domain.plans.catalogue import Catalogue
from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.skills import CATALOGUE as GRID_SKILLS

WORLDS: Mapping[str, tuple[str, ...]] = {"grid": tuple(SCENARIOS)}


def sketch_of(world: World) -> str:
    """What a person chooses by: how large, how restless, how reliable; "" where unknown."""
    scenario = SCENARIOS.get(world.scenario) if world.name == "grid" else None
    if scenario is None:
        return ""
    known = f", {scenario.known} of them known at first," if scenario.is_revealed else ""
    side_m = scenario.size * scenario.cell_m
    moved = "some are moved meanwhile" if scenario.relocation else "nothing is moved"
    return (
        f"{scenario.containers} containers{known} on {side_m:g} × {side_m:g} m; {moved};"
        f" {scenario.false_report:.0%} of reports false, {scenario.latency} ticks late."
    ).replace("%", " %")


def catalogue_of(world: World) -> Catalogue | None:
    """The skills of the robot in a world that can be run here; None where its bridge alone knows them."""
    return msgspec.convert(GRID_SKILLS, Catalogue) if world.name == "grid" else None


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
