"""What the tabletop costs: a control step, a picture and its depth, an episode's beginning."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from robot_bridge.tabletop.scenarios import scenario_named
from robot_bridge.tabletop.world import TabletopWorld
from robot_bridge.world import Step

FULL = "video-unmask/hard"
"""Fifteen containers, and a demonstration before the first step."""
SEED = 1


class Tabletop(NamedTuple):
    """Processor milliseconds each, of all threads: pictures are drawn by several.

    `reset_ms`: until the robot may act, its demonstration played.
    """

    step_ms: float
    reset_ms: float
    rgb_512_ms: float
    rgb_256_ms: float
    depth_512_ms: float
    depth_256_ms: float
    view_ms: float


def tabletop(steps: int = 200, pictures: int = 10) -> Tabletop:
    """`view_ms`: of one camera's colour and depth at 512 px with calibration, as PNGs."""
    world = TabletopWorld(scenario_named(FULL), SEED)
    step_ms = _step_ms(world, steps)
    cameras, look = world.cameras, world.physics.look()
    assert cameras.problem() == ""

    def drawn(size_px: int, *, deep: bool) -> Callable[[], object]:
        draw = cameras.depth_m if deep else cameras.rgb
        return lambda: draw(look, "front", size_px)

    return Tabletop(
        step_ms,
        _each_ms(lambda: TabletopWorld(scenario_named(FULL), SEED), max(1, pictures // 4)),
        *(_each_ms(drawn(size_px, deep=deep), pictures) for deep in (False, True) for size_px in (512, 256)),
        _each_ms(lambda: cameras.view(look, "front", 0), pictures),
    )


def told(found: Tabletop) -> str:
    return (
        f"Tabletop: a control step {found.step_ms:.2f} ms, a reset with its demonstration"
        f" {found.reset_ms:.0f} ms; a picture {found.rgb_512_ms:.1f} ms at 512 px,"
        f" {found.rgb_256_ms:.1f} at 256; depth {found.depth_512_ms:.1f}, {found.depth_256_ms:.1f};"
        f" both as PNGs {found.view_ms:.1f}"
    )


def _step_ms(world: TabletopWorld, steps: int) -> float:
    """With the arm on its way and the task judged, unwatched."""
    world.start(Step("move", {"x_m": 0.0, "y_m": 0.2, "z_m": 0.2, "arrive_step": steps + 10}))
    begun_s = time.process_time()
    for _ in range(steps):
        world.advance()
    return 1e3 * (time.process_time() - begun_s) / steps


def _each_ms(work: Callable[[], object], times: int) -> float:
    work()
    begun_s = time.process_time()
    for _ in range(times):
        work()
    return 1e3 * (time.process_time() - begun_s) / times
