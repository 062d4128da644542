"""True events, for who measures planners: none of it is ever told to one.

Of the episode those that its rules saw; of what was shown before, whenever a thing starts or stops to move,
changes its colour, or a button is pushed down or let go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_bridge.tabletop.shapes import FREE
from robot_bridge.tabletop.staging import Look
from robot_bridge.tabletop.tasks.sensing import PRESSED_BEYOND_M
from robot_bridge.tabletop.world import TabletopWorld

MOVES_M = 0.001
"""In one control step, 2 cm/s: what moves less is settling."""


def seen_by_rules(world: TabletopWorld) -> tuple[int, ...]:
    """Control steps at which something happened, ascending."""
    return tuple(sorted({event.step for event in world.progress.events}))


def demonstrated(world: TabletopWorld) -> tuple[int, ...]:
    """Frames of the demonstration at which something happened, ascending."""
    if not world.shown:
        return ()
    happened = set(_recoloured(world.shown))
    for thing in world.task.layout.things:
        if thing.kind in FREE:
            at = int(world.physics.model.joint(thing.name).qposadr[0])
            happened |= set(_flips(_moves([look.qpos[at : at + 3] for look in world.shown])))
        elif thing.kind == "button":
            at = int(world.physics.model.joint(thing.name).qposadr[0])
            happened |= set(_flips([look.qpos[at] > PRESSED_BEYOND_M for look in world.shown]))
    return tuple(sorted(happened))


def _moves(places: Sequence[NDArray[np.float64]]) -> list[bool]:
    distances = np.linalg.norm(np.diff(np.stack(places), axis=0), axis=1)
    return [False, *(distances > MOVES_M).tolist()]


def _flips(states: Sequence[bool]) -> Iterator[int]:
    for number in range(1, len(states)):
        if states[number] != states[number - 1]:
            yield number


def _recoloured(looks: Sequence[Look]) -> Iterator[int]:
    for number in range(1, len(looks)):
        if not np.array_equal(looks[number].rgba, looks[number - 1].rgba):
            yield number
