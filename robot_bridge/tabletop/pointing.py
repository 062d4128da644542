"""Which pixel of the front view to point at for what is meant: one that shows it, not what hides it."""

from __future__ import annotations

import math

from robot_bridge.tabletop.camera import Cameras
from robot_bridge.tabletop.catalogue import FRONT, WATCHED_PX
from robot_bridge.tabletop.deprojecting import Pixel, Point, at_depth, pixel_of
from robot_bridge.tabletop.staging import Look

RAISED_M = (0.0, 0.015, 0.03, 0.045)
"""Over the point that is meant: what stands before a thing hides its top last."""
SEEN_WITHIN_M = 0.05
"""From what the pixel shows to where it is aimed: from a container's middle to its edge."""


def pointing_at(cameras: Cameras, look: Look, at_m: Point) -> Pixel | None:
    """The first of the pixels that shows it, else the one of its middle; None where that is off the image."""
    depth_m, calibration = cameras.depth_m(look, FRONT), cameras.calibration(look, FRONT)
    for raised_m in RAISED_M:
        aimed = at_m[0], at_m[1], at_m[2] + raised_m
        pixel = _within(pixel_of(aimed, calibration))
        if pixel is None:
            continue
        shown = at_depth(pixel, float(depth_m[round(pixel[1]), round(pixel[0])]), calibration)
        if shown is not None and math.dist(shown, aimed) <= SEEN_WITHIN_M:
            return pixel
    return _within(pixel_of(at_m, calibration))


def _within(pixel: Pixel | None) -> Pixel | None:
    if pixel is None or not all(0.0 <= each <= WATCHED_PX - 1 for each in pixel):
        return None
    return round(pixel[0], 1), round(pixel[1], 1)
