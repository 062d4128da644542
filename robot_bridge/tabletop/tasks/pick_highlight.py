"""PickHighlight: press, watch which cubes light up, pick them in the order in which they did.

They light up one after the other from step 10 to step 100 after the press. Picking any other than the one
that is due fails; before the press no pick counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from robot_bridge.tabletop.tasks import placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.sensing import PICKED, PRESSED, happened
from robot_bridge.tabletop.values import (
    Change,
    Difficulty,
    Event,
    Layout,
    Progress,
    Snapshot,
    Subgoal,
    Verdict,
)

LIT, FOUND = "lit", "found"
CUBES: Mapping[Difficulty, int] = {"easy": 3, "medium": 4, "hard": 6}
HIGHLIGHTED: Mapping[Difficulty, int] = {"easy": 1, "medium": 2, "hard": 3}
FIRST_STEP, LAST_STEP = 10, 100
COLOURS = ("red", "green", "blue")


@dataclass(frozen=True, kw_only=True)
class PickHighlight(Episode):
    name: ClassVar[str] = "pick-highlight"
    wanted: tuple[str, ...]
    """The cubes that light up, in order."""

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> PickHighlight:
        count = CUBES[difficulty]
        sizes = (placing.BUTTON, *[placing.CUBE] * count)
        button, *spots = placing.scattered(rng, [placing.radius_m(size) for size in sizes])
        cubes = [placing.cube(f"cube_{i + 1}", rng.choice(COLOURS), spot) for i, spot in enumerate(spots)]
        wanted = rng.sample([each.name for each in cubes], HIGHLIGHTED[difficulty])
        what = (
            "pick up the cube that lit up"
            if len(wanted) == 1
            else "pick up the cubes that lit up, one after the other, in the order in which they did"
        )
        layout = Layout(
            things=(placing.button(button), *cubes), instruction=f"Press the button, then {what}."
        )
        return cls(layout=layout, wanted=tuple(wanted))

    def lit(self, since_press: int) -> str | None:
        """Which cube is lit so many steps after the press."""
        if not FIRST_STEP <= since_press < LAST_STEP:
            return None
        each_steps = (LAST_STEP - FIRST_STEP) / len(self.wanted)
        return self.wanted[int((since_press - FIRST_STEP) / each_steps)]

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        pressed = progress.first_step(PRESSED)
        if pressed is None:
            return progress
        now = self.lit(snap.step - pressed)
        if now is not None and now not in progress.named(LIT):
            progress = happened(progress, snap, LIT, now)
        last = progress.events[-1]
        if last.step == snap.step and last.what == PICKED and last.name == self._due(progress):
            progress = happened(progress, snap, FOUND, last.name)
        return progress

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        found_now = [each.name for each in fresh if each.what == FOUND]
        for event in fresh:
            if event.what == PICKED and event.name not in (self._due(progress), *found_now):
                return failure("wrong_cube", f"{event.name} was picked, which was not the next that lit up")
        if len(progress.named(FOUND)) == len(self.wanted):
            return success("picked what lit up, in order")
        return None

    def happenings(self, progress: Progress, step: int) -> tuple[Change, ...]:
        pressed = progress.first_step(PRESSED)
        now = None if pressed is None else self.lit(step - pressed)
        return () if now is None else (Change(now, colour="highlight"),)

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        button = self.layout.thing("button")
        pressed = progress.first_step(PRESSED)
        if pressed is None:
            return ways.press_subgoal(button)
        if snap.step < pressed + LAST_STEP:
            return ways.wait_subgoal(button.pose, pressed + LAST_STEP - snap.step)
        due = self._due(progress)
        assert due is not None, "without a verdict one is due"
        if snap.grasped == due and progress.up != due:
            return ways.raise_cube_subgoal(self.layout.thing(due), snap.objects[due])
        if snap.grasped is not None:
            return ways.put_down_subgoal(self.layout.thing(snap.grasped).pose)
        return ways.pick_subgoal(self.layout.thing(due), snap.objects[due])

    def _due(self, progress: Progress) -> str | None:
        found = len(progress.named(FOUND))
        return self.wanted[found] if found < len(self.wanted) else None
