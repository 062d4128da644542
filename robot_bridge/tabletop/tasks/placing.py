"""Where things may stand: apart from each other, within the arm's reach, and in the front camera's view."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from random import Random

from robot_bridge.tabletop.values import Pose, Thing

Spot = tuple[float, float]

BASE_X_M = -0.5
NEAREST_M, FARTHEST_M = 0.345, 0.70
"""From the arm's base, so that any place between can be reached with the fingers down."""
X_M = (-0.14, 0.18)
Y_M = (-0.36, 0.36)
GAP_M = 0.03
"""Between two things' circles, for a finger to pass."""

CUBE_M = 0.04
CUBE = (CUBE_M, CUBE_M, CUBE_M)
CONTAINER = (0.06, 0.06, 0.07)
BUTTON = (0.06, 0.06, 0.04)
BIN = (0.16, 0.16, 0.06)
TARGET = (0.08, 0.08, 0.002)

BUTTON_X_M, BUTTON_Y_M = -0.10, 0.325
BESIDE: Sequence[tuple[Spot, float]] = [((BUTTON_X_M, side * BUTTON_Y_M), 0.06) for side in (-1, 1)]
"""What `beside` may take up, as circles."""

_TRIES_EACH = 60
_ROUNDS = 400


def is_reached(spot: Spot) -> bool:
    return (
        X_M[0] <= spot[0] <= X_M[1]
        and Y_M[0] <= spot[1] <= Y_M[1]
        and NEAREST_M <= hypot(spot[0] - BASE_X_M, spot[1]) <= FARTHEST_M
    )


def radius_m(size: tuple[float, float, float]) -> float:
    """Of the circle round it."""
    return hypot(size[0], size[1]) / 2


def scattered(rng: Random, radii_m: Sequence[float], taken: Sequence[tuple[Spot, float]] = ()) -> list[Spot]:
    """A place for each radius, none near another's or a taken one's.

    Raises RuntimeError where that many find no room, which is a fault of the layout.
    """
    for _ in range(_ROUNDS):
        placed = _one_round(rng, radii_m, list(taken))
        if placed is not None:
            return placed
    raise RuntimeError(f"the table has no room for {len(radii_m)} things this large")


def _one_round(
    rng: Random, radii_m: Sequence[float], standing: list[tuple[Spot, float]]
) -> list[Spot] | None:
    placed: list[Spot] = []
    for radius in radii_m:
        spot = _free_spot(rng, radius, standing)
        if spot is None:
            return None
        placed.append(spot)
        standing.append((spot, radius))
    return placed


def _free_spot(rng: Random, radius: float, standing: Sequence[tuple[Spot, float]]) -> Spot | None:
    for _ in range(_TRIES_EACH):
        spot = round(rng.uniform(*X_M), 3), round(rng.uniform(*Y_M), 3)
        if is_reached(spot) and all(
            hypot(spot[0] - other[0], spot[1] - other[1]) >= radius + theirs + GAP_M
            for other, theirs in standing
        ):
            return spot
    return None


def in_row(rng: Random, count: int, spacing_m: float, x_m: float = 0.0) -> list[Spot]:
    """Side by side along y, the whole row moved a little."""
    middle_y, shift_x = rng.uniform(-0.03, 0.03), rng.uniform(-0.01, 0.01)
    return [
        (round(x_m + shift_x, 3), round(middle_y + (i - (count - 1) / 2) * spacing_m, 3))
        for i in range(count)
    ]


def beside(rng: Random, count: int) -> list[Spot]:
    """For buttons, where nothing that moves passes: on either side, or one on each, the left one first."""
    side = 1 if count == 2 else rng.choice((-1, 1))
    return [
        (round(BUTTON_X_M + rng.uniform(-0.015, 0.015), 3), round(side * BUTTON_Y_M * (-1) ** i, 3))
        for i in range(count)
    ]


def standing(size: tuple[float, float, float], spot: Spot, yaw_rad: float = 0.0) -> Pose:
    """On the table."""
    return Pose(spot[0], spot[1], size[2] / 2, yaw_rad)


def cube(name: str, colour: str, spot: Spot) -> Thing:
    return Thing(name, "cube", colour, standing(CUBE, spot), CUBE)


def container(name: str, spot: Spot) -> Thing:
    return Thing(name, "container", "container", standing(CONTAINER, spot), CONTAINER)


def button(spot: Spot, name: str = "button") -> Thing:
    return Thing(name, "button", "button", standing(BUTTON, spot), BUTTON)


def target(name: str, spot: Spot, colour: str = "target") -> Thing:
    return Thing(name, "target", colour, standing(TARGET, spot), TARGET)
