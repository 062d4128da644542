"""MoveCube: bring the cube to the target as the demonstration did: carried, pushed, or drawn with the hook.

A hook that is moved draws it. A cube that is seen far higher in the picture than where it ends was carried,
one that is not was pushed: that shows only while it is on its way, so a push is looked at closer.
"""

from __future__ import annotations

import math

from backend.planners.surrogate.done import went_wrong
from backend.planners.surrogate.locating import Spot, forget, known, look_for, read_points
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import CARRY_M, CUBE_M, Point, move, over, pick, place, sequence
from backend.planners.surrogate.seeing.palette import NAMED
from backend.planners.surrogate.seeing.sight import Pixel, Sight, apart_px, nearest
from backend.planners.surrogate.seeing.swaps import read, written
from backend.planners.surrogate.things import cube_spot, holds, target_spots, things
from backend.planners.surrogate.watching import Watching

MANNER, BEGAN = "manner of the video", "cube, hook and target at pixels"
MANNERS = ("carried", "pushed", "hooked")
MOVED_PX, LIFTED_PX = 8.0, 14.0
LOW_M, BEHIND_M, IN_TOUCH_M, SLOW_STEPS = 0.02, 0.045, 0.032, 45
"""Of the fingers as they push; from the cube's middle to them, before and while; for the way, so that it does
not slide on."""
HOOK_M, HANDLE_M = 0.015, 0.055
"""Of the hook's middle over the table; from the middle of what is seen of it to where its handle is held."""
TO_BAR_M, BESIDE_M, ROOM_M = 0.065, 0.042, 0.012
"""From the hand to the hook's bar, and from the handle to the cube; between bar and cube at first."""


def watch_manner(watching: Watching) -> None:
    frames = [sight for _, sight in watching.sights]
    began = read(watching.fact(BEGAN))
    if not began:
        first = (things(frames[0], *NAMED), things(frames[0], "hook"), things(frames[0], "target"))
        began = tuple(found[0].place for found in first if found)
        watching.learn(BEGAN, written(began))
    if len(began) < 3:
        return
    cube, hook, target = began
    moving = [n for n, f in watching.sights if _moved(f, cube, *NAMED) and not _is_at(f, target, *NAMED)]
    if any(_moved(frame, hook, "hook") for frame in frames):
        watching.learn(MANNER, "hooked")
    elif any(_is_lifted(frame, target) for frame in frames):
        watching.learn(MANNER, "carried")
    elif not watching.fact(MANNER) and any(_moved(frame, cube, *NAMED) for frame in frames):
        watching.learn(MANNER, "pushed")
    if moving and watching.fact(MANNER) == "pushed":
        shown = [number for number, _ in watching.sights]
        watching.look_closer([(max(shown[0], moving[0] - 8), min(shown[-1], moving[-1] + 8))])


def move_cube(mind: Mind) -> Act:
    read_points(mind)
    colour = next((patch.colour for patch in mind.front.of(*NAMED)), "red")
    cube, manner = f"{colour} cube", mind.fact(MANNER) or mind.guess(MANNER, MANNERS)
    mind.learn(MANNER, manner)
    if went_wrong(mind.seen.last):
        forget(mind, cube, "hook")
    hooks = [Spot(patch.place, HOOK_M) for patch in things(mind.front, "hook")]
    in_sight = cube_spot(mind.front, colour) | target_spots(mind.front)
    in_sight |= {"hook": hooks[0]} if hooks else {}
    needed = ["target"] if manner == "carried" and holds(mind) else [cube, "target"]
    look = look_for(mind, in_sight, [*needed, *(["hook"] if manner == "hooked" and not holds(mind) else [])])
    if look is not None:
        return look
    if manner == "carried":
        return _carry(mind, cube)
    return _push(mind, cube) if manner == "pushed" else _draw(mind, cube)


def _carry(mind: Mind, cube: str) -> Act:
    if holds(mind):
        return Act(step=sequence(*place(known(mind, "target"))), why="It was carried: place it.")
    return Act(step=sequence(*pick(known(mind, cube))), why="It was carried: pick it up.")


def _push(mind: Mind, cube: str) -> Act:
    """The hand comes down behind the cube and goes through to the target, then back off it."""
    at, target = known(mind, cube), known(mind, "target")
    behind = _before(at, target, -BEHIND_M)
    if not _is_low_at(mind, behind):
        down = (move(over(behind), "close"), move(over(behind, LOW_M)))
        return Act(step=sequence(*down), why="It was pushed: the hand comes down behind it.")
    off = _before(target, at, BEHIND_M)
    ways = (
        move(over(_before(target, at, IN_TOUCH_M), LOW_M), arrive_step=mind.seen.step + SLOW_STEPS),
        move(over(off, LOW_M)),
        move(over(off), "open"),
    )
    return Act(step=sequence(*ways), why="It was pushed: push it to the target.")


def _draw(mind: Mind, cube: str) -> Act:
    """The bar comes down behind the cube, with the handle beside it; both lie as the arm looks."""
    if not holds(mind):
        hook = known(mind, "hook")
        handle = (hook[0] - HANDLE_M, hook[1], 0.0)
        return Act(step=sequence(*pick(handle, grasp_m=LOW_M)), why="It was drawn: take the hook.")
    at, target = known(mind, cube), known(mind, "target")
    behind = (at[0] + CUBE_M + ROOM_M - TO_BAR_M, at[1] + BESIDE_M, 0.0)
    if not _is_low_at(mind, behind):
        down = (move(over(behind, CARRY_M)), move(over(behind, LOW_M)))
        return Act(step=sequence(*down), why="The hook comes down behind the cube.")
    end = (target[0] + CUBE_M - TO_BAR_M, target[1] + BESIDE_M, 0.0)
    ways = (
        move(over(end, LOW_M), arrive_step=mind.seen.step + SLOW_STEPS),
        move(over(end, LOW_M), "open"),
        move(over(end, CARRY_M)),
    )
    return Act(step=sequence(*ways), why="Draw the cube to the target.")


def _before(at: Point, toward: Point, metres: float) -> Point:
    """A place on the line from `at` to another, so far along it."""
    way = math.dist(at[:2], toward[:2]) or 1.0
    share = metres / way
    return at[0] + share * (toward[0] - at[0]), at[1] + share * (toward[1] - at[1]), at[2]


def _is_low_at(mind: Mind, place_: Point) -> bool:
    tool = mind.seen.tool
    return tool is not None and math.dist((tool.x_m, tool.y_m, tool.z_m), (*place_[:2], LOW_M)) < 0.015


def _moved(frame: Sight, began: Pixel, *colours: str) -> bool:
    """Whether the thing is in sight, and not where it was."""
    found = nearest(began, (patch for patch in frame.of(*colours) if patch.area_px >= 60))
    return found is not None and apart_px(found.place, began) > MOVED_PX


def _is_at(frame: Sight, target: Pixel, *colours: str) -> bool:
    found = nearest(target, frame.of(*colours))
    return found is not None and apart_px(found.place, target) < MOVED_PX


def _is_lifted(frame: Sight, target: Pixel) -> bool:
    """Above where it would be seen at the end of its way."""
    return any(patch.y_px < target[1] - LIFTED_PX for patch in things(frame, *NAMED))
