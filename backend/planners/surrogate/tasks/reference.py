"""VideoRepick, VideoPlaceButton and VideoPlaceOrder: which cube was picked, on which target it stood when.

Cubes of one colour and targets look alike: each is known by the place where it stands, and followed through
the swaps that the demonstration ends with.
"""

from __future__ import annotations

from collections.abc import Sequence

from backend.planners.surrogate import instruction
from backend.planners.surrogate.done import grasped, went_wrong
from backend.planners.surrogate.locating import Spot, forget, known, look_for, read_points
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import CUBE_M, pick, place, put_down, sequence
from backend.planners.surrogate.seeing.palette import NAMED
from backend.planners.surrogate.seeing.sight import Pixel, Sight, apart_px
from backend.planners.surrogate.seeing.swaps import after_swaps, numbers, read, shuffle, written
from backend.planners.surrogate.things import MIDDLE, button_spot, cube_spot, holds, press_now, things
from backend.planners.surrogate.watching import Watching

PLACES, EMPTY = "places in the video", "places standing empty"
PICKED = "picked in the video, by its place"
STOOD = "stood on targets in the video, in order"
PRESSED = "targets it had stood on when the button was pressed"
NEAR_PX, STILL_PX, HAND_PX = 14.0, 3.0, 26.0


def watch_repick(watching: Watching) -> None:
    frames = [sight for _, sight in watching.sights]
    colour = _colour_of_cubes(frames)
    places = _places(watching, frames, colour)
    seen = shuffle(frames, places, {colour}, numbers(watching.fact(EMPTY)))
    picked = numbers(watching.fact(PICKED))
    if picked:
        watching.learn(PICKED, _number(after_swaps(picked[0], seen.swaps)))
    elif seen.taken:
        index, taken = seen.taken[0]
        watching.learn(PICKED, _number(after_swaps(taken, seen.since(index))))
    _leave(watching, seen.empty)


def watch_place(watching: Watching) -> None:
    frames = [sight for _, sight in watching.sights]
    colour = _colour_of_cubes(frames)
    places = _places(watching, frames, "target")
    seen = shuffle(frames, places, {"target", colour}, numbers(watching.fact(EMPTY)))
    stood = list(numbers(watching.fact(STOOD)))
    pressed_after = numbers(watching.fact(PRESSED))
    before: Pixel | None = None
    for frame in frames:
        cube = next(iter(things(frame, colour)), None)
        at = cube.place if cube else None
        if at is not None and before is not None and apart_px(at, before) <= STILL_PX:
            target = _target_under(at, places)
            if target is not None and stood[-1:] != [target]:
                stood.append(target)
        if not pressed_after and stood and _is_pressing(frame):
            pressed_after = (len(stood),)
        before = at
    if stood:
        watching.learn(STOOD, " ".join(["numbers", *(str(after_swaps(n, seen.swaps)) for n in stood)]))
    if pressed_after:
        watching.learn(PRESSED, _number(pressed_after[0]))
    _leave(watching, seen.empty)


def video_repick(mind: Mind) -> Act:
    read_points(mind)
    count, done = instruction.times(mind.seen.instruction), mind.count("times picked", grasped)
    name = "cube of the video"
    if went_wrong(mind.seen.last):
        forget(mind, name)
    if holds(mind):
        tool = mind.seen.tool
        assert tool is not None, "what measures its fingers measures its tool"
        return Act(step=sequence(*put_down((tool.x_m, tool.y_m, tool.z_m))), why="Back where it was.")
    spots = {name: _recalled(mind, PICKED, 0, CUBE_M, *NAMED)} | button_spot(mind.front)
    look = look_for(mind, spots, [name if done < count else "button"])
    if look is not None:
        return look
    if done >= count:
        return press_now(mind)
    return Act(step=sequence(*pick(known(mind, name))), why=f"Picked {done} of {count} times: once more.")


def video_place_button(mind: Mind) -> Act:
    pressed_after = numbers(mind.fact(PRESSED))
    before = "before" in mind.seen.instruction.lower()
    return _place_on(mind, None if not pressed_after else pressed_after[0] - (1 if before else 0))


def video_place_order(mind: Mind) -> Act:
    return _place_on(mind, instruction.ordinal(mind.seen.instruction) - 1)


def _place_on(mind: Mind, visit: int | None) -> Act:
    """The cube on the target of that visit, the first being 0; None where that is forgotten."""
    read_points(mind)
    colour = next((patch.colour for patch in mind.front.of(*NAMED)), "red")
    cube, target = f"{colour} cube", "target meant"
    if went_wrong(mind.seen.last):
        forget(mind, cube)
    spots = cube_spot(mind.front, colour)
    spots[target] = _recalled(mind, STOOD, visit, 0.0, "target")
    look = look_for(mind, spots, [target if holds(mind) else cube])
    if look is not None:
        return look
    if holds(mind):
        return Act(step=sequence(*place(known(mind, target))), why="It is held: to the target meant.")
    return Act(step=sequence(*pick(known(mind, cube))), why=f"The {cube} is to be picked up.")


def _recalled(mind: Mind, subject: str, index: int | None, height_m: float, *colours: str) -> Spot:
    """The place remembered under `subject`; one of those that look so, by chance, where it is forgotten."""
    found, places = numbers(mind.fact(subject)), read(mind.fact(PLACES))
    if not places:
        places = tuple(patch.place for patch in things(mind.front, *colours))
    if index is not None and index < len(found) and found[index] < len(places):
        return Spot(places[found[index]], height_m)
    return Spot(read(mind.guess(subject, [written([each]) for each in places] or [MIDDLE]))[0], height_m)


def _places(watching: Watching, frames: Sequence[Sight], colour: str) -> tuple[Pixel, ...]:
    """Of what looks alike, from left to right, as it stood at first."""
    places = read(watching.fact(PLACES))
    if not places:
        places = tuple(patch.place for patch in things(frames[0], colour))
        watching.learn(PLACES, written(places) or "none")
    return places


def _leave(watching: Watching, empty: Sequence[int]) -> None:
    if empty or numbers(watching.fact(EMPTY)):
        watching.learn(EMPTY, " ".join(["numbers", *map(str, empty)]))


def _colour_of_cubes(frames: Sequence[Sight]) -> str:
    return next((patch.colour for frame in frames for patch in frame.of(*NAMED)), "red")


def _target_under(cube: Pixel, places: Sequence[Pixel]) -> int | None:
    """The target on which a cube seen there stands: its middle is seen a little above the target's."""
    near = [(apart_px(cube, place), number) for number, place in enumerate(places)]
    distance, number = min(near, default=(NEAR_PX + 1, 0))
    return number if distance <= NEAR_PX else None


def _is_pressing(frame: Sight) -> bool:
    """The fingertips are at the button."""
    buttons = things(frame, "button")
    tips = [(patch.x_px, patch.box_px[3]) for patch in frame.of("finger")]
    return any(apart_px(button.place, tip) < HAND_PX for button in buttons for tip in tips)


def _number(number: int) -> str:
    return f"number {number}"
