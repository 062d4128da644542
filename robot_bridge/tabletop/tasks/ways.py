"""How the arm does by waypoints what a subgoal asks: for the oracle, for demonstrations, and for tests."""

from __future__ import annotations

from robot_bridge.tabletop.tasks.sensing import PRESSED_BEYOND_M
from robot_bridge.tabletop.values import Cue, Pose, Subgoal, Thing, Waypoint

OVER_M = 0.12
"""Where the tcp travels empty, over cubes and buttons."""
STILL_STEPS = 16
"""Before, after and between the parts of a demonstration."""
CARRY_M = 0.16
LIFT_M = 0.24
"""Of a container: its middle is then well above what counts as lifted."""
CONTAINER_GRASP_M = 0.05
PLACE_Z_M = 0.024
FINGERTIP_M = 0.009
"""From the tcp down to the fingertips."""
HOME = Waypoint(-0.05, 0.0, 0.30, gripper="open")


def pick(at: Pose, carry_m: float = CARRY_M) -> tuple[Waypoint, ...]:
    """A cube, which is held in its middle."""
    return (
        Waypoint(at.x_m, at.y_m, OVER_M, gripper="open"),
        Waypoint(at.x_m, at.y_m, at.z_m, gripper="close"),
        Waypoint(at.x_m, at.y_m, carry_m),
    )


def place(at: Pose, z_m: float = PLACE_Z_M) -> tuple[Waypoint, ...]:
    return (
        Waypoint(at.x_m, at.y_m, CARRY_M),
        Waypoint(at.x_m, at.y_m, z_m, gripper="open"),
        Waypoint(at.x_m, at.y_m, CARRY_M),
    )


def lift_container(at: Pose) -> tuple[Waypoint, ...]:
    return (
        Waypoint(at.x_m, at.y_m, CARRY_M, gripper="open"),
        Waypoint(at.x_m, at.y_m, CONTAINER_GRASP_M, gripper="close"),
        Waypoint(at.x_m, at.y_m, LIFT_M),
    )


def put_container(at: Pose) -> tuple[Waypoint, ...]:
    return (Waypoint(at.x_m, at.y_m, CONTAINER_GRASP_M, gripper="open"), Waypoint(at.x_m, at.y_m, CARRY_M))


def pressed_z_m(button: Thing) -> float:
    """Where the tcp is as the fingertips hold the cap down by twice what counts."""
    return button.size[2] + FINGERTIP_M - 2 * PRESSED_BEYOND_M


def press(button: Thing) -> tuple[Waypoint, ...]:
    """With closed fingers, down past where it counts, and up again."""
    x_m, y_m = button.pose.x_m, button.pose.y_m
    return (
        Waypoint(x_m, y_m, OVER_M, gripper="close"),
        Waypoint(x_m, y_m, pressed_z_m(button)),
        Waypoint(x_m, y_m, OVER_M),
    )


def press_subgoal(button: Thing) -> Subgoal:
    at = button.pose
    return Subgoal("press the button", (at.x_m, at.y_m, button.size[2]), press(button))


def pick_subgoal(thing: Thing, at: Pose, carry_m: float = CARRY_M) -> Subgoal:
    return Subgoal(f"pick up the {thing.colour} cube", (at.x_m, at.y_m, at.z_m), pick(at, carry_m))


def place_subgoal(at: Pose) -> Subgoal:
    return Subgoal("place it on the target", (at.x_m, at.y_m, at.z_m), place(at))


def put_down_subgoal(at: Pose) -> Subgoal:
    return Subgoal("put it down", (at.x_m, at.y_m, at.z_m), place(at))


def lift_subgoal(at: Pose) -> Subgoal:
    return Subgoal("pick up the container", (at.x_m, at.y_m, at.z_m), lift_container(at))


def put_container_subgoal(at: Pose) -> Subgoal:
    return Subgoal("put it down", (at.x_m, at.y_m, CONTAINER_GRASP_M), put_container(at))


def raise_subgoal(phrase: str, at: Pose, height_m: float) -> Subgoal:
    """What is grasped already, but not yet high enough to count."""
    return Subgoal(phrase, (at.x_m, at.y_m, at.z_m), (Waypoint(at.x_m, at.y_m, height_m),))


def raise_cube_subgoal(thing: Thing, at: Pose) -> Subgoal:
    return raise_subgoal(f"pick up the {thing.colour} cube", at, CARRY_M)


def wait_subgoal(at: Pose, steps: int) -> Subgoal:
    """Nothing but waiting; the executor's vocabulary has no phrase for it."""
    return Subgoal("wait", (at.x_m, at.y_m, at.z_m), (Waypoint(stays=True, wait_steps=steps),))


def cues(*ways: tuple[Waypoint, ...]) -> tuple[Cue, ...]:
    return tuple(Cue(waypoint) for way in ways for waypoint in way)


def pause() -> Cue:
    return Cue(steps=STILL_STEPS)


SET, TIDY = "set", "tidy"
"""A demonstration begins with all as it was then, and ends with it exactly where the episode begins."""


def at_first() -> Cue:
    return Cue(steps=STILL_STEPS, happens=SET)


def tidy() -> Cue:
    return Cue(steps=STILL_STEPS, happens=TIDY)
