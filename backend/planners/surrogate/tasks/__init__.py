"""One deterministic policy a task: what to do next, given what is known. By the task's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.tasks.counting import bin_fill, pick_xtimes, swing_xtimes
from backend.planners.surrogate.tasks.highlights import pick_highlight
from backend.planners.surrogate.tasks.manner import move_cube, watch_manner
from backend.planners.surrogate.tasks.pattern import pattern_lock, watch_pattern
from backend.planners.surrogate.tasks.peg import insert_peg, watch_peg
from backend.planners.surrogate.tasks.permanence import (
    button_unmask,
    button_unmask_swap,
    video_unmask,
    watch_unmask,
    watch_unmask_swap,
)
from backend.planners.surrogate.tasks.reference import (
    video_place_button,
    video_place_order,
    video_repick,
    watch_place,
    watch_repick,
)
from backend.planners.surrogate.tasks.route import route_stick, watch_route
from backend.planners.surrogate.tasks.stop_cube import stop_cube
from backend.planners.surrogate.watching import Watching

Policy = Callable[[Mind], Act]
Watcher = Callable[[Watching], None]

POLICIES: Mapping[str, Policy] = {
    "bin-fill": bin_fill,
    "pick-xtimes": pick_xtimes,
    "swing-xtimes": swing_xtimes,
    "stop-cube": stop_cube,
    "video-unmask": video_unmask,
    "button-unmask": button_unmask,
    "video-unmask-swap": video_unmask,
    "button-unmask-swap": button_unmask_swap,
    "pick-highlight": pick_highlight,
    "video-repick": video_repick,
    "video-place-button": video_place_button,
    "video-place-order": video_place_order,
    "move-cube": move_cube,
    "insert-peg": insert_peg,
    "pattern-lock": pattern_lock,
    "route-stick": route_stick,
}
WATCHERS: Mapping[str, Watcher] = {
    "video-unmask": watch_unmask,
    "video-unmask-swap": watch_unmask_swap,
    "video-repick": watch_repick,
    "video-place-button": watch_place,
    "video-place-order": watch_place,
    "move-cube": watch_manner,
    "insert-peg": watch_peg,
    "pattern-lock": watch_pattern,
    "route-stick": watch_route,
}
"""Of tasks that begin with a demonstration."""
