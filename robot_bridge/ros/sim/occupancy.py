"""The floor as a laser has mapped it: obstacles by their outer cells, what lies within and around unknown.
Standard library only."""

from __future__ import annotations

from robot_bridge.ros.sim.scene import MAP_CELLS, Scene

MARGIN = 1
"""Cells of the floor around it that the map has and the laser has not seen."""
FREE, OCCUPIED, UNKNOWN = 0, 100, -1


def side_of(scene: Scene) -> int:
    """Cells of the map along each side."""
    return (scene.size + 2 * MARGIN) * MAP_CELLS


def origin_m(scene: Scene) -> float:
    """x and y of the map's lowest corner."""
    return -scene.cell_m * (MARGIN + 0.5)


def occupancy(scene: Scene) -> list[int]:
    """Row by row from that corner, in percent."""
    side = side_of(scene)
    return [_percent(scene, column, row) for row in range(side) for column in range(side)]


def _percent(scene: Scene, column: int, row: int) -> int:
    cell = column // MAP_CELLS - MARGIN, row // MAP_CELLS - MARGIN
    if not (0 <= cell[0] < scene.size and 0 <= cell[1] < scene.size):
        return UNKNOWN
    if cell not in scene.obstacles:
        return FREE
    is_edge = any(at % MAP_CELLS in (0, MAP_CELLS - 1) for at in (column, row))
    return OCCUPIED if is_edge else UNKNOWN
