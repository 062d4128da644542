"""BinFill, PickXtimes and SwingXtimes: something is done a number of times, then the button is pressed.

How often it was done already is counted in the log, where that shows all; else as the notes have it.
"""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.execution.log import LogLine
from backend.planners.surrogate import instruction
from backend.planners.surrogate.done import asked, let_go, ran, went_wrong
from backend.planners.surrogate.locating import (
    Spot,
    forget,
    is_at_rest,
    known,
    look_for,
    point_of,
    put,
    read_points,
)
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import (
    CARRY_M,
    CUBE_M,
    move,
    over,
    pick,
    place,
    put_down,
    rest,
    sequence,
)
from backend.planners.surrogate.things import (
    button_spot,
    cube_spot,
    holds,
    press_now,
    spots,
    target_spots,
    things,
)

BIN_M, DROP_M, DROP_STEPS = 0.03, 0.11, 10
SWING_M = 0.08
"""A visit counts below 0.12."""


def bin_fill(mind: Mind) -> Act:
    read_points(mind)
    wanted = [colour for colour, count in instruction.counted(mind.seen.instruction) for _ in range(count)]
    cubes = [f"{colour} cube {number}" for number, colour in enumerate(wanted, start=1)]
    done, held = mind.count("cubes put into the bin", let_go), holds(mind)
    due = _still_due(mind, cubes[done:], held)
    if went_wrong(mind.seen.last) or (due and not held and point_of(mind, due[0]) is None):
        forget(mind, *due)
    in_sight = spots(mind.front, "bin", BIN_M, ["bin"]) | button_spot(mind.front) | _cube_spots(mind, due)
    needed = "bin" if held else due[0] if due else "button"
    look = look_for(mind, in_sight, [needed], ["bin", "button", *due])
    if look is not None:
        return look
    so_far = f"{done} of {len(wanted)} are in the bin"
    if held:
        at = known(mind, "bin")
        drop = (move(over(at, CARRY_M)), move(over(at, DROP_M), "open"), rest(DROP_STEPS))
        return Act(step=sequence(*drop), why=f"{so_far}, and one is held: it goes there.")
    if due:
        return Act(step=sequence(*pick(known(mind, due[0]))), why=f"{so_far}: {due[0]} is next.")
    return press_now(mind)


def pick_xtimes(mind: Mind) -> Act:
    read_points(mind)
    colour, count = instruction.colours(mind.seen.instruction)[0], instruction.times(mind.seen.instruction)
    cube, done, held = f"{colour} cube", mind.count("times placed", let_go), holds(mind)
    if went_wrong(mind.seen.last):
        forget(mind, cube)
    in_sight = cube_spot(mind.front, colour) | target_spots(mind.front) | button_spot(mind.front)
    needed = "target" if held else cube if done < count else "button"
    look = look_for(mind, in_sight, [needed])
    if look is not None:
        return look
    so_far = f"Placed {done} of {count} times"
    if held:
        target = known(mind, "target")
        put(mind, cube, (*target[:2], CUBE_M))
        return Act(step=sequence(*place(target)), why=f"{so_far}, and the {cube} is held: place it.")
    if done < count:
        return Act(step=sequence(*pick(known(mind, cube))), why=f"{so_far}: pick the {cube} up.")
    return press_now(mind)


def swing_xtimes(mind: Mind) -> Act:
    read_points(mind)
    colour, count = instruction.colours(mind.seen.instruction)[0], instruction.times(mind.seen.instruction)
    cube, done, held = f"{colour} cube", mind.count("times swung", swung), holds(mind)
    if went_wrong(mind.seen.last):
        forget(mind, cube)
    sides = ("target 1", "target 2")
    in_sight = cube_spot(mind.front, colour) | target_spots(mind.front, *sides) | button_spot(mind.front)
    needed = [*sides, cube] if not held and done < count else [*sides] if done < count else ["button"]
    tool = mind.seen.tool
    if held and done >= count and tool is not None:
        down = put_down((tool.x_m, tool.y_m, tool.z_m))
        return Act(step=sequence(*down), why=f"Swung {done} times: put it down right here.")
    look = look_for(mind, in_sight, needed)
    if look is not None:
        return look
    if done >= count:
        return press_now(mind)
    if not held:
        return Act(step=sequence(*pick(known(mind, cube))), why=f"The {cube} is to be picked up first.")
    right, left = sorted((known(mind, side) for side in sides), key=lambda point: point[1])
    way = [(right, CARRY_M), (right, SWING_M), (right, CARRY_M), (left, CARRY_M), (left, SWING_M)]
    step = sequence(*(move(over(side, height_m)) for side, height_m in way))
    return Act(step=step, why=f"Swung {done} of {count} times: once more.")


def swung(line: LogLine) -> bool:
    """Both targets were visited."""
    return ran(line) and sum(part.arguments.get("z_m") == SWING_M for part in asked(line)) == 2


def _still_due(mind: Mind, due: list[str], held: bool) -> list[str]:
    """Without those of which no cube is in sight though nothing hides any: the count must have missed one."""
    while due and not held and is_at_rest(mind) and not things(mind.front, due[0].split()[0]):
        due = due[1:]
    return due


def _cube_spots(mind: Mind, due: Sequence[str]) -> dict[str, Spot]:
    """The cubes due under their names, those of a colour from left to right."""
    found: dict[str, Spot] = {}
    for colour in dict.fromkeys(name.split()[0] for name in due):
        names = [name for name in due if name.startswith(f"{colour} ")]
        patches = things(mind.front, colour)
        found |= {n: Spot(p.place, CUBE_M) for n, p in zip(names, patches, strict=False)}
    return found
