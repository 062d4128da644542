"""InsertPeg: hold the demonstrated peg by the demonstrated end, and insert it from the demonstrated side.

Each end of a peg has a colour of its own. The peg is the one that left its place, its held end the one that
the fingertips are at; the side is where that end sticks out of the hole when the peg was last seen away.
"""

from __future__ import annotations

import math

from backend.planners.surrogate.done import went_wrong
from backend.planners.surrogate.locating import Spot, forget, known, look_for, read_points
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import GRASPED, OVER_M, Point, move, over, sequence
from backend.planners.surrogate.seeing.hand import hand_of
from backend.planners.surrogate.seeing.palette import NAMED
from backend.planners.surrogate.seeing.patches import Patch
from backend.planners.surrogate.seeing.sight import Pixel, Sight, apart_px
from backend.planners.surrogate.things import holds, spots
from backend.planners.surrogate.watching import Watching

ENDS, HELD, SIDE = "ends of pegs at pixels", "ends seen held, nearest first", "side it was inserted from"
END, OTHER = "held end", "other end"
PEG_M, GRASP_M, LIFT_M = 0.015, 0.035, 0.20
"""Of a peg's middle over the table; from there to where an end is held; of the hand on its way."""
HOLE_M, FAR_M, NEAR_M = 0.05, 0.145, 0.055
"""Of the hole's middle; from there to the hand before the peg is in, and after."""
MOVED_PX, LEAST_PX = 7.0, 20.0


def watch_peg(watching: Watching) -> None:
    first = watching.sights[0][1]
    began = _read(watching.fact(ENDS)) or {p.colour: p.place for p in _ends(first).values()}
    watching.learn(ENDS, ", ".join(f"{colour} {x:.1f} {y:.1f}" for colour, (x, y) in began.items()))
    for _, sight in watching.sights:
        away = [p for c, p in _ends(sight).items() if c in began and apart_px(p.place, began[c]) > MOVED_PX]
        hand = hand_of(sight)
        if not away:
            continue
        if hand is not None and not watching.fact(HELD):
            _tell_end(watching, hand.tip, away, began)
        held = watching.fact(HELD).split()[:1]
        hole = next(iter(sight.of("hole")), None)
        end = next((patch for patch in away if [patch.colour] == held), None)
        if hole is not None and end is not None and abs(end.x_px - hole.x_px) > MOVED_PX:
            watching.learn(SIDE, "left" if end.x_px > hole.x_px else "right")


def insert_peg(mind: Mind) -> Act:
    read_points(mind)
    ends = {patch.colour: patch for patch in _ends(mind.front).values()}
    colours = mind.fact(HELD).split() or mind.guess(HELD, sorted(ends) or ["red"]).split()
    mind.learn(HELD, " ".join(colours))
    side = mind.fact(SIDE) or mind.guess(SIDE, ["left", "right"])
    mind.learn(SIDE, side)
    if went_wrong(mind.seen.last):
        forget(mind, END, OTHER)
    in_sight = spots(mind.front, "hole", HOLE_M, ["hole"]) | _end_spots(ends, colours)
    look = look_for(mind, in_sight, ["hole", END, OTHER])
    if look is not None:
        return look
    end, other, hole = known(mind, END), known(mind, OTHER), known(mind, "hole")
    toward = 1 if end[0] > other[0] else -1
    if not holds(mind):
        return _take(end, other)
    return _insert(hole, toward, 1 if side == "left" else -1)


def _take(end: Point, other: Point) -> Act:
    """Beside its middle, on the way to the end."""
    middle = ((end[0] + other[0]) / 2, (end[1] + other[1]) / 2)
    far = math.dist(end[:2], other[:2]) or 1.0
    share = GRASP_M / far
    at = (middle[0] + share * (end[0] - other[0]), middle[1] + share * (end[1] - other[1]), 0.0)
    ways = (
        move(over(at, OVER_M), "open"),
        move(over(at, PEG_M), "close", check=GRASPED),
        move(over(at, LIFT_M)),
    )
    return Act(step=sequence(*ways), why="The peg is to be taken by the end that was held.")


def _insert(hole: Point, toward: int, side: int) -> Act:
    """The free end goes first: the hand turns a quarter. `side`: +1 for the left, where y is larger."""
    yaw_rad = toward * side * math.pi / 2
    far, near = (hole[0], hole[1] + side * FAR_M), (hole[0], hole[1] + side * NEAR_M)
    ways = (
        move((*far, LIFT_M), yaw_rad=yaw_rad),
        move((*far, HOLE_M), yaw_rad=yaw_rad),
        move((*near, HOLE_M), yaw_rad=yaw_rad),
        move((*near, HOLE_M), "open", yaw_rad=yaw_rad),
        move((*far, HOLE_M), yaw_rad=yaw_rad),
    )
    return Act(step=sequence(*ways), why="It is held by its end: insert it from the side that was shown.")


def _tell_end(watching: Watching, tip: Pixel, away: list[Patch], began: dict[str, Pixel]) -> None:
    """The end of the peg that the fingertips are at, and then the other end, which lay beside it."""
    held = min(away, key=lambda patch: apart_px(patch.place, tip)).colour
    others = sorted(
        (apart_px(began[held], place), colour) for colour, place in began.items() if colour != held
    )
    watching.learn(HELD, f"{held} {others[0][1]}" if others else held)


def _end_spots(ends: dict[str, Patch], colours: list[str]) -> dict[str, Spot]:
    """Of both ends of the peg; where only one is remembered, the other is what lies nearest to it."""
    if colours[0] not in ends:
        return {}
    end = ends[colours[0]]
    rest = sorted(
        (patch for colour, patch in ends.items() if colour != end.colour),
        key=lambda patch: apart_px(patch.place, end.place),
    )
    if not rest:
        return {}
    return {END: Spot(end.place, PEG_M), OTHER: Spot(rest[0].place, PEG_M)}


def _ends(sight: Sight) -> dict[str, Patch]:
    """The largest patch of each colour that an end may have."""
    found: dict[str, Patch] = {}
    for patch in sight.of(*NAMED):
        if patch.area_px >= LEAST_PX:
            found.setdefault(patch.colour, patch)
    return found


def _read(text: str) -> dict[str, Pixel]:
    parts = [part.split() for part in text.split(", ")]
    return {part[0]: (float(part[1]), float(part[2])) for part in parts if len(part) == 3}
