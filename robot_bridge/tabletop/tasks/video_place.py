"""VideoPlaceButton and VideoPlaceOrder: place the cube on the target that the demonstration means.

Button: where it was right before, or right after, the button was pressed. Order: the k-th of four targets
that it was placed on. All targets look alike; in hard episodes two change places before the demonstration
ends. Placing it on another target fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import ClassVar

from robot_bridge.tabletop.tasks import moving, placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.moving import SWAP_STEPS, Swap
from robot_bridge.tabletop.tasks.placing import Spot
from robot_bridge.tabletop.tasks.sensing import DROPPED, is_onto
from robot_bridge.tabletop.tasks.words import ordinal
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
TARGETS: Mapping[Difficulty, int] = {"easy": 3, "medium": 4, "hard": 4}
ORDERED_TARGETS = 4
COLOURS = ("red", "green", "blue")


@dataclass(frozen=True, kw_only=True)
class VideoPlace(Episode):
    wanted: str
    """The target."""
    spots: tuple[Spot, ...]
    swaps: tuple[Swap, ...]

    def shown(self, cue: Cue, step: int) -> tuple[Change, ...]:
        since = {ways.SET: 0, SWAP: step, ways.TIDY: len(self.swaps) * SWAP_STEPS}
        if cue.happens not in since:
            return ()
        cube = Change("cube", self.layout.thing("cube").pose)
        riders = {f"target_{i + 1}": (i, placing.TARGET[2] / 2) for i in range(len(self.spots))}
        return (cube, *moving.swapped(self.spots, self.swaps, since[cue.happens], riders))

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        if not any(each.what == DROPPED for each in fresh):
            return None
        at = snap.objects["cube"]
        onto = [name for name in self._targets() if is_onto(at, snap.objects[name])]
        if self.wanted in onto:
            return success("placed on the right target")
        return failure("wrong_target", f"placed on {onto[0]}, {self.wanted} was asked for") if onto else None

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        if snap.grasped is not None:
            return ways.place_subgoal(snap.objects[self.wanted])
        return ways.pick_subgoal(self.layout.thing("cube"), snap.objects["cube"])

    def _targets(self) -> list[str]:
        return [each.name for each in self.layout.things if each.kind == "target"]


class VideoPlaceButton(VideoPlace):
    name: ClassVar[str] = "video-place-button"

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> VideoPlaceButton:
        stage = _Stage.drawn(rng, TARGETS[difficulty], with_button=True)
        before, after = rng.sample(range(len(stage.targets)), 2)
        is_before = rng.random() < 0.5
        swaps = _swaps(rng, difficulty, len(stage.targets), (before, after))
        start, button = stage.cube, stage.button
        layout = stage.layout(
            "Watch the video, then place the cube on the target where it was right"
            f" {'before' if is_before else 'after'} the button was pressed.",
            (
                *_carried((start, stage.targets[before])),
                *ways.cues(ways.press(placing.button(button)), (ways.HOME,)),
                *_carried((stage.targets[before], stage.targets[after], start)),
            ),
            swaps,
        )
        wanted = f"target_{(before if is_before else after) + 1}"
        return cls(layout=layout, wanted=wanted, spots=stage.targets, swaps=swaps)


class VideoPlaceOrder(VideoPlace):
    name: ClassVar[str] = "video-place-order"

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> VideoPlaceOrder:
        stage = _Stage.drawn(rng, ORDERED_TARGETS, with_button=False)
        order = rng.sample(range(ORDERED_TARGETS), ORDERED_TARGETS)
        due = rng.randrange(ORDERED_TARGETS)
        swaps = _swaps(rng, difficulty, ORDERED_TARGETS, (order[due],))
        way = (stage.cube, *(stage.targets[i] for i in order), stage.cube)
        layout = stage.layout(
            f"Watch the video, then place the cube on the {ordinal(due + 1)} target that it was placed on.",
            _carried(way),
            swaps,
        )
        wanted = f"target_{order[due] + 1}"
        return cls(layout=layout, wanted=wanted, spots=stage.targets, swaps=swaps)


@dataclass(frozen=True, kw_only=True)
class _Stage:
    colour: str
    cube: Spot
    button: Spot
    targets: tuple[Spot, ...]
    has_button: bool

    @classmethod
    def drawn(cls, rng: Random, targets: int, with_button: bool) -> _Stage:
        sizes = (placing.BUTTON, placing.CUBE, *[placing.TARGET] * targets)
        button, cube, *rest = placing.scattered(rng, [placing.radius_m(size) for size in sizes])
        colour = rng.choice(COLOURS)
        return cls(colour=colour, cube=cube, button=button, targets=tuple(rest), has_button=with_button)

    def layout(self, instruction: str, shown: tuple[Cue, ...], swaps: tuple[Swap, ...]) -> Layout:
        ends = moving.slots_after(swaps, len(self.targets))
        moved = (Cue(steps=len(swaps) * SWAP_STEPS, happens=SWAP),) if swaps else ()
        return Layout(
            things=(
                *(placing.target(f"target_{i + 1}", self.targets[slot]) for i, slot in enumerate(ends)),
                *((placing.button(self.button),) if self.has_button else ()),
                placing.cube("cube", self.colour, self.cube),
            ),
            instruction=instruction,
            demonstration=(ways.at_first(), *shown, *ways.cues((ways.HOME,)), *moved, ways.tidy()),
        )


def _carried(spots: Sequence[Spot]) -> tuple[Cue, ...]:
    poses = [placing.standing(placing.CUBE, spot) for spot in spots]
    return tuple(cue for a, b in pairwise(poses) for cue in ways.cues(ways.pick(a), ways.place(b)))


def _swaps(rng: Random, difficulty: Difficulty, count: int, meant: Sequence[int]) -> tuple[Swap, ...]:
    """On hard episodes one, of a target that the instruction may mean."""
    if difficulty != "hard":
        return ()
    one = rng.choice(list(meant))
    other = rng.choice([slot for slot in range(count) if slot != one])
    return ((min(one, other), max(one, other)),)
