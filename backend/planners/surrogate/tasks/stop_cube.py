"""StopCube: press the button as the moving cube passes the target for the k-th time.

Everything is watched while the hand goes to the button and waits over it. From where the cube was in which
frame follow the step at which it crossed the target and the one at which it turned back; it goes at one
speed and turns as far beyond the target on either side, so that both tell when it will cross again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from backend.domain.plans.plan import Watch
from backend.planners.surrogate import instruction
from backend.planners.surrogate.locating import known, look_for, read_points
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import PRESSED_M, move, over, press, sequence, wait
from backend.planners.surrogate.things import button_spot, things

NEAR_M = 0.07
"""Just over the button."""
PRESS_STEPS = 8
LOOK_STEPS = 24
ALL = Watch("all", "front")

Sample = tuple[int, float]
"""World step, and how far right of the target the cube's middle was, in pixels."""


def stop_cube(mind: Mind) -> Act:
    read_points(mind)
    colour, due = instruction.colours(mind.seen.instruction)[0], instruction.ordinal(mind.seen.instruction)
    if not mind.fact("target column"):
        mind.learn("target column", f"{things(mind.front, 'target')[0].x_px:.1f}")
    _watch(mind, colour)
    look = look_for(mind, button_spot(mind.front), ["button"])
    if look is not None:
        return look
    button, tool = known(mind, "button"), mind.seen.tool
    if tool is None or max(abs(tool.x_m - button[0]), abs(tool.y_m - button[1]), tool.z_m - NEAR_M) > 0.01:
        to_it = (move(over(button), "close"), move(over(button, NEAR_M)))
        return Act(step=sequence(*to_it, watch=ALL), why="The hand goes to the button and watches the cube.")
    at_step = _crossing(mind, due)
    if at_step is None:
        return Act(step=wait(LOOK_STEPS, ALL), why="When the cube passes cannot be told yet: watch on.")
    start = max(mind.seen.step, round(at_step) - PRESS_STEPS)
    down = move(over(button, PRESSED_M), start_step=start, arrive_step=max(start + 1, round(at_step)))
    return Act(
        step=sequence(down, press(button)[-1]), why=f"Pass {due} crosses the target at step {at_step:.0f}."
    )


def _watch(mind: Mind, colour: str) -> None:
    """Learns when the cube crossed the target and when it turned, of the first time that either was seen."""
    samples = _samples(mind, colour, float(mind.fact("target column")))
    if not mind.fact("crossed at step"):
        for (before, here), (after, there) in pairwise(samples):
            if here * there <= 0 and here != there:
                at_step = before + (after - before) * abs(here) / abs(here - there)
                mind.learn("crossed at step", f"{at_step:.1f}")
                break
    if not mind.fact("turned at step"):
        turned = _turn(samples)
        if turned is not None:
            mind.learn("turned at step", f"{turned:.1f}")


def _samples(mind: Mind, colour: str, column_px: float) -> list[Sample]:
    """Of every frame returned, and of the view now, in the order of their steps."""
    frames = [frame for each in mind.seen.frames for frame in each.watched.frames]
    now = [view.frame for view in mind.seen.views if view.frame.camera == "front"]
    samples: dict[int, float] = {}
    for frame in (*frames, *now):
        cubes = things(mind.look(frame), colour)
        if cubes:
            samples[frame.step] = cubes[0].x_px - column_px
    return sorted(samples.items())


def _turn(samples: Sequence[Sample]) -> float | None:
    """When the cube turned back: where the line it came by and the line it goes by meet."""
    for (t0, x0), (t1, x1), (t2, x2), (t3, x3) in zip(
        samples, samples[1:], samples[2:], samples[3:], strict=False
    ):
        came, goes = (x1 - x0) / (t1 - t0), (x3 - x2) / (t3 - t2)
        if came * goes < 0 and abs(came + goes) < 0.2 * abs(came):
            return (x2 - x1 + came * t1 - goes * t2) / (came - goes)
    return None


def _crossing(mind: Mind, due: int) -> float | None:
    """The step of the pass that is due; None as long as crossing and turn are not both known."""
    crossed, turned = mind.fact("crossed at step"), mind.fact("turned at step")
    if not crossed or not turned:
        return None
    first, pass_steps = float(crossed), 2 * abs(float(turned) - float(crossed))
    number = round(first / pass_steps + 0.5) if pass_steps else 1
    return first + (due - number) * pass_steps
