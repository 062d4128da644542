"""`locate`: the points in space that pixels of a present view show. Nothing moves and no step passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from robot_bridge.simulation.running import Ending
from robot_bridge.tabletop.camera import Cameras
from robot_bridge.tabletop.deprojecting import Pixel, Point, at_depth, at_height
from robot_bridge.tabletop.staging import Look

PIXELS = ("pixel", "pixel_2", "pixel_3", "pixel_4")


class Located(NamedTuple):
    ending: Ending
    points_m: tuple[Point | None, ...]


def locate(cameras: Cameras, look: Look, arguments: Mapping[str, Any]) -> Located:
    """Of arguments that were checked."""
    camera: str = arguments["camera"]
    pixels = [_pixel(arguments[name]) for name in PIXELS if arguments.get(name) is not None]
    calibration = cameras.calibration(look, camera)
    height_m = arguments.get("height_m")
    if height_m is None:
        depth_m = cameras.depth_m(look, camera)
        points = tuple(
            at_depth(pixel, float(depth_m[round(pixel[1]), round(pixel[0])]), calibration) for pixel in pixels
        )
        return _located(pixels, points, "no_depth", "nothing is seen there")
    points = tuple(at_height(pixel, float(height_m), calibration) for pixel in pixels)
    return _located(pixels, points, "no_point", f"its ray is never {height_m:g} m over the table")


def _located(pixels: list[Pixel], points: tuple[Point | None, ...], reason: str, why: str) -> Located:
    missed = [pixel for pixel, point in zip(pixels, points, strict=True) if point is None]
    told = "".join(f" Pixel {x:g}, {y:g} shows no point: {why}." for x, y in missed)
    if len(missed) == len(pixels):
        return Located(Ending("not_executed", reason, told.strip()), points)
    found = len(pixels) - len(missed)
    return Located(Ending("succeeded", "located", f"{found} of {len(pixels)} points located.{told}"), points)


def _pixel(value: Any) -> Pixel:
    x_px, y_px = value
    return float(x_px), float(y_px)
