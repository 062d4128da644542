"""PickXtimes: pick the named cube and place it on the target so many times, then press.

Picking another cube fails, and so does a press before the last time; one time too many is caught when the
cube is placed again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from robot_bridge.tabletop.tasks import placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.sensing import DROPPED, PICKED, PRESSED, happened, is_onto
from robot_bridge.tabletop.tasks.words import times
from robot_bridge.tabletop.values import Difficulty, Event, Layout, Progress, Snapshot, Subgoal, Verdict

PLACED = "placed"
COUNTS: Mapping[Difficulty, tuple[int, int]] = {"easy": (1, 3), "medium": (1, 3), "hard": (4, 5)}
CUBES: Mapping[Difficulty, int] = {"easy": 1, "medium": 3, "hard": 3}
COLOURS = ("red", "green", "blue")


@dataclass(frozen=True, kw_only=True)
class PickXtimes(Episode):
    name: ClassVar[str] = "pick-xtimes"
    cube: str
    count: int

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> PickXtimes:
        count = rng.randint(*COUNTS[difficulty])
        colours = rng.sample(COLOURS, CUBES[difficulty])
        sizes = (placing.TARGET, placing.BUTTON, *[placing.CUBE] * len(colours))
        target, button, *spots = placing.scattered(rng, [placing.radius_m(size) for size in sizes])
        layout = Layout(
            things=(
                placing.target("target", target),
                placing.button(button),
                *(placing.cube(f"{c}_cube", c, spot) for c, spot in zip(colours, spots, strict=True)),
            ),
            instruction=(
                f"Pick up the {colours[0]} cube and place it on the target {times(count)},"
                " then press the button."
            ),
        )
        return cls(layout=layout, cube=f"{colours[0]}_cube", count=count)

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        last = progress.events[-1] if progress.events else None
        if last is None or last != (snap.step, DROPPED, self.cube):
            return progress
        if not is_onto(snap.objects[self.cube], self.layout.thing("target").pose):
            return progress
        return happened(progress, snap, PLACED, self.cube)

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        placed = len(progress.named(PLACED))
        for event in fresh:
            if event.what == PICKED and event.name != self.cube:
                return failure("wrong_cube", f"the {self.layout.thing(event.name).colour} cube was picked")
        if placed > self.count:
            return failure("too_many", f"placed {placed} times, {self.count} asked for")
        if not any(each.what == PRESSED for each in fresh):
            return None
        if placed < self.count:
            return failure("early_press", f"pressed after {placed} of {self.count} times")
        return success(f"placed {placed} times, then pressed")

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        if snap.grasped == self.cube:
            return ways.place_subgoal(self.layout.thing("target").pose)
        if len(progress.named(PLACED)) == self.count:
            return ways.press_subgoal(self.layout.thing("button"))
        return ways.pick_subgoal(self.layout.thing(self.cube), snap.objects[self.cube])
