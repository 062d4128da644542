"""Which pixel of the front view to point at for what is meant: one that shows it, not what hides it."""

from __future__ import annotations

import math

from robot_bridge.tabletop.camera import Cameras
from robot_bridge.tabletop.catalogue import FRONT, WATCHED_PX
from robot_bridge.tabletop.deprojecting import Pixel, Point, at_depth, pixel_of
from robot_bridge.tabletop.staging import Look

RAISED_M = (0.0, 0.015, 0.03, 0.045)
"""Over the point that is meant: what stands before a thing hides its top last."""
SEEN_WITHIN_M = 0.04
"""Horizontally, from what the pixel shows to what is meant: half of a container's size, and a little."""


def pointing_at(cameras: Cameras, look: Look, at_m: Point) -> Pixel | None:
    """The first of the pixels that shows it, else the one of its middle; None where that is off the image."""
    depth_m, calibration = cameras.depth_m(look, FRONT), cameras.calibration(look, FRONT)
    pixels = [_within(pixel_of((at_m[0], at_m[1], at_m[2] + each), calibration)) for each in RAISED_M]
    for pixel in pixels:
        if pixel is None:
            continue
        shown = at_depth(pixel, float(depth_m[round(pixel[1]), round(pixel[0])]), calibration)
        if shown is not None and math.dist(shown[:2], at_m[:2]) <= SEEN_WITHIN_M:
            return pixel
    return pixels[0]


def _within(pixel: Pixel | None) -> Pixel | None:
    if pixel is None or not all(0.0 <= each <= WATCHED_PX - 1 for each in pixel):
        return None
    return round(pixel[0], 1), round(pixel[1], 1)
