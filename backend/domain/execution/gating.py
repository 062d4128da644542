"""Expectation-gated frames: only where and when something changed at a watched point (LogLook, section 3.5).

Among the frames kept of an action, one and its predecessor are returned when more than a given share of the
pixels in the union of the watched circles differs between the two by more than a given level in any channel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from backend.domain.plans.plan import PICTURE_PX

Picture = NDArray[np.uint8]
Points = tuple[tuple[float, float], ...]


class GatingSettings(Struct, frozen=True, kw_only=True):
    """`radius_px` holds for pictures whose longer side is PICTURE_PX; others have it scaled, as the points.

    A pixel counts as changed past `level` of 255, a frame past `share` of its watched pixels.
    """

    radius_px: float = 28.0
    level: int = 30
    share: float = 0.05


class Gated(Struct, frozen=True):
    """By frame kept: the share of watched pixels that changed since the frame before (None for the first, and
    where no point is watched), and whether it is returned. `withheld` counts those that are not."""

    shares: tuple[float | None, ...]
    returned: tuple[bool, ...]

    @property
    def withheld(self) -> int:
        return self.returned.count(False)


def gate(
    frames: Sequence[Picture], watch: Points | Literal["all"] | None, settings: GatingSettings | None = None
) -> Gated:
    """Which `frames` (H × W × 3, uint8; the first is the view before the action) the planner is shown.

    `watch`: points as `Watch` holds them, "all" for every frame, None for none. A frame of another size than
    the one before it has changed throughout. Raises ValueError where a frame has no three channels.
    """
    for frame in frames:
        if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8:
            raise ValueError(f"a frame is {frame.dtype} {frame.shape}, not uint8 of height × width × 3")
    if watch is None or watch == "all":
        return Gated((None,) * len(frames), (watch == "all",) * len(frames))
    settings = settings or GatingSettings()
    shares = _shares(frames, watch, settings)
    changed = [share is not None and share > settings.share for share in shares]
    returned = [here or after for here, after in zip(changed, [*changed[1:], False], strict=False)]
    return Gated(tuple(shares), tuple(returned))


def changed_pixels(before: Picture, now: Picture, level: int) -> NDArray[np.bool_]:
    """Height × width of `now`: whether any channel differs from `before` by more than `level` of 255.

    A picture of another size than the one before it has changed throughout.
    """
    if before.shape != now.shape:
        return np.ones(now.shape[:2], dtype=np.bool_)
    difference = np.maximum(before, now) - np.minimum(before, now)
    changed: NDArray[np.bool_] = difference.max(axis=2) > level
    return changed


def watched_pixels(points: Points, width_px: int, height_px: int, radius_px: float) -> NDArray[np.intp]:
    """Row-major indices of the pixels within `radius_px` of a point, both scaled to the picture's size."""
    scale = max(width_px, height_px) / PICTURE_PX
    reach_px = radius_px * scale
    inside = np.zeros((height_px, width_px), dtype=np.bool_)
    for x_px, y_px in [(x * scale, y * scale) for x, y in points]:
        top, bottom = _span(y_px, reach_px, height_px)
        left, right = _span(x_px, reach_px, width_px)
        y2 = (np.arange(top, bottom) - y_px) ** 2
        x2 = (np.arange(left, right) - x_px) ** 2
        inside[top:bottom, left:right] |= x2 + y2[:, np.newaxis] <= reach_px**2
    return np.flatnonzero(inside)


def _shares(frames: Sequence[Picture], points: Points, settings: GatingSettings) -> list[float | None]:
    """Each frame against the one before it. One plane a channel: whole planes are compared at once."""
    shares: list[float | None] = []
    shape: tuple[int, ...] = ()
    planes: NDArray[np.intp] = np.empty((3, 0), dtype=np.intp)
    before: Picture | None = None
    for frame in frames:
        resized = frame.shape != shape
        if resized:
            height_px, width_px, _ = shape = frame.shape
            pixels = watched_pixels(points, width_px, height_px, settings.radius_px)
            planes = np.stack([pixels * 3, pixels * 3 + 1, pixels * 3 + 2])
        now = frame.reshape(-1).take(planes, mode="clip")
        if before is None:
            shares.append(None)
        else:
            shares.append(1.0 if resized else _share_over(before, now, settings.level))
        before = now
    return shares


def _share_over(before: Picture, now: Picture, level: int) -> float:
    """Share of pixels (columns) in which any channel (row) differs by more than `level`."""
    if now.shape[1] == 0:
        return 0.0
    difference = np.maximum(before, now)
    difference -= np.minimum(before, now)
    widest = np.maximum(difference[0], difference[1])
    np.maximum(widest, difference[2], out=widest)
    return int(np.count_nonzero(widest > level)) / int(now.shape[1])


def _span(at_px: float, radius_px: float, size_px: int) -> tuple[int, int]:
    """The first pixel of one axis that a circle may touch, and the first after it, within the picture."""
    first, end = math.floor(at_px - radius_px), math.ceil(at_px + radius_px) + 1
    return max(0, min(first, size_px)), max(0, min(end, size_px))
