"""VideoRepick: pick the cube that was picked in the demonstration so many times, then press.

All cubes look alike, and in easy and medium episodes some change places before the demonstration ends.
Picking another cube fails, so does picking once too often, and a press before the last time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from robot_bridge.tabletop.tasks import moving, placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.moving import SWAP_STEPS, Swap
from robot_bridge.tabletop.tasks.placing import Spot
from robot_bridge.tabletop.tasks.sensing import PICKED, PRESSED
from robot_bridge.tabletop.tasks.words import times
from robot_bridge.tabletop.values import (
    Change,
    Cue,
    Difficulty,
    Event,
    Layout,
    Progress,
    Snapshot,
    Subgoal,
    Verdict,
)

SWAP = "swap"
SWAPS: Mapping[Difficulty, tuple[int, int]] = {"easy": (1, 2), "medium": (2, 3), "hard": (0, 0)}
CUBES: Mapping[Difficulty, int] = {"easy": 3, "medium": 4, "hard": 6}
TIMES = (1, 3)
COLOURS = ("red", "green", "blue")
ROW_X_M, ROW_SPACING_M = 0.03, 0.11


@dataclass(frozen=True, kw_only=True)
class VideoRepick(Episode):
    name: ClassVar[str] = "video-repick"
    cube: str
    count: int
    spots: tuple[Spot, ...]
    swaps: tuple[Swap, ...]

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> VideoRepick:
        number, colour = CUBES[difficulty], rng.choice(COLOURS)
        swaps = moving.drawn_swaps(rng, rng.randint(*SWAPS[difficulty]), number)
        button = placing.beside(rng, 1)[0]
        if swaps:
            spots = placing.in_row(rng, number, ROW_SPACING_M, ROW_X_M)
        else:
            taken = [(button, placing.radius_m(placing.BUTTON))]
            spots = placing.scattered(rng, [placing.radius_m(placing.CUBE)] * number, taken)
        ends = moving.slots_after(swaps, number)
        cubes = [placing.cube(f"cube_{i + 1}", colour, spots[slot]) for i, slot in enumerate(ends)]
        picked, count = rng.randrange(number), rng.randint(*TIMES)
        began = placing.standing(placing.CUBE, spots[picked])
        layout = Layout(
            things=(placing.button(button), *cubes),
            instruction=(
                f"Watch the video, then pick up the cube that was picked up in it, {times(count)},"
                " and press the button."
            ),
            demonstration=(
                ways.at_first(),
                *ways.cues(ways.pick(began), ways.place(began), (ways.HOME,)),
                *((Cue(steps=len(swaps) * SWAP_STEPS, happens=SWAP),) if swaps else ()),
                ways.tidy(),
            ),
        )
        name = cubes[picked].name
        return cls(layout=layout, cube=name, count=count, spots=tuple(spots), swaps=swaps)

    def shown(self, cue: Cue, step: int) -> tuple[Change, ...]:
        since = {ways.SET: 0, SWAP: step, ways.TIDY: len(self.swaps) * SWAP_STEPS}
        if cue.happens not in since:
            return ()
        riders = {f"cube_{i + 1}": (i, placing.CUBE_M / 2) for i in range(len(self.spots))}
        return moving.swapped(self.spots, self.swaps, since[cue.happens], riders)

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        picks = progress.named(PICKED)
        if any(name != self.cube for name in picks):
            return failure("wrong_cube", f"{picks[-1]} was picked, which was not the one in the video")
        if len(picks) > self.count:
            return failure("too_many", f"picked {len(picks)} times, {self.count} asked for")
        if not any(each.what == PRESSED for each in fresh):
            return None
        if len(picks) < self.count:
            return failure("early_press", f"pressed after {len(picks)} of {self.count} times")
        return success(f"picked {len(picks)} times, then pressed")

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        if snap.grasped == self.cube and progress.up != self.cube:
            return ways.raise_cube_subgoal(self.layout.thing(self.cube), snap.objects[self.cube])
        if snap.grasped is not None:
            return ways.put_down_subgoal(self.layout.thing(snap.grasped).pose)
        if len(progress.named(PICKED)) == self.count:
            return ways.press_subgoal(self.layout.thing("button"))
        return ways.pick_subgoal(self.layout.thing(self.cube), snap.objects[self.cube])
