"""The event tape: all chance of an episode, drawn beforehand, so that every method meets the same events.

The draws and their order are fixed; a change to either is another benchmark. What only some scenarios need
is drawn last, or by a generator of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robot_bridge.grid.obstacles import draw_obstacles
from robot_bridge.grid.scenarios import Cell, Scenario

FALSE_CONFIDENCE = (0.20, 0.60)
TRUE_CONFIDENCE = (0.50, 1.00)
REVEALED_WITHIN = (0.05, 0.5)
"""Share of the budget within which the drone comes upon what was unknown."""


@dataclass(frozen=True, slots=True)
class Tape:
    """Indexed by step, or by survey and container. Lists are shared and never written to.

    `revealed_at[i]`: the step before which the drone does not see container i.
    """

    obstacles: frozenset[Cell]
    initial_cells: list[Cell]
    types: list[int]
    relocates: list[bool]
    relocated: list[int]
    destinations: list[Cell]
    detected: list[list[bool]]
    is_false: list[list[bool]]
    false_cells: list[list[Cell]]
    true_confidence: list[list[float]]
    false_confidence: list[list[float]]
    pick_fails: list[bool]
    place_fails: list[bool]
    revealed_at: list[int]


def draw(scenario: Scenario, seed: int) -> Tape:
    """The tape of `seed`: numpy's PCG64 seeded with [seed, the scenario's code]."""
    chance = np.random.Generator(np.random.PCG64([seed, scenario.code]))
    obstacles = draw_obstacles(scenario, seed)
    cells = (
        [cell for cell in scenario.open_cells if cell not in obstacles] if obstacles else scenario.open_cells
    )
    n, steps, surveys = scenario.containers, scenario.budget, scenario.surveys
    cell_count, per_report = len(cells), (surveys, n)
    initial = chance.permutation(cell_count)[:n].tolist()
    types = chance.integers(0, 2, n).tolist()
    relocates = (chance.random(steps) < scenario.relocation).tolist()
    relocated = chance.integers(0, n, steps).tolist()
    destinations = chance.integers(0, cell_count, steps).tolist()
    detected = (chance.random(per_report) < scenario.detection).tolist()
    is_false = (chance.random(per_report) < scenario.false_report).tolist()
    false_cells = chance.integers(0, cell_count, per_report).tolist()
    true_confidence = chance.uniform(*TRUE_CONFIDENCE, per_report).tolist()
    false_confidence = chance.uniform(*FALSE_CONFIDENCE, per_report).tolist()
    pick_fails = (chance.random(steps) < scenario.pick_failure).tolist()
    place_fails = (chance.random(steps) < scenario.place_failure).tolist()
    return Tape(
        obstacles=obstacles,
        initial_cells=[cells[index] for index in initial],
        types=types,
        relocates=relocates,
        relocated=relocated,
        destinations=[cells[index] for index in destinations],
        detected=detected,
        is_false=is_false,
        false_cells=[[cells[index] for index in row] for row in false_cells],
        true_confidence=true_confidence,
        false_confidence=false_confidence,
        pick_fails=pick_fails,
        place_fails=place_fails,
        revealed_at=_reveals(scenario, chance),
    )


def _reveals(scenario: Scenario, chance: np.random.Generator) -> list[int]:
    known = scenario.containers if scenario.known is None else scenario.known
    unknown = scenario.containers - known
    if unknown == 0:
        return [0] * known
    first, last = (int(share * scenario.budget) for share in REVEALED_WITHIN)
    return [0] * known + sorted(chance.integers(first, last, unknown).tolist())
