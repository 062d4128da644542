"""MoveCube: bring the cube to the target in the demonstrated manner: carried, pushed, or drawn by a hook.

Carried: picked, and dropped within 5 cm. Pushed or hooked: within 4.8 cm with the fingers open. The manner is
how it was last moved; arriving in another fails, and so does picking it where that is not the manner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, Literal, get_args

from robot_bridge.tabletop.tasks import placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.sensing import DROPPED, PICKED, PUSHED_WITHIN_M, apart_m, happened, is_onto
from robot_bridge.tabletop.values import (
    Change,
    Cue,
    Difficulty,
    Event,
    Layout,
    Pose,
    Progress,
    Snapshot,
    Subgoal,
    Thing,
    Verdict,
    Waypoint,
)

Manner = Literal["carried", "pushed", "hooked"]
MANNERS: tuple[Manner, ...] = get_args(Manner)
_BY_GRASPED: Mapping[str | None, Manner] = {"cube": "carried", "hook": "hooked"}
MOVED_BEYOND_M = 0.01
"""In another manner than before, until that is noted."""
COLOURS = ("red", "green", "blue")
HOOK = (0.12, 0.12, 0.03)
BAR_M = HOOK[2]
WAY_M = 0.15
"""From the cube to the target, towards the arm."""
ASIDE_M = 0.042
"""From the hook's handle to the cube's middle, so that the bar is behind the cube."""
GRASPED_BEHIND_M = 0.035
"""On the handle, from the hook's middle."""
LOW_M = 0.02
PUSHER_M = 0.045
"""From the cube's middle to the closed fingers before a push."""
SLOW_STEPS = 40
"""For the way on which it is pushed or drawn, so that it does not slide on."""
IN_TOUCH_M = 0.032
"""The same as they push."""


@dataclass(frozen=True, kw_only=True)
class MoveCube(Episode):
    name: ClassVar[str] = "move-cube"
    manner: Manner

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> MoveCube:
        manner = rng.choice(MANNERS)
        side = rng.choice((-1, 1))
        x_m, y_m = round(rng.uniform(0.06, 0.10), 3), round(side * rng.uniform(0.06, 0.14), 3)
        hook_x_m, hook_y_m = round(rng.uniform(-0.02, 0.04), 3), round(-side * rng.uniform(0.12, 0.20), 3)
        cube = placing.cube("cube", rng.choice(COLOURS), (x_m, y_m))
        target = placing.target("target", (round(x_m - WAY_M, 3), y_m))
        hook = Thing("hook", "hook", "hook", placing.standing(HOOK, (hook_x_m, hook_y_m)), HOOK)
        begin = {"cube": cube.pose, "hook": hook.pose}
        layout = Layout(
            things=(cube, target, hook),
            instruction=(
                f"Watch the video, then move the {cube.colour} cube to the target in the same manner."
            ),
            demonstration=(
                ways.pause(),
                *ways.cues(*(each.waypoints for each in _subgoals(manner, begin, target.pose)), (ways.HOME,)),
                ways.tidy(),
            ),
        )
        return cls(layout=layout, manner=manner)

    def shown(self, cue: Cue, step: int) -> tuple[Change, ...]:
        if cue.happens != ways.TIDY:
            return ()
        return tuple(Change(name, self.layout.thing(name).pose) for name in ("cube", "hook"))

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        at = snap.objects["cube"]
        manner = _BY_GRASPED.get(snap.grasped, "pushed")
        goes_on = _last_manner(progress) == manner
        moved_m = apart_m(at, progress.mark or self.layout.thing("cube").pose)
        if not goes_on and moved_m <= MOVED_BEYOND_M:
            return progress
        progress = replace(progress, mark=(at.x_m, at.y_m, at.z_m))
        return progress if goes_on else happened(progress, snap, manner, "cube")

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        if self.manner != "carried" and any(each == (snap.step, PICKED, "cube") for each in fresh):
            return failure("wrong_manner", f"the cube was picked; in the video it was {self.manner}")
        at, target = snap.objects["cube"], self.layout.thing("target").pose
        dropped = any(each == (snap.step, DROPPED, "cube") for each in fresh) and is_onto(at, target)
        is_free = snap.fingers_open and snap.grasped is None and progress.up != "cube"
        if not dropped and not (is_free and apart_m(at, target) <= PUSHED_WITHIN_M):
            return None
        manner = _last_manner(progress)
        if manner == self.manner:
            return success(f"the cube was {manner} to the target")
        return failure("wrong_manner", f"the cube was {manner}; in the video it was {self.manner}")

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        subgoals = _subgoals(self.manner, snap.objects, self.layout.thing("target").pose)
        return subgoals[-1] if snap.grasped is not None else subgoals[0]


def _last_manner(progress: Progress) -> str | None:
    return next((each.what for each in reversed(progress.events) if each.what in MANNERS), None)


def _subgoals(manner: Manner, at: Mapping[str, Pose], target: Pose) -> tuple[Subgoal, ...]:
    """The last one brings it to the target, the one before takes hold of what is needed."""
    cube, hook = at["cube"], at["hook"]
    if manner == "carried":
        place = Subgoal("place it on the target", (target.x_m, target.y_m, 0.0), ways.place(target))
        return Subgoal("pick up the cube", (cube.x_m, cube.y_m, cube.z_m), ways.pick(cube)), place
    if manner == "pushed":
        return (Subgoal("push the cube", (cube.x_m, cube.y_m, cube.z_m), push_cube(cube, target)),)
    handle = Pose(hook.x_m - GRASPED_BEHIND_M, hook.y_m, LOW_M)
    take = Subgoal("pick up the hook", (handle.x_m, handle.y_m, handle.z_m), ways.pick(handle))
    return take, Subgoal("hook the cube", (cube.x_m, cube.y_m, cube.z_m), draw_cube(cube, target))


def push_cube(cube: Pose, target: Pose) -> tuple[Waypoint, ...]:
    """From behind it, towards the arm."""
    behind_m, end_m = cube.x_m + PUSHER_M, target.x_m + IN_TOUCH_M
    return (
        Waypoint(behind_m, cube.y_m, ways.OVER_M, gripper="close"),
        Waypoint(behind_m, cube.y_m, LOW_M),
        Waypoint(end_m, cube.y_m, LOW_M, over_steps=SLOW_STEPS),
        Waypoint(target.x_m + PUSHER_M, cube.y_m, LOW_M),
        Waypoint(target.x_m + PUSHER_M, cube.y_m, ways.OVER_M, gripper="open"),
    )


def draw_cube(cube: Pose, target: Pose) -> tuple[Waypoint, ...]:
    """The bar comes down behind the cube, with the handle beside it, and draws it to the target."""
    tcp_to_bar_m = GRASPED_BEHIND_M + HOOK[0] / 2 - BAR_M
    y_m = cube.y_m + ASIDE_M
    behind_m = cube.x_m + placing.CUBE_M / 2 + 0.012 - tcp_to_bar_m
    end_m = target.x_m + placing.CUBE_M / 2 - tcp_to_bar_m
    return (
        Waypoint(behind_m, y_m, ways.CARRY_M),
        Waypoint(behind_m, y_m, LOW_M),
        Waypoint(end_m, y_m, LOW_M, over_steps=SLOW_STEPS),
        Waypoint(end_m, y_m, LOW_M, gripper="open"),
        Waypoint(end_m, y_m, ways.CARRY_M),
    )
