"""What every node of the simulation is told: a JSON file made by `simulation.py`. Standard library only."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from robot_bridge.grid.floor import Floor
from robot_bridge.grid.layout import CLASSES
from robot_bridge.grid.scenarios import Cell, Scenario

SPEED_M_S = 0.5
"""One cell a second of simulated time, as in the grid."""
STAND_OFF_M = 0.35
AT_STATION_M = 0.3
"""What is let go so near its centre stands on a station."""
MAP_CELLS = 5
"""Cells of the occupancy grid along a cell of the floor."""
ODOM_IN_MAP = (0.2, -0.1, 0.05)
"""map_from_odom, as localisation would give it: odometry begins elsewhere and turned."""


class Scene(NamedTuple):
    """`rate`: simulated seconds a second. `drone_cut_s`: between these the drone's link is cut."""

    scenario: Scenario
    tape: Any
    rate: float
    namespace: str
    light: float
    drone_cut_s: tuple[float, float]

    def is_drone_cut(self, met_s: float) -> bool:
        return self.drone_cut_s[0] <= met_s < self.drone_cut_s[1]

    @property
    def obstacles(self) -> frozenset[Cell]:
        return frozenset(self.tape.obstacles)

    @property
    def size(self) -> int:
        return self.scenario.size

    @property
    def cell_m(self) -> float:
        return self.scenario.cell_m

    def floor(self) -> Floor:
        return Floor(self.scenario, self.tape, emits_truth=False)

    def cell_at(self, x_m: float, y_m: float) -> Cell:
        return round(x_m / self.cell_m), round(y_m / self.cell_m)

    def centre(self, cell: Cell) -> tuple[float, float]:
        return cell[0] * self.cell_m, cell[1] * self.cell_m

    def is_free(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size and cell not in self.obstacles

    def node(self, what: str) -> str:
        return f"simulated_{what}{self.namespace.replace('/', '_')}"

    def name(self, topic: str) -> str:
        return f"{self.namespace}/{topic}"


def read_scene(path: str) -> Scene:
    told = json.loads(Path(path).read_text("utf-8"))
    tape = told["tape"]
    for name in ("initial_cells", "destinations", "obstacles"):
        tape[name] = [tuple(cell) for cell in tape[name]]
    tape["false_cells"] = [[tuple(cell) for cell in row] for row in tape["false_cells"]]
    tape["obstacles"] = frozenset(tape["obstacles"])
    cut = told["drone_cut_s"]
    return Scene(
        Scenario(**told["scenario"]),
        SimpleNamespace(**tape),
        told["rate"],
        told["namespace"],
        told["light"],
        (cut[0], cut[1]),
    )


def class_of(scene: Scene, index: int) -> str:
    return CLASSES[scene.tape.types[index]]
