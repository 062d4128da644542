"""Connected patches of one colour in a picture: what the detector makes objects of."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from backend.domain.plans.plan import PICTURE_PX

Picture = NDArray[np.uint8]
Palette = Mapping[str, tuple[int, int, int]]
"""Red, green, blue of 0 to 255 by the colour's name."""


class Patch(Struct, frozen=True, kw_only=True):
    """Pixels of one colour that touch by their sides. `x_px`, `y_px` is their mean, `area_px` their number,
    `box_px` left, top, right and bottom; all in the picture scaled to a longer side of PICTURE_PX."""

    colour: str
    x_px: float
    y_px: float
    area_px: float
    box_px: tuple[float, float, float, float]

    @property
    def wide_px(self) -> float:
        return self.box_px[2] - self.box_px[0]

    @property
    def high_px(self) -> float:
        return self.box_px[3] - self.box_px[1]

    @property
    def place(self) -> tuple[float, float]:
        return self.x_px, self.y_px


def patches(picture: Picture, palette: Palette, least_px: float = 6.0) -> tuple[Patch, ...]:
    """Patches of the palette's colours from `least_px` pixels on, larger ones first.

    `picture`: height × width × 3. A pixel between two colours, at an edge, belongs to none. Raises ValueError
    for a picture of another shape.
    """
    if picture.ndim != 3 or picture.shape[2] != 3:
        raise ValueError(f"a picture is {picture.shape}, not height × width × 3")
    scale = PICTURE_PX / max(picture.shape[:2])
    runs = _runs(indexed(picture, palette))
    if not len(runs):
        return ()
    names, found = list(palette), []
    roots = _joined(runs)
    for root in np.unique(roots):
        patch = _patch(runs[roots == root], names, scale)
        if patch.area_px >= least_px:
            found.append(patch)
    return tuple(sorted(found, key=lambda each: (-each.area_px, each.place)))


def indexed(picture: Picture, palette: Palette) -> NDArray[np.uint8]:
    """Each pixel's colour by its place in the palette, from 1; 0 for any other."""
    wide = picture.astype(np.int32)
    codes = (wide[:, :, 0] << 16) | (wide[:, :, 1] << 8) | wide[:, :, 2]
    found = np.zeros(codes.shape, dtype=np.uint8)
    for index, (red, green, blue) in enumerate(palette.values(), start=1):
        found[codes == (red << 16 | green << 8 | blue)] = index
    return found


def _runs(colours: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Rows of (row, first column, column after the last, colour): unbroken stretches of one colour."""
    height, width = colours.shape
    edge = np.ones((height, width + 1), dtype=bool)
    edge[:, 1:width] = colours[:, 1:] != colours[:, :-1]
    rows, columns = np.nonzero(edge)
    starts = columns[:-1] < width
    runs = np.stack([rows[:-1], columns[:-1], columns[1:], np.zeros_like(rows[:-1])], axis=1)[starts]
    runs[:, 3] = colours[runs[:, 0], runs[:, 1]]
    named: NDArray[np.int64] = runs[runs[:, 3] > 0]
    return named


def _joined(runs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each run, the number of the first run of its patch."""
    parent = list(range(len(runs)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    rows = runs.tolist()
    above = 0
    for index, (row, first, end, colour) in enumerate(rows):
        while rows[above][0] < row - 1 or (rows[above][0] == row - 1 and rows[above][2] <= first):
            above += 1
        at = above
        while rows[at][0] == row - 1 and rows[at][1] < end:
            if rows[at][3] == colour:
                one, other = sorted((root(index), root(at)))
                parent[other] = one
            at += 1
    return np.array([root(index) for index in range(len(rows))])


def _patch(runs: NDArray[np.int64], names: list[str], scale: float) -> Patch:
    """One patch of its runs, in pixels of the scaled picture; a pixel's place is its middle."""
    lengths = runs[:, 2] - runs[:, 1]
    area = int(lengths.sum())
    x_px = float((lengths * (runs[:, 1] + runs[:, 2]) / 2).sum()) / area
    y_px = float((lengths * (runs[:, 0] + 0.5)).sum()) / area
    box = (runs[:, 1].min(), runs[:, 0].min(), runs[:, 2].max(), runs[:, 0].max() + 1)
    left, top, right, bottom = (float(side) * scale for side in box)
    return Patch(
        colour=names[int(runs[0, 3]) - 1],
        x_px=x_px * scale,
        y_px=y_px * scale,
        area_px=area * scale**2,
        box_px=(left, top, right, bottom),
    )
