"""A table drawn by hand: things as flat hulls of what a pinhole camera in front of it would see of them."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from robot_bridge.tabletop.colours import RGB
from robot_bridge.tabletop.values import Pose, Thing

Point = tuple[float, float, float]

EYE: Point = (0.75, 0.0, 0.65)
LOOKS_AT: Point = (0.05, 0.0, 0.0)
FOCAL = 0.5
"""Of the picture's side: a field of view of 90 degrees."""


def _axes() -> NDArray[np.float64]:
    """Rows: the camera's right, down and forward in the map."""
    forward = np.subtract(LOOKS_AT, EYE)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(forward, right), forward])


AXES = _axes()


def pixel_of(point: Point, side_px: int = 512) -> tuple[float, float]:
    right, down, forward = AXES @ np.subtract(point, EYE)
    return (side_px * (0.5 + FOCAL * float(right / forward)), side_px * (0.5 + FOCAL * float(down / forward)))


def point_at(pixel: tuple[float, float], height_m: float) -> Point:
    """Where the ray of a pixel of the 512 px picture is cut at a height."""
    across, below = (pixel[0] / 512 - 0.5) / FOCAL, (pixel[1] / 512 - 0.5) / FOCAL
    ray = AXES.T @ np.array([across, below, 1.0])
    reach = (height_m - EYE[2]) / ray[2]
    x_m, y_m, z_m = np.array(EYE) + reach * ray
    return float(x_m), float(y_m), float(z_m)


def drawn(
    things: Iterable[tuple[Thing, Pose]],
    colours: Mapping[str, str],
    tcp: Point,
    opening_m: float,
    side_px: int = 512,
) -> NDArray[np.uint8]:
    """The table as a picture. `colours`: of what has another than its own now."""
    picture = Image.new("RGB", (side_px, side_px), RGB["background"])
    pen = ImageDraw.Draw(picture)
    _hull(pen, "table", [(x, y, 0.0) for x in (-0.5, 0.5) for y in (-0.5, 0.5)], side_px)
    parts: list[tuple[float, str, list[Point]]] = []
    for thing, pose in things:
        parts += _parts(thing, pose, colours.get(thing.name, thing.colour))
    for sign in (-1, 1):
        middle = (tcp[0], tcp[1] + sign * (opening_m / 2 + 0.006), tcp[2] + 0.025)
        parts.append((_depth(middle) - 0.02, "finger", _box(Pose(*middle), (0.02, 0.012, 0.05))))
    for _, colour, corners in sorted(parts, key=lambda part: -part[0]):
        _hull(pen, colour, corners, side_px)
    return np.asarray(picture)


def encoded(picture: NDArray[np.uint8]) -> bytes:
    """As PNG."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", compress_level=1)
    return file.getvalue()


def _parts(thing: Thing, pose: Pose, colour: str) -> list[tuple[float, str, list[Point]]]:
    """Depth, colour and corners of what a thing is drawn of, with flat things last to be seen."""
    x, y, z = pose[:3]
    far = _depth((x, y, z)) + (1.0 if thing.kind in ("target", "node") else 0.0)
    if thing.second_colour:
        long, wide, high = thing.size
        halves = []
        for sign, of in ((1, colour), (-1, thing.second_colour)):
            middle = Pose(
                x + sign * long / 4 * math.cos(pose.yaw_rad),
                y + sign * long / 4 * math.sin(pose.yaw_rad),
                z,
                pose.yaw_rad,
            )
            halves.append((_depth(middle[:3]), of, _box(middle, (long / 2, wide, high))))
        return halves
    if thing.kind == "button":
        base = _box(Pose(x, y, z - thing.size[2] / 2), (thing.size[0] + 0.02, thing.size[1] + 0.02, 0.01))
        return [(far + 0.02, "button_base", base), (far, colour, _round(pose, thing.size))]
    if thing.kind in ("target", "node", "stick"):
        return [(far, colour, _round(pose, thing.size))]
    return [(far, colour, _box(pose, thing.size))]


def _depth(point: Point) -> float:
    return float(AXES[2] @ np.subtract(point, EYE))


def _box(pose: Pose, size: tuple[float, float, float]) -> list[Point]:
    cosine, sine = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
    corners = []
    for a in (-0.5, 0.5):
        for b in (-0.5, 0.5):
            along, across = a * size[0], b * size[1]
            x_m, y_m = pose.x_m + along * cosine - across * sine, pose.y_m + along * sine + across * cosine
            corners += [(x_m, y_m, pose.z_m + c * size[2]) for c in (-0.5, 0.5)]
    return corners


def _round(pose: Pose, size: tuple[float, float, float]) -> list[Point]:
    turns = [2 * math.pi * turn / 16 for turn in range(16)]
    return [
        (pose.x_m + size[0] / 2 * math.cos(a), pose.y_m + size[1] / 2 * math.sin(a), pose.z_m + c * size[2])
        for a in turns
        for c in (-0.5, 0.5)
    ]


def _hull(pen: ImageDraw.ImageDraw, colour: str, corners: list[Point], side_px: int) -> None:
    """Andrew's monotone chain over the projected corners."""
    points = sorted({pixel_of(corner, side_px) for corner in corners})
    chain: list[tuple[float, float]] = []
    for way in (points, points[::-1]):
        start = len(chain)
        for point in way:
            while len(chain) >= start + 2 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        chain.pop()
    pen.polygon(chain, fill=RGB[colour])


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
