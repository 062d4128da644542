"""map_server's maps: a YAML file and a picture beside it, read into an occupancy grid, and written again.

As map_server reads them: row 0 of the picture is the top, `origin` is the pose of the lower left corner of
the lower left pixel, dark is occupied unless `negate` is set, what lies between the thresholds is unknown.
"""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import yaml
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image

from robot_bridge.ros.sitemap import OCCUPIED_FROM, MapError, Occupancy

LARGEST_PIXELS = 16_000_000
LARGEST_YAML = 20_000
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
        told = map_fields(path.read_bytes(), path.name)
        return map_from(told, (path.parent / told.image).read_bytes())
    except OSError as error:
        name = Path(error.filename or path).name
        raise MapError(f"{name} cannot be read: {error.strerror}.", "image") from None


def map_fields(text: bytes, name: str) -> MapFile:
    """map_server's YAML, checked; `name` is what errors call it. Raises MapError."""
    if len(text) > LARGEST_YAML:
        raise MapError(f"{name} has {len(text):,} bytes. map_server's YAML has a few lines.")
    try:
        raw = yaml.safe_load(text.decode("utf-8"))
        told = msgspec.convert(_numbered(raw), MapFile)
    except msgspec.ValidationError as error:
        field = _field_of(str(error))
        raise MapError(f"{name} is no map_server file: {' '.join(str(error).split())}.", field) from None
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError, ValueError) as error:
        raise MapError(f"{name} is no YAML: {' '.join(str(error).split())}.") from None
    field, problem = _problem(told)
    if problem:
        raise MapError(f"{name}: {field} {problem}", field)
    return told


def map_from(told: MapFile, picture: bytes) -> Occupancy:
    """The map of the checked fields and the picture that they name. Raises MapError."""
    x_m, y_m, yaw_rad = told.origin
    return Occupancy(_percent(picture, told), told.resolution, x_m, y_m, yaw_rad)


def _numbered(raw: Any) -> Any:
    """map_server's own parser takes `negate: true`, and 1e-1, which YAML 1.1 reads as text."""
    if not isinstance(raw, dict):
        return raw
    told = dict(raw)
    if isinstance(told.get("negate"), bool):
        told["negate"] = int(told["negate"])
    for field in ("resolution", "occupied_thresh", "free_thresh"):
        if isinstance(told.get(field), str):
            try:
                told[field] = float(told[field])
            except ValueError:
                continue  # convert names it
    return told


def _field_of(told: str) -> str:
    """msgspec's errors end in the path; of a missing field the path is the file's."""
    if "missing required field" in told:
        return told.split("`")[1]
    return told.partition(" - at `$.")[2].rstrip("`").partition("[")[0]


def write_map(occupancy: Occupancy, path: Path) -> None:
    """As `path` and a PGM beside it, which `read_map` reads into the same cells."""
    picture = path.with_suffix(".pgm")
    text, shades = written_map(occupancy, picture.name)
    picture.write_bytes(shades)
    path.write_text(text, "utf-8")


def written_map(occupancy: Occupancy, image: str) -> tuple[str, bytes]:
    """The YAML that names the picture `image`, and that picture, a PGM."""
    shades = np.full(occupancy.percent.shape, 205, np.uint8)
    shades[occupancy.percent >= OCCUPIED_FROM] = 0
    shades[(occupancy.percent >= 0) & (occupancy.percent < OCCUPIED_FROM)] = 254
    file = io.BytesIO()
    Image.fromarray(np.flipud(shades)).save(file, "PPM")
    told = {
        "image": image,
        "resolution": occupancy.cell_m,
        "origin": [occupancy.x_m, occupancy.y_m, occupancy.yaw_rad],
        "negate": 0,
        "occupied_thresh": 0.65,
        "free_thresh": 0.196,
    }
    return yaml.safe_dump(told, sort_keys=False), file.getvalue()


def _problem(told: MapFile) -> tuple[str, str]:
    """(field, what is wrong with it and what would be right), empty where nothing is."""
    if not 0.0 < told.resolution < 100.0:
        return "resolution", f"is {told.resolution:g}. Give the metres of a pixel, above 0."
    if not all(math.isfinite(each) for each in told.origin):
        return "origin", "is no pose. Give [x, y, yaw], finite numbers."
    if told.negate not in (0, 1):
        return "negate", f"is {told.negate}. Give 0, or 1 where light is occupied."
    if not 0.0 <= told.free_thresh < told.occupied_thresh <= 1.0:
        return "free_thresh", f"is {told.free_thresh:g}. Give less than occupied_thresh, both 0 to 1."
    if told.mode not in ("trinary", "scale", "raw"):
        return "mode", f"is {told.mode!r}. Choose one of trinary, scale, raw."
    return "", ""


def _percent(data: bytes, told: MapFile) -> NDArray[np.int8]:
    """Row 0 is the map's lowest. Raises MapError."""
    name = Path(told.image).name
    try:
        with Image.open(io.BytesIO(data), formats=("PPM", "PNG", "BMP")) as picture:
            if picture.width * picture.height > LARGEST_PIXELS:
                size = f"{picture.width} × {picture.height}"
                raise MapError(f"{name} has {size} pixels. A map has {LARGEST_PIXELS:,} at most.", "image")
            shades, alpha = _shades(picture)
    except MapError:
        raise
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise MapError(f"{name} cannot be read: {error}.", "image") from None
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
    """Grey levels 0 to 255, and how opaque each pixel is."""
    if picture.mode in ("L", "1"):
        grey = np.array(picture.convert("L"))
        return grey, np.full(grey.shape, 255, np.uint8)
    opaque = np.array(picture.convert("RGBA"))[:, :, 3]
    return np.array(picture.convert("RGB")).mean(axis=2, dtype=np.float32), opaque
