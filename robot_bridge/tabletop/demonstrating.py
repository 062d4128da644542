"""What is shown before the robot acts: the task's cues, played by the arm, each moment kept."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from robot_bridge.simulation.running import Ending, Skill
from robot_bridge.tabletop.arm import Arm
from robot_bridge.tabletop.kinematics import Kinematics
from robot_bridge.tabletop.physics import Physics
from robot_bridge.tabletop.skills.move import Goal, move
from robot_bridge.tabletop.staging import Look
from robot_bridge.tabletop.values import Cue, Task, Waypoint
from robot_bridge.world import Tool

log = logging.getLogger(__name__)


def play(physics: Physics, kinematics: Kinematics, task: Task) -> tuple[Look, ...]:
    """A look for the beginning and for each control step after. Then all stands as it did before."""
    if not task.layout.demonstration:
        return ()
    before = physics.save()
    looks: list[Look] = []
    arm = Arm(physics, kinematics, lambda: len(looks))
    for cue in task.layout.demonstration:
        for number, _ in enumerate(_commanded(arm, cue), start=1):
            physics.change(task.shown(cue, number))
            if not looks:
                looks.append(physics.look())
            physics.advance()
            looks.append(physics.look())
    physics.restore(before)
    return tuple(looks)


def goal_of(waypoint: Waypoint, step: int) -> Goal:
    """As it is at control step `step`."""
    tool = Tool(waypoint.x_m, waypoint.y_m, waypoint.z_m, yaw_rad=waypoint.yaw_rad)
    arrive_step = step + waypoint.over_steps if waypoint.over_steps else None
    return Goal(tool, waypoint.gripper, waypoint.start_step, arrive_step)


def through(arm: Arm, waypoint: Waypoint) -> Skill:
    """There, and then the steps that are to pass."""
    ending = Ending("succeeded", "waited", "")
    if not waypoint.stays:
        ending = yield from move(arm, goal_of(waypoint, arm.step()))
    for _ in range(waypoint.wait_steps):
        yield
    return ending


def _commanded(arm: Arm, cue: Cue) -> Iterator[None]:
    """Yields before each control step of the cue."""
    if cue.waypoint is not None:
        ending = yield from through(arm, cue.waypoint)
        if ending.result != "succeeded":
            log.warning("A demonstration's waypoint was not come to: %s", ending.message)
    else:
        yield from (None for _ in range(cue.steps))
