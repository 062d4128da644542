"""SwingXtimes: carry the cube over the right and the left target in turn so many times, put it down, press.

A visit counts within 3 cm of a target's middle and below 12 cm, while the cube is picked. The same target
counts again only after the cube was more than 4 cm away from it, or above 30 cm. A visit more than asked for
fails, and so does a press before all is done. Right is the side of smaller y, as the arm looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

from robot_bridge.tabletop.tasks import placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.sensing import DROPPED, PRESSED, apart_m, happened
from robot_bridge.tabletop.tasks.words import times
from robot_bridge.tabletop.values import (
    Difficulty,
    Event,
    Layout,
    Pose,
    Progress,
    Snapshot,
    Subgoal,
    Verdict,
    Waypoint,
)

VISITED = "visited"
WITHIN_M = 0.03
BELOW_M = 0.12
REARMED_BEYOND_M = 0.04
REARMED_ABOVE_M = 0.30
COUNTS: Mapping[Difficulty, tuple[int, int]] = {"easy": (1, 3), "medium": (1, 2), "hard": (3, 3)}
CUBES: Mapping[Difficulty, int] = {"easy": 1, "medium": 3, "hard": 3}
COLOURS = ("red", "green", "blue")
RIGHT, LEFT = "right_target", "left_target"
SWING_Z_M = 0.08
CLEAR_M = 0.16


@dataclass(frozen=True, kw_only=True)
class SwingXtimes(Episode):
    name: ClassVar[str] = "swing-xtimes"
    cube: str
    count: int

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> SwingXtimes:
        count = rng.randint(*COUNTS[difficulty])
        colours = rng.sample(COLOURS, CUBES[difficulty])
        x_m, y_m = round(rng.uniform(0.02, 0.08), 3), round(rng.uniform(0.12, 0.16), 3)
        right, left = (x_m, -y_m), (x_m, y_m)
        taken = [(spot, placing.radius_m(placing.TARGET)) for spot in (right, left)]
        radii = [placing.radius_m(size) for size in (placing.BUTTON, *[placing.CUBE] * len(colours))]
        button, *spots = placing.scattered(rng, radii, taken)
        layout = Layout(
            things=(
                placing.target(RIGHT, right),
                placing.target(LEFT, left),
                placing.button(button),
                *(placing.cube(f"{c}_cube", c, spot) for c, spot in zip(colours, spots, strict=True)),
            ),
            instruction=(
                f"Pick up the {colours[0]} cube and move it to the right target and then to the left target,"
                f" {times(count)}, then put it down and press the button."
            ),
        )
        return cls(layout=layout, cube=f"{colours[0]}_cube", count=count)

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        if progress.up != self.cube:
            return progress
        at, due = snap.objects[self.cube], self._due(progress)
        if not progress.armed and self._is_away(at, progress):
            progress = replace(progress, armed=True)
        over = next((each for each in (RIGHT, LEFT) if self._is_visit(at, each)), None)
        if over is None or (due is not None and over != due):
            return progress
        if not progress.armed and over == progress.named(VISITED)[-1]:
            return progress
        return replace(happened(progress, snap, VISITED, over), armed=False)

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        visits = len(progress.named(VISITED))
        if visits > 2 * self.count:
            return failure("too_many", f"{visits} visits, {2 * self.count} asked for")
        if not any(each.what == PRESSED for each in fresh):
            return None
        if visits < 2 * self.count:
            return failure("early_press", f"pressed after {visits} of {2 * self.count} visits")
        if progress.up == self.cube or not self._is_put_down(progress):
            return failure("early_press", "pressed before the cube was put down")
        return success(f"carried over both targets {times(self.count)}, put down, and pressed")

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        due = self._due(progress)
        if snap.grasped == self.cube and due is not None:
            return self._swing(due, snap)
        if snap.grasped == self.cube:
            return ways.put_down_subgoal(self.layout.thing(LEFT).pose)
        if due is None:
            return ways.press_subgoal(self.layout.thing("button"))
        return ways.pick_subgoal(self.layout.thing(self.cube), snap.objects[self.cube])

    def _swing(self, due: str, snap: Snapshot) -> Subgoal:
        at = self.layout.thing(due).pose
        phrase = f"move to the {'right' if due == RIGHT else 'left'} target"
        return Subgoal(
            phrase,
            (at.x_m, at.y_m, at.z_m),
            (
                Waypoint(snap.tcp[0], snap.tcp[1], CLEAR_M),
                Waypoint(at.x_m, at.y_m, CLEAR_M),
                Waypoint(at.x_m, at.y_m, SWING_Z_M),
            ),
        )

    def _due(self, progress: Progress) -> str | None:
        visits = len(progress.named(VISITED))
        if visits == 2 * self.count:
            return None
        return RIGHT if visits % 2 == 0 else LEFT

    def _is_visit(self, at: Pose, target: str) -> bool:
        return at.z_m < BELOW_M and apart_m(at, self.layout.thing(target).pose) <= WITHIN_M

    def _is_away(self, at: Pose, progress: Progress) -> bool:
        last = self.layout.thing(progress.named(VISITED)[-1]).pose
        return at.z_m > REARMED_ABOVE_M or apart_m(at, last) > REARMED_BEYOND_M

    def _is_put_down(self, progress: Progress) -> bool:
        after = [each.what for each in progress.events if each.what in (VISITED, DROPPED)]
        return after[-1:] == [DROPPED]
