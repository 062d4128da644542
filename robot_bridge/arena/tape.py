"""The arena's event tape: all chance of an episode, drawn beforehand, the same for every method.

The draws and their order are fixed. What becomes of them depends on physics: a container that the tape would
set down where the robot stands is set down at the next of its places that is free.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from robot_bridge.arena.scenarios import (
    CELLS,
    LEAST_M,
    MOST_M,
    START_CELL,
    STATION_CELLS,
    Cell,
    Scenario,
    Spot,
    spot_of,
)

TRUE_CONFIDENCE = (0.50, 1.00)
FALSE_CONFIDENCE = (0.20, 0.60)
ONBOARD_CONFIDENCE = (0.80, 1.00)
FROM_WALL_M = 0.25
FROM_OBSTACLE_M = 0.45
"""From an obstacle's middle, whose cell is half a metre wide."""
FROM_STATION_M = 0.80
APART_M = 0.30
PLACES_EACH = 8


@dataclass(frozen=True, slots=True)
class Tape:
    """Indexed by relocation, survey or look, then by container. Offsets are added to true places."""

    obstacles: tuple[Cell, ...]
    initial: list[Spot]
    types: list[int]
    relocated: list[int]
    destinations: list[list[Spot]]
    detected: list[list[bool]]
    is_false: list[list[bool]]
    false_spots: list[list[Spot]]
    true_confidence: list[list[float]]
    false_confidence: list[list[float]]
    aerial_offsets: list[list[Spot]]
    looks_detected: list[list[bool]]
    looks_false: list[list[bool]]
    look_confidence: list[list[float]]
    look_offsets: list[list[Spot]]


def draw(scenario: Scenario, seed: int) -> Tape:
    """The tape of `seed`: numpy's PCG64 seeded with [seed, the scenario's code]."""
    chance = np.random.Generator(np.random.PCG64([seed, scenario.code]))
    n = scenario.containers
    surveys, looks = (scenario.surveys, n), (scenario.looks, n)
    obstacles = _obstacles(chance, scenario.obstacles)
    spots = _spots(chance, obstacles)
    return Tape(
        obstacles=obstacles,
        initial=_apart(spots, n),
        types=chance.integers(0, 2, n).tolist(),
        relocated=chance.integers(0, n, scenario.relocations).tolist(),
        destinations=[[spots() for _ in range(PLACES_EACH)] for _ in range(scenario.relocations)],
        detected=(chance.random(surveys) < scenario.detection).tolist(),
        is_false=(chance.random(surveys) < scenario.false_report).tolist(),
        false_spots=[[spots() for _ in range(n)] for _ in range(scenario.surveys)],
        true_confidence=chance.uniform(*TRUE_CONFIDENCE, surveys).tolist(),
        false_confidence=chance.uniform(*FALSE_CONFIDENCE, surveys).tolist(),
        aerial_offsets=_offsets(chance, surveys, scenario.aerial_noise_m),
        looks_detected=(chance.random(looks) < scenario.look_detection).tolist(),
        looks_false=(chance.random(looks) < scenario.look_false).tolist(),
        look_confidence=chance.uniform(*ONBOARD_CONFIDENCE, looks).tolist(),
        look_offsets=_offsets(chance, looks, scenario.look_noise_m),
    )


def is_open(spot: Spot, obstacles: tuple[Cell, ...]) -> bool:
    """Whether a container may stand there: nothing stands so near that the robot could not come up to it."""
    x_m, y_m = spot
    return (
        min(x_m, y_m) >= LEAST_M + FROM_WALL_M
        and max(x_m, y_m) <= MOST_M - FROM_WALL_M
        and all(math.dist(spot, spot_of(cell)) >= FROM_OBSTACLE_M for cell in obstacles)
        and all(math.dist(spot, spot_of(cell)) >= FROM_STATION_M for cell in STATION_CELLS)
    )


def _obstacles(chance: np.random.Generator, count: int) -> tuple[Cell, ...]:
    """Inner cells, none beside another, a station or the start: ways lead round each of them."""
    kept_free = (START_CELL, *STATION_CELLS)
    inner = [
        (x, y)
        for y in range(1, CELLS - 1)
        for x in range(1, CELLS - 1)
        if all(max(abs(x - fx), abs(y - fy)) > 1 for fx, fy in kept_free)
    ]
    chosen: list[Cell] = []
    for index in chance.permutation(len(inner)).tolist():
        x, y = inner[index]
        if len(chosen) < count and all(max(abs(x - ox), abs(y - oy)) > 1 for ox, oy in chosen):
            chosen.append((x, y))
    return tuple(chosen)


def _spots(chance: np.random.Generator, obstacles: tuple[Cell, ...]) -> Callable[[], Spot]:
    def spot() -> Spot:
        while True:
            x_m, y_m = chance.uniform(LEAST_M, MOST_M, 2).round(4).tolist()
            if is_open((x_m, y_m), obstacles):
                return x_m, y_m

    return spot


def _apart(spots: Callable[[], Spot], count: int) -> list[Spot]:
    """Places none of which is near another, nor near where the robot starts."""
    chosen: list[Spot] = []
    while len(chosen) < count:
        spot = spots()
        if all(math.dist(spot, other) >= APART_M for other in (*chosen, spot_of(START_CELL))):
            chosen.append(spot)
    return chosen


def _offsets(chance: np.random.Generator, shape: tuple[int, int], sigma_m: float) -> list[list[Spot]]:
    drawn = chance.normal(0.0, sigma_m, (*shape, 2)).round(4).tolist()
    return [[(x_m, y_m) for x_m, y_m in row] for row in drawn]
