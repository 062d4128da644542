"""What the world moves by itself: containers that rise and show what is beneath, and things that swap places.

Pure functions of how many steps it has been going on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from random import Random

from robot_bridge.tabletop.tasks.placing import Spot
from robot_bridge.tabletop.values import Change, Pose

REVEAL_STEPS = 64
RISE_STEPS = 12
RISE_M = 0.9
"""High enough to leave the front camera's view."""
SWAP_STEPS = 50
BULGE_M = 0.09
"""How far the arcs of a swap swing out to either side."""

Swap = tuple[int, int]
"""Which two slots change what stands in them."""


def risen_m(step: int) -> float:
    """How high above its place a revealed container is, `step` steps into the reveal (0 to REVEAL_STEPS)."""
    if not 0 <= step <= REVEAL_STEPS:
        return 0.0
    return RISE_M * min(1.0, step / RISE_STEPS, (REVEAL_STEPS - step) / RISE_STEPS)


def reveal(places: Mapping[str, Pose], step: int) -> tuple[Change, ...]:
    """Each container at its place, or over it."""
    height_m = risen_m(step)
    return tuple(Change(name, at._replace(z_m=at.z_m + height_m)) for name, at in places.items())


def slots_after(swaps: Sequence[Swap], count: int) -> tuple[int, ...]:
    """In which slot each of `count` ends that began in the slot of its own number."""
    slot_of = list(range(count))
    for a, b in swaps:
        slot_of = [b if slot == a else a if slot == b else slot for slot in slot_of]
    return tuple(slot_of)


def between(a: Spot, b: Spot, share: float) -> Spot:
    """On the arc from a to b, half of an ellipse that swings out to the right of the way."""
    along_x, along_y = b[0] - a[0], b[1] - a[1]
    length = (along_x**2 + along_y**2) ** 0.5
    angle = pi * (1 - cos(pi * share)) / 2  # gently at both ends
    forward, aside = (1 - cos(angle)) / 2, BULGE_M * sin(angle) / length
    return a[0] + forward * along_x + aside * along_y, a[1] + forward * along_y - aside * along_x


def swapped(
    spots: Sequence[Spot], swaps: Sequence[Swap], step: int, rider_z_m: Mapping[str, tuple[int, float]]
) -> tuple[Change, ...]:
    """Where everything stands `step` steps into the swaps, one after the other.

    `rider_z_m`: each moved thing's name to the slot it began in and the height of its middle; what is under
    a container rides along.
    """
    done, within = divmod(max(step, 0), SWAP_STEPS)
    if done >= len(swaps):
        done, within = len(swaps), 0
    slots = slots_after(swaps[:done], len(spots))
    now = swaps[done] if done < len(swaps) else None
    changes = []
    for name, (began, z_m) in rider_z_m.items():
        slot = slots[began]
        x_m, y_m = spots[slot]
        if now is not None and slot in now:
            other = now[1] if slot == now[0] else now[0]
            x_m, y_m = between(spots[slot], spots[other], within / SWAP_STEPS)
        changes.append(Change(name, Pose(x_m, y_m, z_m)))
    return tuple(changes)


def drawn_swaps(rng: Random, count: int, slots: int) -> tuple[Swap, ...]:
    """None undoes the one before it."""
    swaps: list[Swap] = []
    while len(swaps) < count:
        a, b = sorted(rng.sample(range(slots), 2))
        if swaps[-1:] != [(a, b)]:
            swaps.append((a, b))
    return tuple(swaps)
