"""What stays where it is: cells and their poses, obstacles, stations; and the scene, what does not."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from robot_bridge.grid.scenarios import Cell, Scenario
from robot_bridge.world import Pose

FRAME_ID = "map"
CLASSES = ("bottle", "can")
"""By the tape's type."""
FIXED_STATIONS = {"station_plastic": ("bottle",), "station_metal": ("can",)}
REVEALED_STATIONS: dict[str, tuple[str, ...]] = {"station_west": (), "station_east": ()}
"""Which class goes where is settled at the reveal, by the mission's rule."""
NOWHERE: Cell = (-1, -1)
"""The cell of what is not on the floor."""


class Layout(NamedTuple):
    """`poses`: each cell's centre. `station_ids` and `stations` go in parallel, in the order of the types."""

    size: int
    cell_m: float
    poses: dict[Cell, Pose]
    obstacles: frozenset[Cell]
    station_ids: tuple[str, ...]
    stations: tuple[Cell, ...]
    accepts: tuple[tuple[str, ...], ...]

    def words(self, cell: Cell) -> str:
        """The cell as an operator reads it."""
        return f"({cell[0] * self.cell_m:g}, {cell[1] * self.cell_m:g}) m"

    def cell_at(self, pose: Pose) -> Cell:
        """The cell that a pose lies in; it need not be on the grid."""
        return round(pose.x_m / self.cell_m), round(pose.y_m / self.cell_m)


class Scene(NamedTuple):
    """One moment, as a camera may see it. By container: `cells`; `delivered_to`, a station's index or -1."""

    robot: Cell
    heading_rad: float
    held: int | None
    cells: tuple[Cell, ...]
    delivered_to: tuple[int, ...]


@lru_cache(maxsize=64)
def layout(scenario: Scenario, obstacles: frozenset[Cell]) -> Layout:
    named = REVEALED_STATIONS if scenario.is_revealed else FIXED_STATIONS
    cells = range(scenario.size)
    return Layout(
        size=scenario.size,
        cell_m=scenario.cell_m,
        poses={
            (x, y): Pose(x * scenario.cell_m, y * scenario.cell_m, 0.0, FRAME_ID)
            for y in cells
            for x in cells
        },
        obstacles=obstacles,
        station_ids=tuple(named),
        stations=scenario.station_cells,
        accepts=tuple(named.values()),
    )
