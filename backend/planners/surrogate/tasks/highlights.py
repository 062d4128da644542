"""PickHighlight: press, watch which cubes light up, pick them in the order in which they did."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.plans.plan import Watch
from backend.planners.surrogate.done import grasped, pressed, went_wrong
from backend.planners.surrogate.locating import Spot, forget, known, look_for, point_of, read_points
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import CUBE_M, REST, move, pick, press, put_down, rest, sequence
from backend.planners.surrogate.seeing.palette import NAMED
from backend.planners.surrogate.seeing.sight import Pixel, Sight, apart_px
from backend.planners.surrogate.seeing.swaps import read, written
from backend.planners.surrogate.things import MIDDLE, button_spot, holds, things

LIT = "lit up in this order, at pixels"
LIGHTS_STEPS = 90
ALL = Watch("all", "front")
"""One cube that lights up is too small a part of what is watched round all of them to be returned for it."""
SAME_PX = 12.0
"""Pixels between which it is one cube, however much of it is hidden."""


def pick_highlight(mind: Mind) -> Act:
    read_points(mind)
    if not mind.count("buttons pressed", pressed):
        return _press(mind)
    if not mind.fact(LIT) and (lit := _lit(mind.frames)):
        mind.learn(LIT, written(lit))
    order = read(mind.fact(LIT))
    done = mind.count("cubes picked", grasped)
    name = f"cube {done + 1} that lit up"
    if went_wrong(mind.seen.last):
        forget(mind, name)
    spots = {f"cube {n} that lit up": Spot(pixel, CUBE_M) for n, pixel in enumerate(order, start=1)}
    if name not in spots and point_of(mind, name) is None:
        cubes = [written([patch.place]) for patch in things(mind.front, *NAMED)] or [MIDDLE]
        spots[name] = Spot(read(mind.guess(name, cubes))[0], CUBE_M)
    look = look_for(mind, spots, [name], list(spots)[done:])
    if look is not None:
        return look
    tool = mind.seen.tool
    back = put_down((tool.x_m, tool.y_m, tool.z_m)) if tool is not None and holds(mind) else ()
    return Act(step=sequence(*back, *pick(known(mind, name))), why=f"{done} are picked: {name} is next.")


def _press(mind: Mind) -> Act:
    """And out of the way, to see what lights up."""
    look = look_for(mind, button_spot(mind.front), ["button"])
    if look is not None:
        return look
    parts = (*press(known(mind, "button")), move(REST), rest(LIGHTS_STEPS))
    return Act(step=sequence(*parts, watch=ALL), why="Press, and watch the cubes.")


def _lit(frames: Sequence[Sight]) -> list[Pixel]:
    """Where something was lit, each place once, in the order in which it was first."""
    best: list[tuple[float, Pixel]] = []
    for frame in frames:
        for patch in things(frame, "highlight"):
            near = next((i for i, (_, at) in enumerate(best) if apart_px(at, patch.place) < SAME_PX), None)
            if near is None:
                best.append((patch.area_px, patch.place))
            else:
                best[near] = max(best[near], (patch.area_px, patch.place))
    return [place for _, place in best]
