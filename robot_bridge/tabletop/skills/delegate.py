"""`delegate`: a subgoal in words, a pixel, and some chunks of steps in which an executor does what it can.

All chunks pass, whether or not it is done before; a row is noted for each, with the lowest height in it.
"""

from __future__ import annotations

from robot_bridge.simulation.running import Ending, Skill
from robot_bridge.tabletop.arm import Arm
from robot_bridge.tabletop.catalogue import CHUNK_STEPS
from robot_bridge.tabletop.executing import Executing


def delegate(arm: Arm, executing: Executing, phrase: str, chunks: int) -> Skill:
    """Of an order that `executing` has taken."""
    for number in range(1, chunks + 1):
        lowest_m = arm.physics.tool().z_m
        for _ in range(CHUNK_STEPS):
            executing.step()
            yield
            lowest_m = min(lowest_m, arm.physics.tool().z_m)
        arm.note(f"{phrase}, chunk {number}", lowest_m=lowest_m)
    return Ending("succeeded", "delegated", f"{chunks * CHUNK_STEPS} steps of {phrase!r}.")
