"""What the arena's tests share: a world of a seed, and skills played to their end."""

from __future__ import annotations

import json
from typing import Any

from robot_bridge.arena.scenarios import SCENARIOS
from robot_bridge.arena.world import ArenaWorld
from robot_bridge.world import Outcome, Pose, Step

ARENA = SCENARIOS["arena-6"]


def arena(seed: int = 1) -> ArenaWorld:
    return ArenaWorld(ARENA, seed)


def step(world: ArenaWorld, skill: str, index: int, cameras: tuple[str, ...] = ()) -> Step:
    """Of a skill with a container, where it truly is."""
    argument = "to" if skill == "navigate" else "target"
    return Step(skill, {argument: world.ids[index]}, Pose(*world.floor.spot(index)), None, cameras)


def to_station(world: ArenaWorld, skill: str, index: int) -> Step:
    name = "station_plastic" if world.floor.classes[index] == "bottle" else "station_metal"
    goal = next(each["pose"] for each in world.describe()["site"]["stations"] if each["id"] == name)
    arguments = {"to": name} if skill == "navigate" else {"object": world.ids[index], "station": name}
    return Step(skill, arguments, Pose(goal["x_m"], goal["y_m"]))


def begin(world: ArenaWorld, asked: Step) -> None:
    assert world.check(asked) is None
    assert world.start(asked) is None


def run(world: ArenaWorld, asked: Step, most_s: float = 120.0) -> Outcome:
    begin(world, asked)
    return played(world, most_s)


def played(world: ArenaWorld, most_s: float = 120.0) -> Outcome:
    """The running skill to its end."""
    until_s = world.met_s + most_s
    while (outcome := world.advance()) is None:
        assert world.met_s < until_s, f"The skill did not end within {most_s:g} s"
    return outcome


def told(outcome: Outcome) -> tuple[str, str]:
    return outcome.result, outcome.reason


def holding(world: ArenaWorld, index: int = 0) -> Outcome:
    """Drive there, face it and take it."""
    for skill in ("navigate", "approach"):
        assert told(run(world, step(world, skill, index)))[0] == "succeeded"
    return run(world, step(world, "grasp", index))


def through_json(saved: dict[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(saved))
    return copy
