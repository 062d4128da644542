"""A table with a few things of each kind, and how skills are run on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from robot_bridge.tabletop.kinematics import HOME, Kinematics
from robot_bridge.tabletop.physics import OPENING_M, Physics
from robot_bridge.tabletop.planning import Way, plan
from robot_bridge.tabletop.scenarios import scenario_named
from robot_bridge.tabletop.values import Layout, Pose, Thing
from robot_bridge.tabletop.world import TabletopWorld
from robot_bridge.world import Outcome, Refusal, Step, Tool

CUBE = (0.04, 0.04, 0.04)
LAYOUT = Layout(
    things=(
        Thing("red_cube", "cube", "red", Pose(0.0, 0.0, 0.02), CUBE),
        Thing("blue_cube", "cube", "blue", Pose(0.1, 0.1, 0.02), CUBE),
        Thing("cup", "container", "container", Pose(0.0, 0.2, 0.035), (0.06, 0.06, 0.07)),
        Thing("hidden_cube", "cube", "green", Pose(0.0, 0.2, 0.02), CUBE),
        Thing("button", "button", "button", Pose(0.1, -0.2, 0.02), (0.06, 0.06, 0.04)),
        Thing("bin", "bin", "bin", Pose(-0.05, -0.25, 0.03), (0.16, 0.16, 0.06)),
        Thing("target", "target", "target", Pose(0.1, -0.05, 0.001), (0.08, 0.08, 0.002)),
        Thing("peg", "peg", "yellow", Pose(-0.05, 0.33, 0.015), (0.12, 0.03, 0.03), "purple"),
        Thing("stick", "stick", "stick", Pose(0.1, 0.25, 0.06), (0.03, 0.03, 0.12)),
        Thing("hook", "hook", "hook", Pose(-0.12, 0.1, 0.01), (0.16, 0.08, 0.02)),
        Thing("hole", "hole_box", "hole", Pose(0.1, -0.4, 0.05), (0.12, 0.04, 0.1), opening_m=0.05),
    ),
    instruction="",
)


SEED = 11
_KEPT: dict[str, tuple[TabletopWorld, dict[str, Any]]] = {}


def table(scenario: str = "bin-fill/easy", *, emits_truth: bool = False) -> TabletopWorld:
    """One of each scenario for the whole run, each time as it was at first: opening cameras takes long."""
    if scenario not in _KEPT:
        made = TabletopWorld(scenario_named(scenario), SEED, emits_truth)
        _KEPT[scenario] = made, made.save()
    world, first = _KEPT[scenario]
    world.restore(first)
    return world


class Rig:
    """Physics alone: the arm led from here to there."""

    def __init__(self) -> None:
        self.physics = Physics(LAYOUT)
        self.kinematics = Kinematics(self.physics.model)
        posture = self.kinematics.joints_for(Tool(0.0, 0.0, 0.3), np.array(HOME))
        assert posture is not None
        self.physics.stand(posture, OPENING_M)

    def go(self, x_m: float, y_m: float, z_m: float, yaw_rad: float = 0.0) -> Tool:
        way = plan(self.kinematics, self.physics.joints(), Tool(x_m, y_m, z_m, yaw_rad=yaw_rad))
        assert isinstance(way, Way)
        for posture in way.postures:
            self.physics.bend(posture)
            self.physics.advance()
        self.pass_steps(6)
        return self.physics.tool()

    def grip(self, opening_m: float) -> float:
        self.physics.set_fingers(opening_m)
        self.pass_steps(12)
        return self.physics.opening_m()

    def pass_steps(self, steps: int) -> None:
        for _ in range(steps):
            assert self.physics.advance()


def run(world: TabletopWorld, skill: str, cameras: tuple[str, ...] = (), **arguments: Any) -> Outcome:
    """The skill's outcome; what is refused fails the test."""
    step = Step(skill, arguments, cameras=cameras)
    assert world.check(step) is None
    outcome = world.start(step)
    while outcome is None:
        outcome = world.advance()
    return outcome


def refusal_of(world: TabletopWorld, skill: str, **arguments: Any) -> Refusal:
    refusal = world.check(Step(skill, arguments))
    assert refusal is not None
    return refusal


def move(x_m: float, y_m: float, z_m: float, check: Any = None, **more: Any) -> dict[str, Any]:
    """As a part of a sequence."""
    return {"skill": "move", "arguments": {"x_m": x_m, "y_m": y_m, "z_m": z_m, **more}, "check": check}
