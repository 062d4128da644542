"""StopCube: press the button as the moving cube passes the target for the k-th time.

Everything is watched while the hand goes to the button and waits over it. From where the cube was in which
frame follow the step at which it crossed the target, and how long it takes from there to where it turns; it
goes at one speed and turns as far beyond the target on either side, so that both tell when it crosses again.
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
APART_STEPS = 10.0
"""Less far apart it is one crossing, seen twice."""
TARGET, CROSSED = "target column", "crossed the target at"
HALF_PASS, LAST = "steps from the target to the turn", "cube last seen at steps, pixels right of the target"

Sample = tuple[int, float]
"""World step, and how far right of the target the cube's middle was, in pixels."""


def stop_cube(mind: Mind) -> Act:
    read_points(mind)
    colour, due = instruction.colours(mind.seen.instruction)[0], instruction.ordinal(mind.seen.instruction)
    targets = things(mind.front, "target")
    if targets and not mind.fact(TARGET):
        mind.learn(TARGET, f"{targets[0].x_px:.1f}")
    if mind.fact(TARGET):
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
    """Learns when the cube crossed the target, and how long it takes from there to where it turned back. Its
    last three places are noted too, to go on from with the next frames."""
    samples = [*_noted(mind), *_samples(mind, colour, float(mind.fact(TARGET)))]
    crossed = list(_steps(mind.fact(CROSSED)))
    for one, other in pairwise(samples):
        at_step = _crossed(one, other)
        if at_step is not None and all(abs(at_step - before) > APART_STEPS for before in crossed):
            crossed.append(at_step)
    if crossed:
        mind.learn(CROSSED, " ".join(["steps", *(f"{step:.1f}" for step in crossed)]))
    half_pass = _half_pass_steps(samples)
    if half_pass is not None and not mind.fact(HALF_PASS):
        mind.learn(HALF_PASS, f"{half_pass:.1f}")
    mind.learn(LAST, ", ".join(f"{step} {off_px:.1f}" for step, off_px in samples[-3:]) or "nowhere")


def _noted(mind: Mind) -> list[Sample]:
    pairs = [part.split() for part in mind.fact(LAST).split(", ")]
    return [(int(pair[0]), float(pair[1])) for pair in pairs if len(pair) == 2]


def _samples(mind: Mind, colour: str, column_px: float) -> list[Sample]:
    """Of every frame returned, and of the view now, in the order of their steps, after those noted."""
    frames = [frame for each in mind.seen.frames for frame in each.watched.frames]
    now = [view.frame for view in mind.seen.views if view.frame.camera == "front"]
    samples: dict[int, float] = {}
    for frame in (*frames, *now):
        cubes = things(mind.look(frame), colour)
        if cubes:
            samples[frame.step] = cubes[0].x_px - column_px
    noted = max((step for step, _ in _noted(mind)), default=-1)
    return [(step, off_px) for step, off_px in sorted(samples.items()) if step > noted]


def _crossed(one: Sample, other: Sample) -> float | None:
    """When the cube was over the target between two samples."""
    (before, here), (after, there) = one, other
    if here * there > 0 or here == there:
        return None
    return before + (after - before) * abs(here) / abs(here - there)


def _half_pass_steps(samples: Sequence[Sample]) -> float | None:
    """From the target to where the cube turned: where the line it came by and the one it goes by meet."""
    for four in zip(samples, samples[1:], samples[2:], samples[3:], strict=False):
        (t0, x0), (t1, x1), (t2, x2), (t3, x3) = four
        came, goes = (x1 - x0) / (t1 - t0), (x3 - x2) / (t3 - t2)
        if came * goes < 0 and abs(came + goes) < 0.2 * abs(came):
            turned = (x2 - x1 + came * t1 - goes * t2) / (came - goes)
            return abs(x1 + came * (turned - t1)) / abs(came)
    return None


def _crossing(mind: Mind, due: int) -> float | None:
    """The step of the pass that is due; None as long as it cannot be told. One that is far off is told by two
    crossings: what the turn tells is too rough to be multiplied."""
    crossed, half_pass = _steps(mind.fact(CROSSED)), mind.fact(HALF_PASS)
    if not crossed or (due > 2 and len(crossed) < 2) or (due <= 2 and not half_pass):
        return None
    first, last = crossed[0], crossed[-1]
    pass_steps = last - first if len(crossed) > 1 else 2 * float(half_pass)
    return first + (due - round(first / pass_steps + 0.5)) * pass_steps


def _steps(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split()[1:])
