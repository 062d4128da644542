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
from robot_bridge.arena import scenarios as arena
from robot_bridge.arena.catalogue import CATALOGUE as ARENA_SKILLS
from robot_bridge.grid import scenarios as grid
from robot_bridge.grid.skills import CATALOGUE as GRID_SKILLS
from robot_bridge.ros.files import robot_names
from robot_bridge.tabletop import scenarios as tabletop
from robot_bridge.tabletop.catalogue import CATALOGUES as TABLETOP_SKILLS

WORLDS: Mapping[str, tuple[str, ...]] = {
    "grid": tuple(grid.SCENARIOS),
    "arena": tuple(arena.SCENARIOS),
    "tabletop": tuple(tabletop.SCENARIOS),
    "ros": robot_names(None),
}
ROBOTS = "ros"
"""The folder of a home that holds robots' files."""
SKILLS = {"grid": GRID_SKILLS, "arena": ARENA_SKILLS}


def worlds_of(home: Path) -> Mapping[str, tuple[str, ...]]:
    """With the robots whose files lie in the home."""
    return {**WORLDS, "ros": robot_names(home / ROBOTS)}


def sketch_of(world: World) -> str:
    """What a person chooses by: how large, how restless, how reliable; "" where unknown."""
    if world.name == "grid" and world.scenario in grid.SCENARIOS:
        return _grid_sketch(grid.SCENARIOS[world.scenario])
    if world.name == "arena" and world.scenario in arena.SCENARIOS:
        return _arena_sketch(arena.SCENARIOS[world.scenario])
    if world.name == "tabletop" and world.scenario in tabletop.SCENARIOS:
        return _tabletop_sketch(tabletop.SCENARIOS[world.scenario])
    return ""


def _grid_sketch(scenario: grid.Scenario) -> str:
    known = f", {scenario.known} of them known at first," if scenario.is_revealed else ""
    side_m = scenario.size * scenario.cell_m
    moved = "some are moved meanwhile" if scenario.relocation else "nothing is moved"
    return (
        f"{scenario.containers} containers{known} on {side_m:g} × {side_m:g} m; {moved};"
        f" {scenario.false_report:.0%} of reports false, {scenario.latency} ticks late."
    ).replace("%", " %")


def _arena_sketch(scenario: arena.Scenario) -> str:
    return (
        f"{scenario.containers} containers on {arena.SIDE_M:g} × {arena.SIDE_M:g} m, contact and gravity;"
        f" one is moved every {scenario.relocation_every_s} s;"
        f" {scenario.false_report:.0%} of reports false, {scenario.latency_s} s late."
    ).replace("%", " %")


def _tabletop_sketch(scenario: tabletop.Scenario) -> str:
    by = "by waypoints" if scenario.executor == "direct" else "by phrases that an executor follows"
    reached = "is refused" if scenario.refuses else "ends the task"
    return f"Task {scenario.task}, {scenario.difficulty}, {by}; a waypoint that is not reached {reached}."


def catalogue_of(world: World) -> Catalogue | None:
    """The skills of the robot in a world that can be run here; None where its bridge alone knows them."""
    if world.name == "tabletop":
        scenario = tabletop.SCENARIOS.get(world.scenario)
        return None if scenario is None else msgspec.convert(TABLETOP_SKILLS[scenario.executor], Catalogue)
    return msgspec.convert(SKILLS[world.name], Catalogue) if world.name in SKILLS else None


def bridge_command(
    world: World, *, seed: int, home: Path, port: int = 0, oracle: bool = False, robots: Path | None = None
) -> list[str]:
    """The command line of a bridge process; it prints one JSON line with its address when it is ready.

    `oracle`: the world also reports the truth, for the memory that is to know it. `robots`: where robots'
    files lie.
    """
    command = [
        sys.executable, "-m", "robot_bridge",
        "--world", world.name, "--scenario", world.scenario, "--seed", str(seed),
        "--clock", world.clock, "--tick-s", f"{world.tick_s:g}",
        "--home", str(home), "--port", str(port),
    ]  # fmt: skip
    if robots is not None:
        command += ["--robots", str(robots)]
    return [*command, "--emit-truth"] if oracle else command
