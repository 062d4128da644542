"""From a pixel to the point in space that it shows: by its measured depth, or where its ray meets a height.

A pinhole camera (LogLook, section 4.1): u = fx·x/z + cx, v = fy·y/z + cy, with the camera's x right, y down
and z forward. Planners and people name pixels of the picture scaled to a longer side of PICTURE_PX; a
calibration is that of the picture as it was taken.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from backend.domain.plans.plan import PICTURE_PX

Depth = NDArray[np.uint16]
"""Height × width, millimetres along the camera's z; 0 where nothing was measured."""

Point = tuple[float, float, float]
"""x, y, z in metres of frame map."""


class Calibration(Struct, frozen=True, kw_only=True):
    """`map_from_camera`: 4 × 4, row by row. Focal lengths and centre in pixels of the picture as taken."""

    fx_px: float
    fy_px: float
    cx_px: float
    cy_px: float
    map_from_camera: tuple[float, ...]


class Unseen(Struct, frozen=True):
    """Why a pixel shows no point: `code` and the words for it."""

    code: str
    message: str


def named_pixel(pixel: tuple[float, float], width_px: int, height_px: int) -> tuple[int, int]:
    """Column and row in a picture of this size; `pixel` is of the one whose longer side is PICTURE_PX."""
    scale = max(width_px, height_px) / PICTURE_PX
    return math.floor(pixel[0] * scale), math.floor(pixel[1] * scale)


def point_by_depth(pixel: tuple[float, float], depth_mm: Depth, calibration: Calibration) -> Point | Unseen:
    """The point that `pixel` shows, by the depth measured there."""
    height_px, width_px = depth_mm.shape
    column, row = named_pixel(pixel, width_px, height_px)
    if not (0 <= column < width_px and 0 <= row < height_px):
        return Unseen("off_image", f"Pixel ({pixel[0]:g}, {pixel[1]:g}) is outside the picture.")
    z_m = int(depth_mm[row, column]) / 1000
    if z_m <= 0:
        return Unseen("no_depth", f"No depth was measured at pixel ({pixel[0]:g}, {pixel[1]:g}).")
    along = _direction(pixel, width_px, height_px, calibration)
    return _in_map(along * z_m, calibration)


def point_at_height(
    pixel: tuple[float, float], width_px: int, height_px: int, height_m: float, calibration: Calibration
) -> Point | Unseen:
    """Where the ray through `pixel` meets the height `height_m` over the table top, ahead of the camera."""
    transform = _transform(calibration)
    origin = transform[:3, 3]
    along = transform[:3, :3] @ _direction(pixel, width_px, height_px, calibration)
    if abs(along[2]) < 1e-9:
        return Unseen("no_crossing", "Its ray runs level and meets no height.")
    distance = (height_m - origin[2]) / along[2]
    if distance <= 0:
        return Unseen("no_crossing", f"Its ray meets {height_m:g} m only behind the camera.")
    x, y, z = (float(value) for value in origin + distance * along)
    return x, y, z


def _direction(
    pixel: tuple[float, float], width_px: int, height_px: int, calibration: Calibration
) -> NDArray[np.float64]:
    """In the camera's frame, of length 1 along z."""
    scale = max(width_px, height_px) / PICTURE_PX
    return np.array(
        [
            (pixel[0] * scale - calibration.cx_px) / calibration.fx_px,
            (pixel[1] * scale - calibration.cy_px) / calibration.fy_px,
            1.0,
        ]
    )


def _in_map(point_m: NDArray[np.float64], calibration: Calibration) -> Point:
    transform = _transform(calibration)
    x, y, z = (float(value) for value in transform[:3, :3] @ point_m + transform[:3, 3])
    return x, y, z


def _transform(calibration: Calibration) -> NDArray[np.float64]:
    return np.array(calibration.map_from_camera, dtype=np.float64).reshape(4, 4)
