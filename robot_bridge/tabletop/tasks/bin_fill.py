"""BinFill: so many cubes of named colours into the bin, then the button.

A cube vanishes once it is dropped in. One too many, or of a colour that was not named, fails at once, since
it cannot be undone; so does a press before all are in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

from robot_bridge.tabletop.tasks import placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.sensing import PRESSED, happened
from robot_bridge.tabletop.tasks.words import listed, number
from robot_bridge.tabletop.values import (
    Change,
    Difficulty,
    Event,
    Layout,
    Pose,
    Progress,
    Snapshot,
    Subgoal,
    Thing,
    Verdict,
    Waypoint,
)

BINNED = "binned"
COUNTS: Mapping[Difficulty, tuple[int, int]] = {"easy": (1, 3), "medium": (2, 4), "hard": (3, 5)}
COLOURS = ("red", "green", "blue")
SPARE = 2
"""Cubes beyond those asked for, one of a colour that is: so that one too many can be put in."""
INNER_M = 0.07
"""From the bin's middle to its walls."""
DROP_Z_M = 0.11


@dataclass(frozen=True, kw_only=True)
class BinFill(Episode):
    name: ClassVar[str] = "bin-fill"
    wanted: Mapping[str, int]
    """How many of each colour that is named."""

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> BinFill:
        total = rng.randint(*COUNTS[difficulty])
        named = rng.sample(COLOURS, rng.randint(1, min(2, total)))
        wanted = Counter(named) + Counter(rng.choice(named) for _ in range(total - len(named)))
        wanted = Counter({colour: wanted[colour] for colour in COLOURS if wanted[colour]})
        colours = [*wanted.elements(), rng.choice(named)]
        colours += [rng.choice(COLOURS) for _ in range(SPARE - 1)]
        return cls(wanted=dict(wanted), layout=_layout(rng, colours, _instruction(wanted)))

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        inside = progress.named(BINNED)
        for thing in self.layout.things:
            if thing.kind == "cube" and thing.name not in inside and self._is_in(thing, snap):
                progress = happened(progress, snap, BINNED, thing.name)
                if progress.up == thing.name:
                    progress = replace(progress, up=None)
        return progress

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        inside = self._inside(progress)
        for colour, count in inside.items():
            if count > self.wanted.get(colour, 0):
                return failure(
                    "too_many", f"{count} {colour} in the bin, {self.wanted.get(colour, 0)} asked for"
                )
        if not any(each.what == PRESSED for each in fresh):
            return None
        if inside != self.wanted:
            return failure("early_press", "the button was pressed before all cubes were in the bin")
        return success("all cubes are in the bin and the button was pressed")

    def happenings(self, progress: Progress, step: int) -> tuple[Change, ...]:
        return tuple(Change(name, gone=True) for name in progress.named(BINNED))

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        if snap.grasped is not None:
            at = self.layout.thing("bin").pose
            return Subgoal("put it into the bin", (at.x_m, at.y_m, at.z_m), drop_into(at))
        due = self._due(progress)
        if due is None:
            return ways.press_subgoal(self.layout.thing("button"))
        return ways.pick_subgoal(due, snap.objects[due.name])

    def _due(self, progress: Progress) -> Thing | None:
        inside, gone = self._inside(progress), progress.named(BINNED)
        return next(
            (
                each
                for each in self.layout.things
                if each.kind == "cube"
                and each.name not in gone
                and inside.get(each.colour, 0) < self.wanted.get(each.colour, 0)
            ),
            None,
        )

    def _inside(self, progress: Progress) -> dict[str, int]:
        return dict(Counter(self.layout.thing(name).colour for name in progress.named(BINNED)))

    def _is_in(self, thing: Thing, snap: Snapshot) -> bool:
        if snap.grasped == thing.name or thing.name not in snap.objects:
            return False
        at, bin_ = snap.objects[thing.name], self.layout.thing("bin")
        return (
            abs(at.x_m - bin_.pose.x_m) <= INNER_M
            and abs(at.y_m - bin_.pose.y_m) <= INNER_M
            and at.z_m <= bin_.size[2]
        )


def drop_into(at: Pose) -> tuple[Waypoint, ...]:
    return (
        Waypoint(at.x_m, at.y_m, ways.CARRY_M),
        Waypoint(at.x_m, at.y_m, DROP_Z_M, gripper="open", wait_steps=10),
        Waypoint(at.x_m, at.y_m, ways.CARRY_M),
    )


def _layout(rng: Random, colours: Sequence[str], instruction: str) -> Layout:
    radii = [placing.radius_m(size) for size in (placing.BIN, placing.BUTTON, *[placing.CUBE] * len(colours))]
    bin_spot, button_spot, *spots = placing.scattered(rng, radii)
    cubes = [
        placing.cube(f"cube_{i + 1}", colour, spot)
        for i, (colour, spot) in enumerate(zip(colours, spots, strict=True))
    ]
    bin_ = Thing("bin", "bin", "bin", placing.standing(placing.BIN, bin_spot), placing.BIN)
    return Layout(things=(bin_, placing.button(button_spot), *cubes), instruction=instruction)


def _instruction(wanted: Mapping[str, int]) -> str:
    parts = [f"{number(count)} {colour} cube{'s' if count > 1 else ''}" for colour, count in wanted.items()]
    return f"Put {listed(parts)} into the bin, then press the button."
