"""What each kind of thing is made of: boxes, cylinders and balls around its middle.

Which parts touch what is told by two masks, as MuJoCo has it: 1 is shared with the table, 2 with things and
fingers, 4 with the table alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import mujoco

from robot_bridge.tabletop.values import Kind, Thing

FREE = ("cube", "container", "peg", "hook")
"""What can be grasped and moved; all else is fixed."""
BOX, CYLINDER, BALL = (
    mujoco.mjtGeom.mjGEOM_BOX,
    mujoco.mjtGeom.mjGEOM_CYLINDER,
    mujoco.mjtGeom.mjGEOM_SPHERE,
)
Masks = tuple[int, int]
LIES: Masks = (3, 3)
STANDS: Masks = (2, 3)
WALL: Masks = (2, 2)
FOOT: Masks = (4, 0)
NOTHING: Masks = (0, 0)
WALL_M, BIN_WALL_M = 0.004, 0.006
FOOT_M = 0.003


class Part(NamedTuple):
    """`at_m`: its middle from the thing's; `halves_m`: half its extents, or radius and half its height."""

    form: mujoco.mjtGeom
    at_m: tuple[float, float, float]
    halves_m: tuple[float, float, float]
    colour: str
    touches: Masks
    mass_kg: float = 0.05
    yields: bool = False
    is_seen: bool = True


def parts_of(thing: Thing) -> tuple[Part, ...]:
    """Raises KeyError for a kind that is none."""
    return SHAPES[thing.kind](thing)


def _cube(thing: Thing) -> tuple[Part, ...]:
    x_m, y_m, z_m = thing.size
    return (Part(BOX, (0.0, 0.0, 0.0), (x_m / 2, y_m / 2, z_m / 2), thing.colour, LIES),)


def _container(thing: Thing) -> tuple[Part, ...]:
    """Open below. It stands on four feet, so that walls and table need not be compared."""
    x_m, y_m, z_m = (extent / 2 for extent in thing.size)
    lid = Part(BOX, (0.0, 0.0, z_m - WALL_M / 2), (x_m, y_m, WALL_M / 2), thing.colour, WALL, mass_kg=0.02)
    feet = tuple(
        Part(
            BALL,
            (side * (x_m - FOOT_M), other * (y_m - FOOT_M), FOOT_M - z_m),
            (FOOT_M, 0.0, 0.0),
            thing.colour,
            FOOT,
            mass_kg=0.005,
            is_seen=False,  # within the walls; balls take long to draw
        )
        for side in (-1, 1)
        for other in (-1, 1)
    )
    return (lid, *_walls(thing, WALL_M, WALL, 0.01), *feet)


def _bin(thing: Thing) -> tuple[Part, ...]:
    x_m, y_m, z_m = (extent / 2 for extent in thing.size)
    bottom = Part(BOX, (0.0, 0.0, 0.001 - z_m), (x_m, y_m, 0.001), thing.colour, STANDS)
    return (bottom, *_walls(thing, BIN_WALL_M, STANDS, 0.05))


def _walls(thing: Thing, thick_m: float, touches: Masks, mass_kg: float) -> tuple[Part, ...]:
    x_m, y_m, z_m = (extent / 2 for extent in thing.size)
    half_m = thick_m / 2
    sides = [((side * (x_m - half_m), 0.0, 0.0), (half_m, y_m, z_m)) for side in (-1, 1)] + [
        ((0.0, side * (y_m - half_m), 0.0), (x_m, half_m, z_m)) for side in (-1, 1)
    ]
    return tuple(Part(BOX, at_m, halves_m, thing.colour, touches, mass_kg) for at_m, halves_m in sides)


def _button(thing: Thing) -> tuple[Part, ...]:
    """A base as wide as the whole, and on it the cap, narrower, that yields."""
    x_m, _, z_m = thing.size
    base = Part(CYLINDER, (0.0, 0.0, -z_m / 4), (x_m / 2, z_m / 4, 0.0), "button_base", STANDS)
    cap = Part(CYLINDER, (0.0, 0.0, z_m / 4), (0.35 * x_m, z_m / 4, 0.0), thing.colour, WALL, yields=True)
    return base, cap


def _disc(thing: Thing) -> tuple[Part, ...]:
    x_m, _, z_m = thing.size
    return (Part(CYLINDER, (0.0, 0.0, 0.0), (x_m / 2, z_m / 2, 0.0), thing.colour, NOTHING),)


def _stick(thing: Thing) -> tuple[Part, ...]:
    x_m, _, z_m = thing.size
    return (Part(CYLINDER, (0.0, 0.0, 0.0), (x_m / 2, z_m / 2, 0.0), thing.colour, STANDS),)


def _peg(thing: Thing) -> tuple[Part, ...]:
    x_m, y_m, z_m = thing.size
    halves = (x_m / 4, y_m / 2, z_m / 2)
    return (
        Part(BOX, (x_m / 4, 0.0, 0.0), halves, thing.colour, LIES),
        Part(BOX, (-x_m / 4, 0.0, 0.0), halves, thing.second_colour or thing.colour, LIES),
    )


def _hole_box(thing: Thing) -> tuple[Part, ...]:
    """Two uprights, a sill and a lintel around the opening."""
    x_m, y_m, z_m = (extent / 2 for extent in thing.size)
    open_m = thing.opening_m / 2
    beside_m, over_m = (x_m - open_m) / 2, (z_m - open_m) / 2
    uprights = tuple(
        Part(BOX, (side * (open_m + beside_m), 0.0, 0.0), (beside_m, y_m, z_m), thing.colour, STANDS)
        for side in (-1, 1)
    )
    across = tuple(
        Part(BOX, (0.0, 0.0, side * (open_m + over_m)), (open_m, y_m, over_m), thing.colour, STANDS)
        for side in (-1, 1)
    )
    return (*uprights, *across)


def _hook(thing: Thing) -> tuple[Part, ...]:
    """A handle, and at its far end a bar across; both as thick as the thing is high."""
    x_m, y_m, z_m = thing.size
    half_m = z_m / 2
    return (
        Part(BOX, (0.0, 0.0, 0.0), (x_m / 2, half_m, half_m), thing.colour, LIES),
        Part(BOX, (x_m / 2 - half_m, 0.0, 0.0), (half_m, y_m / 2, half_m), thing.colour, LIES),
    )


SHAPES: Mapping[Kind, Callable[[Thing], tuple[Part, ...]]] = {
    "cube": _cube,
    "container": _container,
    "button": _button,
    "bin": _bin,
    "target": _disc,
    "node": _disc,
    "peg": _peg,
    "hole_box": _hole_box,
    "stick": _stick,
    "hook": _hook,
}
