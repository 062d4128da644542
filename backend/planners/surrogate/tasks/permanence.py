"""VideoUnmask, ButtonUnmask, and both with swaps: lift the containers that hide the cubes named, in order.

Where a cube was seen, or beneath which container it went, is learned when it shows, and has to be remembered.
What was forgotten cannot be seen any more: then a container is guessed.
"""

from __future__ import annotations

from backend.domain.plans.plan import Watch
from backend.planners.surrogate import instruction
from backend.planners.surrogate.done import grasped, pressed, went_wrong
from backend.planners.surrogate.locating import Spot, forget, known, look_for, read_points
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import (
    BUTTON_M,
    CONTAINER_M,
    CUBE_M,
    lift,
    press,
    put_back,
    rest,
    sequence,
    wait,
)
from backend.planners.surrogate.seeing.swaps import numbers, read
from backend.planners.surrogate.tasks.hiding import (
    CONTAINER,
    PLACES,
    at_place,
    followed,
    is_uncovered,
    uncovered,
    under,
)
from backend.planners.surrogate.things import MIDDLE, holds, spots, things
from backend.planners.surrogate.watching import Watching

AFTER_PRESS_STEPS = 8
LOOK_STEPS = 56
"""Longer than containers ever stand still between two swaps."""
MOST_POINTS = 8
ALL = Watch("all", "front")


def watch_unmask(watching: Watching) -> None:
    uncovered(watching, [sight for _, sight in watching.sights], instruction.colours(watching.instruction))


def watch_unmask_swap(watching: Watching) -> None:
    colours = instruction.colours(watching.instruction)
    shuffled = followed(watching, [sight for _, sight in watching.sights], colours)
    shown = [number for number, _ in watching.sights]
    watching.look_closer((shown[max(0, index - 1)], shown[index]) for index in shuffled.unsure)


def video_unmask(mind: Mind) -> Act:
    read_points(mind)
    return _lift_due(mind)


def button_unmask(mind: Mind) -> Act:
    read_points(mind)
    colours = instruction.colours(mind.seen.instruction)
    if not mind.count("buttons pressed", pressed):
        return _press(mind, 1, 1)
    uncovered(mind, mind.frames, colours)
    if not mind.count("containers lifted", grasped) and is_uncovered(mind.front, colours):
        return Act(step=wait(LOOK_STEPS), why="The cubes are in sight: wait until they are covered again.")
    return _lift_due(mind)


def button_unmask_swap(mind: Mind) -> Act:
    read_points(mind)
    colours = instruction.colours(mind.seen.instruction)
    done = mind.count("buttons pressed", pressed)
    shuffled = followed(mind, mind.frames, colours)
    if done < 2:
        return _press(mind, done + 1, 2)
    still = mind.seen.last is not None and mind.seen.last.command == f"wait {LOOK_STEPS} steps"
    if not mind.fact("containers came to rest"):
        if not still or shuffled.stirred or shuffled.empty:
            return Act(step=wait(LOOK_STEPS, ALL), why="The containers may change places: watch them.")
        mind.learn("containers came to rest", "yes")
    return _lift_due(mind)


def _lift_due(mind: Mind) -> Act:
    """The next container, after the one that is held was put back."""
    colours = instruction.colours(mind.seen.instruction)
    done = min(mind.count("containers lifted", grasped), len(colours) - 1)
    name = f"container over the {colours[done]} cube"
    if went_wrong(mind.seen.last):
        forget(mind, name)
    look = look_for(mind, {name: _spot(mind, colours[done])}, [name])
    if look is not None:
        return look
    tool = mind.seen.tool
    held = holds(mind) and tool is not None
    back = put_back((tool.x_m, tool.y_m, tool.z_m)) if held and tool is not None else ()
    step = sequence(*back, *lift(known(mind, name)))
    return Act(step=step, why=f"{done} of {len(colours)} are lifted: the {name} is next.")


def _spot(mind: Mind, colour: str) -> Spot:
    """Where the container is that hides the cube, as far as is remembered; else one of them by chance."""
    seen, places = mind.fact(under(colour)), read(mind.fact(PLACES))
    if seen:
        return Spot(read(seen)[0], CUBE_M)
    number = numbers(mind.fact(at_place(colour)))
    if number and not places:
        places = tuple(patch.place for patch in things(mind.front, CONTAINER))
    if number and number[0] < len(places):
        return Spot(places[number[0]], CONTAINER_M)
    found = {f"{patch.x_px:.1f} {patch.y_px:.1f}" for patch in things(mind.front, CONTAINER)}
    guessed = mind.guess(colour, sorted(found) or [MIDDLE])
    return Spot(read(guessed)[0], CONTAINER_M)


def _press(mind: Mind, number: int, of: int) -> Act:
    names = ["button"] if of == 1 else [f"button {n + 1}" for n in range(of)]
    look = look_for(mind, spots(mind.front, "button", BUTTON_M, names), names)
    if look is not None:
        return look
    points = tuple(patch.place for patch in things(mind.front, CONTAINER)[:MOST_POINTS])
    watch = Watch(points, "front") if of == 1 and points else ALL
    step = sequence(*press(known(mind, names[number - 1])), rest(AFTER_PRESS_STEPS), watch=watch)
    return Act(step=step, why=f"Button {number} of {of}, watching what it uncovers.")
