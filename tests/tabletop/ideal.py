"""A perfect script: what a task's truth asks for next, done by waypoints in the real physics."""

from collections.abc import Iterator

from robot_bridge.tabletop.scenarios import Scenario
from robot_bridge.tabletop.tasks.seeds import Split, difficulty_of, seed_of
from robot_bridge.tabletop.values import Snapshot, Waypoint
from robot_bridge.tabletop.world import TabletopWorld
from robot_bridge.world import Outcome, Step

MOST_SUBGOALS = 40


class Blind(TabletopWorld):
    """Without pictures after each action: nothing here looks at them."""

    def views(self) -> tuple[()]:
        return ()


def begun(task: str, episode: int, split: Split = "test") -> Blind:
    return Blind(Scenario(task, difficulty_of(episode)), seed_of(split, task, episode))


def solved(world: TabletopWorld) -> Iterator[Snapshot]:
    """What is measured after each control step, until the task is over or nothing is left to be done."""
    for _ in range(MOST_SUBGOALS):
        subgoal = world.task.ideal(world.progress, world.physics.snapshot(world.steps))
        if subgoal is None:
            return
        for waypoint in subgoal.waypoints:
            for step in steps_of(waypoint, world.steps):
                if world.verdict is None:
                    yield from carried_out(world, step)


def carried_out(world: TabletopWorld, step: Step) -> Iterator[Snapshot]:
    assert world.check(step) is None
    outcome: Outcome | None = world.start(step)
    while outcome is None:
        outcome = world.advance()
        yield world.physics.snapshot(world.steps)


def steps_of(waypoint: Waypoint, now: int) -> Iterator[Step]:
    if not waypoint.stays:
        arguments = {
            "x_m": waypoint.x_m,
            "y_m": waypoint.y_m,
            "z_m": waypoint.z_m,
            "yaw_rad": waypoint.yaw_rad,
            "gripper": waypoint.gripper,
        }
        if waypoint.start_step is not None:
            arguments["start_step"] = waypoint.start_step
        if waypoint.over_steps:
            arguments["arrive_step"] = now + waypoint.over_steps
        yield Step("move", arguments)
    if waypoint.wait_steps:
        yield Step("wait", {"steps": waypoint.wait_steps})
