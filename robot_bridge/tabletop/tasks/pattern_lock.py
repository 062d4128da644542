"""PatternLock: trace the demonstrated path over the nodes of a grid.

A node is touched where the tcp is within 1 cm of its middle and below 10 cm. Touching another than the one
that is due fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from robot_bridge.tabletop.tasks import placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.placing import Spot
from robot_bridge.tabletop.tasks.sensing import apart_m, happened
from robot_bridge.tabletop.values import (
    Cue,
    Difficulty,
    Event,
    Layout,
    Progress,
    Snapshot,
    Subgoal,
    Thing,
    Verdict,
    Waypoint,
)

TOUCHED = "touched"
WITHIN_M = 0.01
BELOW_M = 0.10
GRID: Mapping[Difficulty, int] = {"easy": 3, "medium": 4, "hard": 5}
LENGTH: Mapping[Difficulty, tuple[int, int]] = {"easy": (2, 4), "medium": (3, 5), "hard": (4, 8)}
SPACING_M = 0.07
NODE = (0.03, 0.03, 0.002)
TRACE_Z_M = 0.04
Cell = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class PatternLock(Episode):
    name: ClassVar[str] = "pattern-lock"
    path: tuple[str, ...]

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> PatternLock:
        side = GRID[difficulty]
        middle = round(rng.uniform(0.0, 0.02), 3), round(rng.uniform(-0.04, 0.04), 3)
        spots = {
            (i, j): (
                round(middle[0] + (i - (side - 1) / 2) * SPACING_M, 3),
                round(middle[1] + (j - (side - 1) / 2) * SPACING_M, 3),
            )
            for i in range(side)
            for j in range(side)
        }
        cells = _walk(rng, side, rng.randint(*LENGTH[difficulty]))
        layout = Layout(
            things=tuple(
                Thing(_name(cell), "node", "node", placing.standing(NODE, spot), NODE)
                for cell, spot in spots.items()
            ),
            instruction="Watch the video, then trace the same pattern over the nodes, in the same order.",
            demonstration=_shown([spots[cell] for cell in cells]),
        )
        return cls(layout=layout, path=tuple(map(_name, cells)))

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        if snap.tcp[2] >= BELOW_M:
            return progress
        on = (each.name for each in self.layout.things if apart_m(snap.tcp, each.pose) <= WITHIN_M)
        name = next(on, None)
        if name is None or progress.named(TOUCHED)[-1:] == (name,):
            return progress
        return happened(progress, snap, TOUCHED, name)

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        touched = progress.named(TOUCHED)
        if touched != self.path[: len(touched)]:
            return failure("wrong_node", f"{touched[-1]} was touched, which was not the next of the pattern")
        return success(f"traced all {len(touched)} nodes") if len(touched) == len(self.path) else None

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        done = len(progress.named(TOUCHED))
        at = self.layout.thing(self.path[done]).pose
        over = (Waypoint(at.x_m, at.y_m, ways.CARRY_M, gripper="close"),) if done == 0 else ()
        way = (*over, Waypoint(at.x_m, at.y_m, TRACE_Z_M))
        return Subgoal("move to the node", (at.x_m, at.y_m, at.z_m), way)


def _walk(rng: Random, side: int, length: int) -> list[Cell]:
    """From node to neighbour, diagonally too, none twice."""
    while True:
        cells = [(rng.randrange(side), rng.randrange(side))]
        while len(cells) < length:
            free = [cell for cell in _neighbours(cells[-1], side) if cell not in cells]
            if not free:
                break
            cells.append(rng.choice(free))
        else:
            return cells


def _neighbours(cell: Cell, side: int) -> list[Cell]:
    near = range(-1, 2)
    around = [(cell[0] + i, cell[1] + j) for i in near for j in near if (i, j) != (0, 0)]
    return [(i, j) for i, j in around if 0 <= i < side and 0 <= j < side]


def _name(cell: Cell) -> str:
    return f"node_{cell[0] + 1}_{cell[1] + 1}"


def _shown(spots: Sequence[Spot]) -> tuple[Cue, ...]:
    first, last = spots[0], spots[-1]
    way = (
        Waypoint(*first, ways.CARRY_M, gripper="close"),
        *(Waypoint(*spot, TRACE_Z_M, wait_steps=4) for spot in spots),
        Waypoint(*last, ways.CARRY_M),
        ways.HOME,
    )
    return (ways.pause(), *ways.cues(way), ways.pause())
