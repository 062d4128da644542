"""What stands on the table, told by colour and size: where in the front view, and how high its middle is."""

from __future__ import annotations

from collections.abc import Sequence

from backend.planners.surrogate.locating import Spot, known
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import BUTTON_M, CUBE_M, press, sequence, wait
from backend.planners.surrogate.seeing.patches import Patch
from backend.planners.surrogate.seeing.sight import Sight

LEAST_PX = 40.0
"""Of a thing that is not mostly hidden."""
MIDDLE = "256 256"
"""Of the picture, in pixels: looked at where nothing that could be meant is in sight."""


def things(sight: Sight, *colours: str) -> tuple[Patch, ...]:
    """Those of the colours that are not mostly hidden, from left to right."""
    return tuple(sorted((p for p in sight.of(*colours) if p.area_px >= LEAST_PX), key=lambda p: p.place))


def spots(sight: Sight, colour: str, height_m: float, names: Sequence[str]) -> dict[str, Spot]:
    """Those of the colour under `names`, from left to right; none of them as long as one is hidden."""
    found = things(sight, colour)
    if len(found) < len(names):
        return {}
    return {name: Spot(patch.place, height_m) for name, patch in zip(names, found, strict=False)}


def cube_spot(sight: Sight, colour: str) -> dict[str, Spot]:
    return spots(sight, colour, CUBE_M, [f"{colour} cube"])


def button_spot(sight: Sight) -> dict[str, Spot]:
    return spots(sight, "button", BUTTON_M, ["button"])


def target_spots(sight: Sight, *names: str) -> dict[str, Spot]:
    return spots(sight, "target", 0.0, names or ["target"])


def holds(mind: Mind) -> bool:
    """Whether something is between the fingers: they stand neither open nor closed."""
    opening_m = mind.seen.opening_m
    return opening_m is not None and 0.01 < opening_m < 0.07


def give_up(mind: Mind, why: str) -> Act:
    """Nothing is left to be done that is known of: the time runs out."""
    return Act(step=wait(max(1, mind.seen.steps_left or 1)), why=why)


def press_now(mind: Mind, why: str = "All is done: the button is next.") -> Act:
    return Act(step=sequence(*press(known(mind, "button"))), why=why)
