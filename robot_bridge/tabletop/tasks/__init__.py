"""The sixteen tasks with RoboMME's rules: what stands where, what the world does, and when each is solved.

Pure: no physics here. An episode of a task is drawn from a seeded `random.Random`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from robot_bridge.tabletop.tasks.bin_fill import BinFill
from robot_bridge.tabletop.tasks.insert_peg import InsertPeg
from robot_bridge.tabletop.tasks.move_cube import MoveCube
from robot_bridge.tabletop.tasks.pattern_lock import PatternLock
from robot_bridge.tabletop.tasks.pick_highlight import PickHighlight
from robot_bridge.tabletop.tasks.pick_xtimes import PickXtimes
from robot_bridge.tabletop.tasks.route_stick import RouteStick
from robot_bridge.tabletop.tasks.stop_cube import StopCube
from robot_bridge.tabletop.tasks.swing_xtimes import SwingXtimes
from robot_bridge.tabletop.tasks.unmask import ButtonUnmask, ButtonUnmaskSwap, VideoUnmask, VideoUnmaskSwap
from robot_bridge.tabletop.tasks.video_place import VideoPlaceButton, VideoPlaceOrder
from robot_bridge.tabletop.tasks.video_repick import VideoRepick
from robot_bridge.tabletop.values import Difficulty, Suite, Task

_DRAWN: Mapping[str, Callable[[Random, Difficulty], Task]] = {
    each.name: each.drawn
    for each in (
        BinFill,
        PickXtimes,
        SwingXtimes,
        StopCube,
        VideoUnmask,
        ButtonUnmask,
        VideoUnmaskSwap,
        ButtonUnmaskSwap,
        PickHighlight,
        VideoRepick,
        VideoPlaceButton,
        VideoPlaceOrder,
        MoveCube,
        InsertPeg,
        PatternLock,
        RouteStick,
    )
}
TASK_NAMES = tuple(_DRAWN)
SUITES: Mapping[Suite, tuple[str, ...]] = {
    "counting": TASK_NAMES[0:4],
    "permanence": TASK_NAMES[4:8],
    "reference": TASK_NAMES[8:12],
    "imitation": TASK_NAMES[12:16],
}


def task_named(name: str, rng: Random, difficulty: Difficulty) -> Task:
    """One episode. Raises ValueError in the operator's words."""
    if name not in _DRAWN:
        raise ValueError(f"task {name} is unknown. Choose one of {', '.join(TASK_NAMES)}.")
    return _DRAWN[name](rng, difficulty)
