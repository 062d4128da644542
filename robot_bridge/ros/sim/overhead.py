"""The overhead camera's picture: floor, obstacles, stations, containers, the robot. Standard library only."""

from __future__ import annotations

import math

from robot_bridge.ros.sim.motion import Point
from robot_bridge.ros.sim.scene import Scene
from robot_bridge.ros.sim.vision import COLOURS

SIZE_PX = 160
FLOOR, OBSTACLE, STATION, ROBOT, FRONT = (
    (206, 204, 198),
    (92, 88, 84),
    (120, 150, 186),
    (52, 56, 62),
    (240, 196, 60),
)


def draw(
    scene: Scene, at: Point, containers: list[tuple[str, float, float, bool]], held: str | None
) -> bytes:
    """SIZE_PX × SIZE_PX RGB, the map's y upward."""
    cell_px = SIZE_PX / scene.size
    picture = bytearray(bytes(_lit(scene, FLOOR)) * (SIZE_PX * SIZE_PX))
    for cell in (*scene.scenario.station_cells, *scene.obstacles):
        colour = OBSTACLE if cell in scene.obstacles else STATION
        x, y = cell[0] * cell_px, SIZE_PX - (cell[1] + 1) * cell_px
        _box(picture, x, y, x + cell_px, y + cell_px, _lit(scene, colour))
    for cls, x_m, y_m, _ in containers:
        _disc(picture, *_pixel(scene, x_m, y_m), cell_px * 0.18, _lit(scene, COLOURS[cls]))
    x, y = _pixel(scene, at.x_m, at.y_m)
    _disc(picture, x, y, cell_px * 0.34, _lit(scene, ROBOT))
    ahead = cell_px * 0.24
    front = COLOURS[held.partition("_")[0]] if held else FRONT
    _disc(
        picture,
        x + ahead * math.cos(at.yaw_rad),
        y - ahead * math.sin(at.yaw_rad),
        cell_px * 0.14,
        _lit(scene, front),
    )
    return bytes(picture)


def _lit(scene: Scene, colour: tuple[int, int, int]) -> tuple[int, int, int]:
    red, green, blue = (round(each * scene.light) for each in colour)
    return red, green, blue


def _pixel(scene: Scene, x_m: float, y_m: float) -> tuple[float, float]:
    px_per_m = SIZE_PX / (scene.size * scene.cell_m)
    half_m = scene.cell_m / 2
    return (x_m + half_m) * px_per_m, SIZE_PX - (y_m + half_m) * px_per_m


def _box(
    picture: bytearray, left: float, top: float, right: float, bottom: float, colour: tuple[int, int, int]
) -> None:
    first, last = max(0, round(left)), min(SIZE_PX, round(right))
    line = bytes(colour) * max(0, last - first)
    for y in range(max(0, round(top)), min(SIZE_PX, round(bottom))):
        at = 3 * (y * SIZE_PX + first)
        picture[at : at + len(line)] = line


def _disc(picture: bytearray, x: float, y: float, radius: float, colour: tuple[int, int, int]) -> None:
    for row in range(math.ceil(y - radius), math.floor(y + radius) + 1):
        half = math.sqrt(max(0.0, radius**2 - (row - y) ** 2))
        _box(picture, x - half, row, x + half, row + 1, colour)
