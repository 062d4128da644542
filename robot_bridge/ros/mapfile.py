"""map_server's maps: a YAML file and a picture beside it, read into an occupancy grid, and written again.

As map_server reads them: row 0 of the picture is the top, `origin` is the pose of the lower left corner of
the lower left pixel, dark is occupied unless `negate` is set, what lies between the thresholds is unknown.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import yaml
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image

from robot_bridge.ros.sitemap import MapError, Occupancy

LARGEST_PIXELS = 64_000_000
OCCUPIED, FREE, UNKNOWN = 100, 0, -1


class MapFile(Struct, frozen=True):
    """The fields of map_server's YAML. `origin`: x, y in metres, yaw in radians."""

    image: str
    resolution: float
    origin: tuple[float, float, float]
    occupied_thresh: float = 0.65
    free_thresh: float = 0.196
    negate: int = 0
    mode: str = "trinary"


def read_map(path: Path) -> Occupancy:
    """Raises MapError naming file and field."""
    try:
        told = msgspec.convert(yaml.safe_load(path.read_text("utf-8")), MapFile)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, msgspec.ValidationError) as error:
        raise MapError(f"{path.name} is no map_server file: {' '.join(str(error).split())}.") from None
    problem = _problem(told)
    if problem:
        raise MapError(f"{path.name}: {problem}")
    x_m, y_m, yaw_rad = told.origin
    return Occupancy(_percent(path.parent / told.image, told), told.resolution, x_m, y_m, yaw_rad)


def write_map(occupancy: Occupancy, path: Path) -> None:
    """As `path` and a PGM beside it, which `read_map` reads into the same cells."""
    shades = np.full(occupancy.percent.shape, 205, np.uint8)
    shades[occupancy.percent >= 65] = 0
    shades[(occupancy.percent >= 0) & (occupancy.percent < 65)] = 254
    picture = path.with_suffix(".pgm")
    Image.fromarray(np.flipud(shades)).save(picture)
    told = {
        "image": picture.name,
        "resolution": occupancy.cell_m,
        "origin": [occupancy.x_m, occupancy.y_m, occupancy.yaw_rad],
        "negate": 0,
        "occupied_thresh": 0.65,
        "free_thresh": 0.196,
    }
    path.write_text(yaml.safe_dump(told, sort_keys=False), "utf-8")


def _problem(told: MapFile) -> str:
    if not 0.0 < told.resolution < 100.0:
        return f"resolution is {told.resolution:g}. Give the metres of a pixel, above 0."
    if not all(math.isfinite(each) for each in told.origin):
        return "origin is no pose. Give [x, y, yaw], finite numbers."
    if not 0.0 <= told.free_thresh < told.occupied_thresh <= 1.0:
        return f"free_thresh is {told.free_thresh:g}. Give less than occupied_thresh, both 0 to 1."
    if told.mode not in ("trinary", "scale", "raw"):
        return f"mode is {told.mode!r}. Choose one of trinary, scale, raw."
    return ""


def _percent(path: Path, told: MapFile) -> NDArray[np.int8]:
    """Row 0 is the map's lowest. Raises MapError."""
    try:
        with Image.open(path, formats=("PPM", "PNG", "BMP")) as picture:
            if picture.width * picture.height > LARGEST_PIXELS:
                raise MapError(
                    f"{path.name} has {picture.width} × {picture.height} pixels, more than a map may."
                )
            shades, alpha = _shades(picture)
    except (OSError, SyntaxError, ValueError) as error:
        if isinstance(error, MapError):
            raise
        raise MapError(f"{path.name} cannot be read: {error}.") from None
    if told.mode == "raw":
        values = np.where(shades <= 100, shades, 255).astype(np.int16)
        return np.flipud(np.where(values > 100, UNKNOWN, values)).astype(np.int8)
    share = shades / 255.0 if told.negate else (255.0 - shades) / 255.0
    percent = np.full(shades.shape, UNKNOWN, np.int8)
    if told.mode == "scale":
        ratio = (share - told.free_thresh) / (told.occupied_thresh - told.free_thresh)
        percent = np.clip(np.round(99 * ratio), 1, 99).astype(np.int8)
        percent[alpha < 255] = UNKNOWN
    percent[share > told.occupied_thresh] = OCCUPIED
    percent[share < told.free_thresh] = FREE
    return np.flipud(percent)


def _shades(picture: Image.Image) -> tuple[NDArray[Any], NDArray[Any]]:
    """Grey levels, and how opaque each pixel is."""
    opaque = np.array(picture.convert("RGBA"))[:, :, 3]
    return np.array(picture.convert("RGB")).mean(axis=2), opaque
