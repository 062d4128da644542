"""Gating the most frames that an action leaves, at the most points, against comparing whole frames."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.domain.execution.gating import GatingSettings, changed_pixels, gate, watched_pixels
from backend.domain.execution.recording import MOST_FRAMES

EDGE_PX = 512
POINTS = tuple((64.0 + 128 * column, 170.0 + 170 * row) for column in range(4) for row in range(2))
ROUNDS = 100
SETTINGS = GatingSettings()

Picture = NDArray[np.uint8]


class Gating(NamedTuple):
    frames: int
    edge_px: int
    ours_ms: float
    whole_ms: float
    withheld: int


def gating(rounds: int = ROUNDS) -> Gating:
    """`ours_ms` with the view before, by median. Raises AssertionError where the shares are not the same."""
    frames = made()
    found = gate(frames, POINTS, SETTINGS)
    if list(found.shares[1:]) != wholly(frames):
        raise AssertionError("gating and the comparison of whole frames do not find the same shares")
    ours_s = median(_once_s(lambda: gate(frames, POINTS, SETTINGS)) for _ in range(rounds))
    whole_s = median(_once_s(lambda: wholly(frames)) for _ in range(max(1, rounds // 10)))
    return Gating(MOST_FRAMES, EDGE_PX, 1e3 * ours_s, 1e3 * whole_s, found.withheld)


def wholly(frames: list[Picture]) -> list[float]:
    """As one would write it by hand: every pixel compared, then those that are watched counted."""
    watched = watched_pixels(POINTS, EDGE_PX, EDGE_PX, SETTINGS.radius_px)
    return [
        int(np.count_nonzero(changed_pixels(before, now, SETTINGS.level).reshape(-1)[watched])) / watched.size
        for before, now in pairwise(frames)
    ]


def made() -> list[Picture]:
    """The view before and MOST_FRAMES more: noise below the level, and a square that moves on and rests."""
    chance = np.random.default_rng(1)
    scene = chance.integers(0, 200, (EDGE_PX, EDGE_PX, 3))
    frames = []
    for number in range(MOST_FRAMES + 1):
        frame = scene + chance.integers(0, 12, scene.shape)
        at = 40 + 60 * min(number, 6)
        frame[150:210, at : at + 60] = 240
        frames.append(frame.astype(np.uint8))
    return frames


def _once_s(work: Callable[[], Any]) -> float:
    begun_s = time.thread_time()
    work()
    return time.thread_time() - begun_s
