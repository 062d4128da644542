"""The console's site out of a ROS occupancy grid: cells of the console's size, blocked where anything stands.

The site's cell (i, j) lies around (i·cell_m, j·cell_m) of the map frame. It begins at `first`, the lowest
known column and row, which may be negative: a map made while driving lies on all sides of where it was begun.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robot_bridge.ros.config import Robot

OCCUPIED_FROM = 65
"""map_server's threshold, in percent. Unknown cells (-1) may be crossed: nothing says they are blocked."""
BLOCKED_SHARE = 0.25
"""A cell of the console is blocked when so much of it is: a table's leg does not close half a metre."""
MOST_CELLS = 250_000


class MapError(ValueError):
    """No site can be made of this map; the text says why and what to do. `field` of map_server's file, where
    one is at fault."""

    def __init__(self, told: str, field: str = "") -> None:
        super().__init__(told)
        self.field = field


class Occupancy(NamedTuple):
    """`percent[row, column]`: -1 where unknown. (`x_m`, `y_m`) is the outer corner of cell (0, 0)."""

    percent: NDArray[np.int8]
    cell_m: float
    x_m: float
    y_m: float
    yaw_rad: float = 0.0


def occupancy_of(message: dict[str, Any], blob: bytes) -> Occupancy:
    """Of a checked `map` message. Raises MapError."""
    width, height = message["width"], message["height"]
    if len(blob) != width * height:
        raise MapError(f"The map says {width} × {height} cells and holds {len(blob)}.")
    percent = np.frombuffer(blob, dtype=np.int8).reshape(height, width)
    pose = message["pose"]
    return Occupancy(percent, message["cell_m"], pose["x_m"], pose["y_m"], pose["yaw_rad"])


def site_map(occupancy: Occupancy, cell_m: float) -> dict[str, Any]:
    """The contract's map: width, height, cell_m, occupied, unknown, and first where that is not (0, 0).
    Raises MapError."""
    rows, columns = np.nonzero(occupancy.percent >= 0)
    if not len(rows):
        raise MapError("Nothing of the map is known yet. Drive the robot, or publish a map.")
    cells_x, cells_y = _cells(occupancy, rows, columns, cell_m)
    first_x, first_y = int(cells_x.min()), int(cells_y.min())
    cells_x, cells_y = cells_x - first_x, cells_y - first_y
    width, height = int(cells_x.max()) + 1, int(cells_y.max()) + 1
    if width * height > MOST_CELLS:
        raise MapError(f"The site would have {width} × {height} cells. Give a larger site.cell_m.")
    full = np.zeros((width, height))
    np.add.at(full, (cells_x, cells_y), 1.0)
    blocked = np.zeros((width, height))
    is_blocked = occupancy.percent[rows, columns] >= OCCUPIED_FROM
    np.add.at(blocked, (cells_x[is_blocked], cells_y[is_blocked]), 1.0)
    occupied = np.argwhere((full > 0) & (blocked >= BLOCKED_SHARE * full) & (blocked > 0))
    first = np.array([first_x, first_y])
    made = {
        "width": width,
        "height": height,
        "cell_m": cell_m,
        "occupied": (occupied + first).tolist(),
        "unknown": (np.argwhere(full == 0) + first).tolist(),
    }
    return {**made, "first": [first_x, first_y]} if first_x or first_y else made


def empty_map(size_m: tuple[float, float], cell_m: float) -> dict[str, Any]:
    """Where no occupancy grid is published: nothing is known to stand anywhere."""
    width, height = math.ceil(size_m[0] / cell_m), math.ceil(size_m[1] / cell_m)
    return {"width": width, "height": height, "cell_m": cell_m, "occupied": []}


def site_of(robot: Robot, floor: dict[str, Any]) -> dict[str, Any]:
    """The contract's SITE."""
    site = robot.site
    return {
        "name": site.name,
        "frame_id": robot.pose.map,
        "map": floor,
        "metric": {
            "kind": site.metric.kind,
            "length_m": site.metric.length_m,
            "tolerance_m": site.metric.tolerance_m,
        },
        "stations": [
            {
                "id": each.id,
                "pose": {
                    "x_m": each.x_m,
                    "y_m": each.y_m,
                    "yaw_rad": each.yaw_rad,
                    "frame_id": robot.pose.map,
                },
                "accepts": list(each.accepts),
            }
            for each in site.stations
        ],
        "regions": [
            {
                "name": each.name,
                "polygon_m": [list(corner) for corner in each.polygon_m],
                "restricted": each.restricted,
            }
            for each in site.regions
        ],
        "assignment": site.assignment,
        "rules": list(site.rules),
        "version": 1,
        "takes_stations": True,
    }


def _cells(
    occupancy: Occupancy, rows: NDArray[np.intp], columns: NDArray[np.intp], cell_m: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The site's cell in which the middle of each of the map's cells lies."""
    across_m, along_m = (columns + 0.5) * occupancy.cell_m, (rows + 0.5) * occupancy.cell_m
    cos, sin = math.cos(occupancy.yaw_rad), math.sin(occupancy.yaw_rad)
    x_m = occupancy.x_m + across_m * cos - along_m * sin
    y_m = occupancy.y_m + across_m * sin + along_m * cos
    return np.floor(x_m / cell_m + 0.5).astype(np.int64), np.floor(y_m / cell_m + 0.5).astype(np.int64)
