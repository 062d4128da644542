"""Where the obstacles stand: drawn from the seed, never so that they cut a free cell off."""

from __future__ import annotations

import numpy as np

from robot_bridge.grid.paths import distances
from robot_bridge.grid.scenarios import Cell, Scenario

LAYOUT = 1
"""Added to the seed, so that a layout and a tape of the same seed are independent."""


def draw_obstacles(scenario: Scenario, seed: int) -> frozenset[Cell]:
    """Cells blocked in this seed's layout; fewer than asked for where one more would cut the floor in two."""
    if scenario.obstacles == 0:
        return frozenset()
    chance = np.random.Generator(np.random.PCG64([seed, scenario.code, LAYOUT]))
    blocked: set[Cell] = set()
    for index in chance.permutation(len(scenario.open_cells)).tolist():
        if len(blocked) == scenario.obstacles:
            break
        tried = blocked | {scenario.open_cells[index]}
        if len(distances((0, 0), scenario.size, frozenset(tried))) == scenario.size**2 - len(tried):
            blocked = tried
    return frozenset(blocked)
