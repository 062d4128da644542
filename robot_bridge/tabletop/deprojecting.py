"""From pixels to points in frame map, and back: a pinhole camera, x right, y down, z forward."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robot_bridge.world import Calibration

Point = tuple[float, float, float]
Pixel = tuple[float, float]


def at_depth(pixel: Pixel, depth_m: float, camera: Calibration) -> Point | None:
    """Where the pixel's ray is `depth_m` along the camera's z; None where there is no depth."""
    if not math.isfinite(depth_m) or depth_m <= 0.0:
        return None
    return _point(_pose(camera) @ [*(each * depth_m for each in _ray(pixel, camera)), 1.0])


def at_height(pixel: Pixel, height_m: float, camera: Calibration) -> Point | None:
    """Where the pixel's ray is `height_m` over the table; None where it never is, or behind the camera."""
    pose = _pose(camera)
    way = pose[:3, :3] @ _ray(pixel, camera)
    if abs(way[2]) < 1e-9:
        return None
    along_m = (height_m - pose[2, 3]) / way[2]
    return None if along_m <= 0.0 else _point(pose[:3, 3] + along_m * way)


def pixel_of(point: Point, camera: Calibration) -> Pixel | None:
    """Where the point is seen; None where it lies behind the camera."""
    pose = _pose(camera)
    x_m, y_m, z_m = (pose[:3, :3].T @ (np.array(point) - pose[:3, 3])).tolist()
    if z_m <= 0.0:
        return None
    return camera.fx_px * x_m / z_m + camera.cx_px, camera.fy_px * y_m / z_m + camera.cy_px


def _ray(pixel: Pixel, camera: Calibration) -> tuple[float, float, float]:
    return (pixel[0] - camera.cx_px) / camera.fx_px, (pixel[1] - camera.cy_px) / camera.fy_px, 1.0


def _pose(camera: Calibration) -> NDArray[np.float64]:
    return np.array(camera.map_from_camera).reshape(4, 4)


def _point(found: NDArray[np.float64]) -> Point:
    x_m, y_m, z_m = (round(each, 4) + 0.0 for each in found[:3].tolist())
    return x_m, y_m, z_m
