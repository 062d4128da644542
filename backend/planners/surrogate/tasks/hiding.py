"""What hides what: learned from frames that show the cubes uncovered, and containers that change places.

The same for a demonstration and for what happens while the arm acts: a mind and a watching both know facts
and learn them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from backend.planners.surrogate.seeing.patches import Patch
from backend.planners.surrogate.seeing.sight import Sight, apart_px
from backend.planners.surrogate.seeing.swaps import Shuffle, after_swaps, numbers, read, shuffle, written
from backend.planners.surrogate.things import LEAST_PX, things

CONTAINER = "container"
PLACES = "places of the containers"
EMPTY = "places standing empty"
NONE = "none"


class Learner(Protocol):
    def fact(self, subject: str) -> str: ...

    def learn(self, subject: str, value: str | int) -> None: ...


def uncovered(learner: Learner, frames: Sequence[Sight], colours: Sequence[str]) -> None:
    """Learns at which pixel each cube was seen, of the frame in which most of it was."""
    for colour in colours:
        best = max((p for f in frames for p in things(f, colour)), key=_area, default=None)
        if best is not None and not learner.fact(under(colour)):
            learner.learn(under(colour), f"{best.x_px:.1f} {best.y_px:.1f}")


def followed(
    learner: Learner, frames: Sequence[Sight], colours: Sequence[str], thing: str = CONTAINER
) -> Shuffle:
    """Learns beneath the thing at which place each cube is, and follows it as things change places."""
    places = read(learner.fact(PLACES))
    if not places:
        standing = next((found for f in frames if (found := things(f, thing))), ())
        places = tuple(patch.place for patch in standing)
        learner.learn(PLACES, written(places) or NONE)
    shuffled = shuffle(frames, places, {thing}, numbers(learner.fact(EMPTY)))
    if shuffled.empty or numbers(learner.fact(EMPTY)):
        learner.learn(EMPTY, " ".join(["numbers", *map(str, shuffled.empty)]))
    for colour in colours:
        place = numbers(learner.fact(at_place(colour)))
        if place:
            learner.learn(at_place(colour), _place(after_swaps(place[0], shuffled.swaps)))
        else:
            _uncovered_at(learner, frames, places, colour)
    return shuffled


def is_uncovered(frame: Sight, colours: Sequence[str]) -> bool:
    return any(patch.area_px >= LEAST_PX for patch in frame.of(*colours))


def under(colour: str) -> str:
    return f"{colour} cube seen at pixel"


def at_place(colour: str) -> str:
    return f"{colour} cube is under container"


def _uncovered_at(
    learner: Learner, frames: Sequence[Sight], places: Sequence[tuple[float, float]], colour: str
) -> None:
    """Learns the place at which a cube was seen last, and follows it through what comes after."""
    seen = [(index, cube) for index, frame in enumerate(frames) for cube in things(frame, colour)]
    if not seen or not places:
        return
    index, cube = seen[-1]
    place = min(range(len(places)), key=lambda number: apart_px(places[number], cube.place))
    later = shuffle(frames[index:], places, {CONTAINER}, ())
    learner.learn(at_place(colour), _place(after_swaps(place, later.swaps)))


def _place(number: int) -> str:
    return f"number {number}"


def _area(patch: Patch) -> float:
    return patch.area_px
