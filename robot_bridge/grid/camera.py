"""The overhead camera: a picture of the true scene, floor, obstacles, stations, containers and the robot."""

from __future__ import annotations

import io
import math
from functools import lru_cache

from PIL import Image, ImageDraw

from robot_bridge.grid.layout import NOWHERE, Layout, Scene
from robot_bridge.grid.scenarios import Cell

SIZE_PX = 512
FLOOR = (206, 204, 198)
JOINT = (186, 184, 178)
OBSTACLE = (92, 88, 84)
OBSTACLE_TOP = (122, 117, 111)
STATION = ((120, 150, 186), (168, 150, 118))
CONTAINER = {"bottle": (38, 122, 190), "can": (196, 62, 48)}
CONTAINER_EDGE = (40, 40, 44)
ROBOT = (52, 56, 62)
ROBOT_FRONT = (240, 196, 60)
WHEEL = (24, 26, 30)

Point = tuple[float, float]


def map_to_pixel(layout: Layout) -> dict[str, list[float]]:
    """pixel = offset + scale · metre, for x and y; y grows upward in the map, downward in the picture."""
    cell_px = SIZE_PX / layout.size
    scale = cell_px / layout.cell_m
    return {"scale_px_per_m": [scale, -scale], "offset_px": [cell_px / 2, SIZE_PX - cell_px / 2]}


def render(layout: Layout, classes: tuple[str, ...], scene: Scene) -> bytes:
    """The scene as a PNG of SIZE_PX × SIZE_PX; `classes` by container."""
    picture = _floor(layout.size, layout.obstacles, layout.stations).copy()
    draw = ImageDraw.Draw(picture)
    cell_px = SIZE_PX / layout.size
    sharing: dict[Cell, int] = {}
    for index, cls in enumerate(classes):
        station = scene.delivered_to[index]
        cell = scene.cells[index] if station < 0 else layout.stations[station]
        if cell == NOWHERE:
            continue
        place = sharing[cell] = sharing.get(cell, -1) + 1
        _container(draw, _spot(cell, place, layout.size), cell_px, cls)
    x, y = _centre(scene.robot, layout.size)
    _robot(draw, (x, y), scene.heading_rad, cell_px)
    if scene.held is not None:
        reach = cell_px * 0.24
        grip = (x + reach * math.cos(scene.heading_rad), y - reach * math.sin(scene.heading_rad))
        _container(draw, grip, cell_px, classes[scene.held])
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=6)
    return file.getvalue()


@lru_cache(maxsize=8)
def _floor(size: int, obstacles: frozenset[Cell], stations: tuple[Cell, ...]) -> Image.Image:
    picture = Image.new("RGB", (SIZE_PX, SIZE_PX), FLOOR)
    draw = ImageDraw.Draw(picture)
    for line in range(size + 1):
        at = line * SIZE_PX / size
        draw.line([(at, 0), (at, SIZE_PX)], JOINT)
        draw.line([(0, at), (SIZE_PX, at)], JOINT)
    half = SIZE_PX / size / 2
    for cell, colour in zip(stations, STATION, strict=True):
        x, y = _centre(cell, size)
        draw.rectangle(
            [x - half * 0.92, y - half * 0.92, x + half * 0.92, y + half * 0.92], colour, CONTAINER_EDGE, 2
        )
    for cell in obstacles:
        x, y = _centre(cell, size)
        draw.rectangle([x - half, y - half, x + half, y + half], OBSTACLE)
        draw.rectangle([x - half * 0.8, y - half * 0.9, x + half * 0.8, y + half * 0.7], OBSTACLE_TOP)
    return picture


def _container(draw: ImageDraw.ImageDraw, at: Point, cell_px: float, cls: str) -> None:
    x, y = at
    radius = cell_px * 0.15
    if cls == "bottle":
        draw.ellipse([x - radius, y - radius, x + radius, y + radius], CONTAINER[cls], CONTAINER_EDGE)
        cap = radius * 0.4
        draw.ellipse([x - cap, y - cap, x + cap, y + cap], (232, 238, 244))
    else:
        draw.rectangle(
            [x - radius, y - radius * 0.8, x + radius, y + radius * 0.8], CONTAINER[cls], CONTAINER_EDGE
        )
        draw.rectangle(
            [x - radius * 0.25, y - radius * 0.8, x + radius * 0.25, y + radius * 0.8], (226, 220, 214)
        )


def _robot(draw: ImageDraw.ImageDraw, at: Point, heading_rad: float, cell_px: float) -> None:
    def outline(*corners: Point) -> list[Point]:
        """Corners ahead and to the left of the robot's middle, in shares of a cell, as pixels."""
        cos, sin = math.cos(heading_rad) * cell_px, math.sin(heading_rad) * cell_px
        return [
            (at[0] + ahead * cos - left * sin, at[1] - ahead * sin - left * cos) for ahead, left in corners
        ]

    for side in (0.26, -0.34):
        draw.polygon(outline((-0.3, side), (0.3, side), (0.3, side + 0.08), (-0.3, side + 0.08)), WHEEL)
    draw.polygon(outline((-0.34, -0.26), (0.34, -0.26), (0.34, 0.26), (-0.34, 0.26)), ROBOT)
    draw.polygon(outline((0.14, -0.18), (0.34, 0.0), (0.14, 0.18)), ROBOT_FRONT)


def _centre(cell: Cell, size: int) -> Point:
    return (cell[0] + 0.5) * SIZE_PX / size, SIZE_PX - (cell[1] + 0.5) * SIZE_PX / size


def _spot(cell: Cell, place: int, size: int) -> Point:
    """Containers that share a cell stand beside each other, nine to a layer."""
    x, y = _centre(cell, size)
    if place == 0:
        return x, y
    beside = SIZE_PX / size * 0.31
    across, along = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1), (0, 0))[
        (place - 1) % 9
    ]
    return x + across * beside, y - along * beside
