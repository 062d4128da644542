"""Places and the distance between them. Lengths in metres, angles in radians, every pose names its frame."""

from __future__ import annotations

import math
from typing import Literal

from msgspec import Struct


class Pose(Struct, frozen=True):
    """A planar pose expressed in the frame `frame_id`."""

    x_m: float
    y_m: float
    yaw_rad: float = 0.0
    frame_id: str = "map"


class Metric(Struct, frozen=True):
    """How far apart two places are at a site, and below what a move counts as none.

    `length_m` is the characteristic length of the attention score: one cell on a grid, 1 m elsewhere.
    """

    kind: Literal["manhattan", "euclidean"] = "euclidean"
    length_m: float = 1.0
    tolerance_m: float = 0.05

    def distance_m(self, a: Pose, b: Pose) -> float:
        if self.kind == "manhattan":
            return abs(a.x_m - b.x_m) + abs(a.y_m - b.y_m)
        return math.hypot(a.x_m - b.x_m, a.y_m - b.y_m)

    def same_place(self, a: Pose, b: Pose) -> bool:
        return self.distance_m(a, b) <= self.tolerance_m
