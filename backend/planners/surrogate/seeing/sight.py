"""One picture as the surrogate sees it: its patches, and which colour lies at a pixel."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.domain.plans.plan import PICTURE_PX
from backend.planners.surrogate.seeing.palette import PALETTE
from backend.planners.surrogate.seeing.patches import Patch, Picture, indexed, patches

Pixel = tuple[float, float]
"""Column and row in the picture scaled to a longer side of PICTURE_PX."""

_NAMES = ("", *PALETTE)


@dataclass(frozen=True, slots=True)
class Sight:
    """`patches`: larger ones first. `colours`: by pixel of the picture as it is stored."""

    patches: tuple[Patch, ...]
    colours: NDArray[np.uint8]

    def of(self, *colours: str) -> tuple[Patch, ...]:
        return tuple(patch for patch in self.patches if patch.colour in colours)

    def colour_at(self, pixel: Pixel) -> str:
        """Empty where the pixel is off the picture, at an edge between two colours, or of none known."""
        height, width = self.colours.shape
        scale = max(height, width) / PICTURE_PX
        column, row = math.floor(pixel[0] * scale), math.floor(pixel[1] * scale)
        within = 0 <= column < width and 0 <= row < height
        return _NAMES[self.colours[row, column]] if within else ""


NOTHING = Sight((), np.zeros((1, 1), dtype=np.uint8))
"""Where there is no picture."""


def sight_of(picture: Picture) -> Sight:
    return Sight(patches(picture, PALETTE), indexed(picture, PALETTE))


def apart_px(one: Pixel, other: Pixel) -> float:
    return math.hypot(one[0] - other[0], one[1] - other[1])


def nearest(place: Pixel, among: Iterable[Patch]) -> Patch | None:
    return min(among, key=lambda patch: apart_px(patch.place, place), default=None)
