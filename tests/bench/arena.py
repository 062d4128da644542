"""How much faster than real time the arena's physics goes, a mission played on it without pictures."""

from __future__ import annotations

import time
from typing import NamedTuple

from backend.evaluation.arms import ARENA_SCENARIO, arm
from backend.evaluation.bare import play
from backend.rig import world_rig
from tests.bench.yardstick import yardstick

YARDSTICKS = 60


class Arena(NamedTuple):
    """`times_real`: seconds of the world a second of processor time. `yardsticks`: a second of it costs."""

    times_real: float
    yardsticks: float


def arena(seed: int = 1) -> Arena:
    begun_s = time.thread_time()
    world_s = play(arm(ARENA_SCENARIO, "attention"), seed, world_rig).steps
    cost_s = time.thread_time() - begun_s
    begun_s = time.thread_time()
    for _ in range(YARDSTICKS):
        yardstick()
    yardstick_s = (time.thread_time() - begun_s) / YARDSTICKS
    return Arena(world_s / cost_s, cost_s / world_s / yardstick_s)
