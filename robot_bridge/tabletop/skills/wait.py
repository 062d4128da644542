"""`wait`: the arm stays where it is while the world goes on."""

from __future__ import annotations

from robot_bridge.simulation.running import Ending, Skill
from robot_bridge.tabletop.arm import Arm


def wait(arm: Arm, steps: int) -> Skill:
    for _ in range(steps):
        yield
    return Ending("succeeded", "waited", f"Waited {steps} steps; it is step {arm.step()}.")
