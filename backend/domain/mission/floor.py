"""A floor as it was surveyed: an occupancy grid of free, occupied and unknown cells, in a small stored form.

Finer than the site's own grid, and apart from it: the robot plans on what its bridge declares, people draw
on this.
"""

from __future__ import annotations

import base64
import binascii
import math
import zlib

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

FREE, OCCUPIED, UNKNOWN = 0, 1, 2
MOST_CELLS = 16_000_000
"""4,000 by 4,000: a hall of 200 m in cells of 5 cm."""
LONGEST_STORED = 400_000
"""Characters of the stored cells: each journal of an episode on that floor holds them."""
FARTHEST_M = 1_000_000.0


class Floor(Struct, frozen=True, kw_only=True):
    """(`x_m`, `y_m`, `yaw_rad`): the pose, in the site's frame, of the outer corner of cell (0, 0).

    `cells`: the kinds row by row from that corner, as `stored_cells` writes them.
    """

    width: int
    height: int
    cell_m: float
    x_m: float = 0.0
    y_m: float = 0.0
    yaw_rad: float = 0.0
    cells: str


class FloorError(ValueError):
    """No floor can be made of this. `field` names what is wrong, `problem` how, `remedy` what would be
    right."""

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        super().__init__(f"{field} {problem}. {remedy}")
        self.field, self.problem, self.remedy = field, problem, remedy


def floor_of(
    kinds: NDArray[np.uint8], cell_m: float, x_m: float = 0.0, y_m: float = 0.0, yaw_rad: float = 0.0
) -> Floor:
    """`kinds[row, column]`, row 0 at the corner. Raises FloorError."""
    height, width = kinds.shape
    made = Floor(width=width, height=height, cell_m=cell_m, x_m=x_m, y_m=y_m, yaw_rad=yaw_rad, cells="")
    _refuse_impossible(made)
    stored = stored_cells(kinds)
    if len(stored) > LONGEST_STORED:
        raise FloorError(
            "image",
            f"is too full of detail: {len(stored):,} characters stored, {LONGEST_STORED:,} at most",
            "Crop it, or give it a coarser resolution.",
        )
    return Floor(width=width, height=height, cell_m=cell_m, x_m=x_m, y_m=y_m, yaw_rad=yaw_rad, cells=stored)


def stored_cells(kinds: NDArray[np.uint8]) -> str:
    """Four cells a byte, deflated, in base64."""
    flat = np.zeros(-(-kinds.size // 4) * 4, np.uint8)
    flat[: kinds.size] = kinds.ravel()
    four = flat.reshape(-1, 4)
    packed = four[:, 0] | four[:, 1] << 2 | four[:, 2] << 4 | four[:, 3] << 6
    return base64.b64encode(zlib.compress(packed.astype(np.uint8).tobytes(), 9)).decode("ascii")


def kinds_of(floor: Floor) -> NDArray[np.uint8]:
    """`kinds[row, column]`, row 0 at the corner. Raises FloorError."""
    _refuse_impossible(floor)
    count = floor.width * floor.height
    expected = -(-count // 4)
    try:
        opened = zlib.decompressobj()
        packed = opened.decompress(base64.b64decode(floor.cells, validate=True), expected + 1)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise FloorError("cells", f"cannot be read: {error}", "Import the map again.") from None
    if len(packed) != expected:
        raise FloorError("cells", f"do not fill {floor.width} × {floor.height}", "Import the map again.")
    parts = np.frombuffer(packed, np.uint8)[:, None] >> np.array([0, 2, 4, 6], np.uint8) & 3
    kinds = parts.ravel()[:count]
    if count and int(kinds.max()) > UNKNOWN:
        raise FloorError("cells", "hold a kind that is none", "Import the map again.")
    return kinds.astype(np.uint8).reshape(floor.height, floor.width)


def corners_m(floor: Floor) -> tuple[tuple[float, float], ...]:
    """The four outer corners in the site's frame, counter-clockwise from cell (0, 0)'s."""
    across_m, along_m = floor.width * floor.cell_m, floor.height * floor.cell_m
    cos, sin = math.cos(floor.yaw_rad), math.sin(floor.yaw_rad)
    return tuple(
        (floor.x_m + x * cos - y * sin, floor.y_m + x * sin + y * cos)
        for x, y in ((0.0, 0.0), (across_m, 0.0), (across_m, along_m), (0.0, along_m))
    )


def _refuse_impossible(floor: Floor) -> None:
    """Raises FloorError."""
    if not (floor.width >= 1 and floor.height >= 1 and floor.width * floor.height <= MOST_CELLS):
        raise FloorError(
            "image", f"has {floor.width} × {floor.height} cells", f"Give 1 to {MOST_CELLS:,} in all."
        )
    if not 0.001 <= floor.cell_m <= 100.0:
        raise FloorError(
            "resolution", f"is {floor.cell_m:g}", "Give the metres of a cell's side, 0.001 to 100."
        )
    for part in (floor.x_m, floor.y_m, floor.yaw_rad):
        if not (math.isfinite(part) and abs(part) <= FARTHEST_M):
            raise FloorError("origin", "is no pose on the map", "Give [x, y, yaw] in metres and radians.")
