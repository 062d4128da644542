"""Where the hand is over the table, told from the picture by what is known of its size.

The camera's tilt and scale follow from things that lie on the table a known distance apart. Fingertips are
seen higher in the picture than the place they are over, by as much as they are high; and the higher the hand,
the nearer the camera, and the wider it looks.
"""

from __future__ import annotations

import math

from msgspec import Struct

from backend.planners.surrogate.seeing.sight import Pixel, Sight

HAND_WIDE_M, FINGER_THICK_M = 0.18, 0.018
_HAND = ("arm", "finger")
_LEAST_FINGER_PX = 8.0


class Ruler(Struct, frozen=True):
    """At a place on the table: pixels per metre across the picture, and of what lies along the sight line."""

    across: float
    away: float

    @property
    def upright(self) -> float:
        """Pixels per metre of what stands upright there."""
        return math.sqrt(max(0.0, self.across**2 - self.away**2))


class Hand(Struct, frozen=True):
    """`tip`: the lowest point of the fingers, between them; `wide_px`: of the hand right above them."""

    tip: Pixel
    wide_px: float

    def over(self, height_m: float, ruler: Ruler) -> Pixel:
        """The pixel of the place on the table that the fingertips are over, if they are that high."""
        lower_px = height_m * ruler.upright - FINGER_THICK_M / 2 * ruler.away
        return self.tip[0], self.tip[1] + lower_px

    def nearer(self, ruler: Ruler) -> float:
        """How many times nearer the hand is to the camera than the table beneath it."""
        return self.wide_px / (HAND_WIDE_M * ruler.across)


def hand_of(frame: Sight) -> Hand | None:
    """None where the fingers are hidden."""
    fingers = [patch for patch in frame.of("finger") if patch.area_px >= _LEAST_FINGER_PX]
    if not fingers:
        return None
    area = sum(patch.area_px for patch in fingers)
    x_px = sum(patch.x_px * patch.area_px for patch in fingers) / area
    row = min(patch.box_px[1] for patch in fingers) - 5.0
    return Hand((x_px, max(patch.box_px[3] for patch in fingers)), _run_px(frame, (x_px, row)))


def _run_px(frame: Sight, at: Pixel) -> float:
    """How wide the hand is along the row through `at`."""
    ends = []
    for way in (-1, 1):
        x_px = at[0]
        while frame.colour_at((x_px, at[1])) in _HAND:
            x_px += way
        ends.append(x_px)
    return ends[1] - ends[0] - 1
