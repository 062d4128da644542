"""The suite of permanence: which container hides the named colour, after all are covered, and perhaps moved.

Four tasks of one kind. Video… shows the cubes in the demonstration; Button… shows them over 64 steps after
the first press. …Swap then has containers change places, in the demonstration, or once both buttons are
pressed. Lifting a container that hides something else than what is due fails; before the presses none counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Self

from robot_bridge.tabletop.tasks import moving, placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.moving import REVEAL_STEPS, SWAP_STEPS, Swap
from robot_bridge.tabletop.tasks.placing import Spot
from robot_bridge.tabletop.tasks.sensing import LIFTED, PRESSED, happened
from robot_bridge.tabletop.values import (
    Change,
    Cue,
    Difficulty,
    Event,
    Layout,
    Pose,
    Progress,
    Snapshot,
    Subgoal,
    Verdict,
)

REVEALED, SWAPPED, FOUND = "revealed", "swapped", "found"
REVEAL, SWAP = "reveal", "swap"
COLOURS = ("red", "green", "blue")
Range = tuple[int, int]
SWAP_AFTER_STEPS = 10
"""From the second press, or from the end of the reveal if that is later, until the first swap begins."""

ROW_X_M, ROW_SPACING_M = 0.03, 0.125
MOST_SCATTERED = 5
GRID, GRID_X_M, GRID_SPACING_M, JITTER_M = (3, 5), 0.01, (0.13, 0.12), 0.004
APART_M = 0.048
"""Half of how far apart containers stand at least, so that none hides another from the front camera."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How many containers, how many colours are named, how many swaps: each by difficulty."""

    containers: Mapping[Difficulty, int]
    picks: Mapping[Difficulty, Range]
    swaps: Mapping[Difficulty, Range] | None = None


PLAIN = Rules(
    containers={"easy": 3, "medium": 5, "hard": 15}, picks={"easy": (1, 1), "medium": (1, 1), "hard": (2, 2)}
)
SWAPS = Rules(
    containers={"easy": 3, "medium": 4, "hard": 4},
    picks={"easy": (1, 2), "medium": (1, 1), "hard": (2, 2)},
    swaps={"easy": (1, 2), "medium": (1, 2), "hard": (2, 3)},
)


@dataclass(frozen=True, kw_only=True)
class Unmask(Episode):
    rules: ClassVar[Rules]
    buttons: ClassVar[tuple[str, ...]]
    colours: tuple[str, ...]
    """To be found, in this order."""
    hides: Mapping[str, str]
    """From a container's name to the cube beneath it, where there is one."""
    spots: tuple[Spot, ...]
    swaps: tuple[Swap, ...]

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> Self:
        rules = cls.rules
        count = rules.containers[difficulty]
        colours = rng.sample(COLOURS, rng.randint(*rules.picks[difficulty]))
        spots = _container_spots(rng, count, rules.swaps is not None)
        swaps = moving.drawn_swaps(rng, rng.randint(*rules.swaps[difficulty]), count) if rules.swaps else ()
        hiding = rng.sample(range(count), len(COLOURS))
        slots = range(count) if cls.buttons else moving.slots_after(swaps, count)
        containers = [placing.container(f"container_{i + 1}", spots[slot]) for i, slot in enumerate(slots)]
        cubes = [placing.cube(f"{c}_cube", c, spots[slots[i]]) for c, i in zip(COLOURS, hiding, strict=True)]
        buttons = zip(cls.buttons, placing.beside(rng, len(cls.buttons)), strict=True)
        layout = Layout(
            things=(*containers, *cubes, *(placing.button(spot, name) for name, spot in buttons)),
            instruction=_instruction(cls.buttons, colours),
            demonstration=_demonstration(cls.buttons, swaps),
        )
        hides = {containers[i].name: f"{c}_cube" for c, i in zip(COLOURS, hiding, strict=True)}
        return cls(layout=layout, colours=tuple(colours), hides=hides, spots=tuple(spots), swaps=swaps)

    @property
    def containers(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.layout.things if each.kind == "container")

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        revealed = self._revealed_at(progress)
        if revealed == snap.step:
            progress = happened(progress, snap, REVEALED, "containers")
        since = self._swapping_for(progress, snap.step)
        if since is not None and 0 <= since < len(self.swaps) * SWAP_STEPS and since % SWAP_STEPS == 0:
            a, b = self.swaps[since // SWAP_STEPS]
            progress = happened(progress, snap, SWAPPED, f"slots {a} and {b}")
        last = progress.events[-1] if progress.events else None
        if last is not None and last.step == snap.step and last.what == LIFTED and self._may_lift(progress):
            cube = self.hides.get(last.name)
            if cube is not None and cube == self._due(progress):
                progress = happened(progress, snap, FOUND, cube)
        return progress

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        found = progress.named(FOUND)
        if len(found) == len(self.colours):
            return success(f"lifted what hides {' and '.join(self.colours)}")
        found_now = [each.name for each in fresh if each.what == FOUND]
        for event in fresh:
            if event.what == LIFTED and self.hides.get(event.name) not in (self._due(progress), *found_now):
                return failure(
                    "wrong_container", f"{event.name} hides something else than what was asked for"
                )
        return None

    def happenings(self, progress: Progress, step: int) -> tuple[Change, ...]:
        swapping = self._swapping_for(progress, step)
        if swapping is not None and 0 <= swapping <= len(self.swaps) * SWAP_STEPS:
            return moving.swapped(self.spots, self.swaps, swapping, self._riders())
        revealed = self._revealed_at(progress)
        if revealed is not None and step - revealed <= REVEAL_STEPS:
            return moving.reveal(self._first_places(), step - revealed)
        return ()

    def shown(self, cue: Cue, step: int) -> tuple[Change, ...]:
        since = {ways.SET: 0, SWAP: step, ways.TIDY: len(self.swaps) * SWAP_STEPS}
        if cue.happens == REVEAL:
            return moving.reveal(self._first_places(), step)
        if cue.happens in since:
            return moving.swapped(self.spots, self.swaps, since[cue.happens], self._riders())
        return ()

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        pressed = progress.named(PRESSED)
        for button in self.buttons:
            if button not in pressed:
                return ways.press_subgoal(self.layout.thing(button))
        wait = self._still_moving_for(progress, snap.step)
        if wait > 0:
            return ways.wait_subgoal(self.layout.thing(self.buttons[-1]).pose, wait)
        hiding = next(name for name, cube in self.hides.items() if cube == self._due(progress))
        if snap.grasped == hiding and progress.up != hiding:
            return ways.raise_subgoal("pick up the container", snap.objects[hiding], ways.LIFT_M)
        if snap.grasped is not None:
            return ways.put_container_subgoal(snap.objects[snap.grasped])
        return ways.lift_subgoal(snap.objects[hiding])

    def _due(self, progress: Progress) -> str | None:
        found = len(progress.named(FOUND))
        return f"{self.colours[found]}_cube" if found < len(self.colours) else None

    def _may_lift(self, progress: Progress) -> bool:
        return set(self.buttons) <= set(progress.named(PRESSED))

    def _revealed_at(self, progress: Progress) -> int | None:
        """From which step on the containers rise: the first press of any button."""
        return progress.first_step(PRESSED)

    def _last_pressed_at(self, progress: Progress) -> int | None:
        """When each button has been pressed at least once."""
        steps = [progress.first_step(PRESSED, each) for each in self.buttons]
        return None if None in steps or not steps else max(step for step in steps if step is not None)

    def _swapping_for(self, progress: Progress, step: int) -> int | None:
        """For how many steps swaps have been going on; negative before they begin, None if there are none."""
        revealed, second = self._revealed_at(progress), self._last_pressed_at(progress)
        if revealed is None or second is None or not self.swaps:
            return None
        return step - (max(second, revealed + REVEAL_STEPS) + SWAP_AFTER_STEPS)

    def _still_moving_for(self, progress: Progress, step: int) -> int:
        swapping = self._swapping_for(progress, step)
        if swapping is not None:
            return len(self.swaps) * SWAP_STEPS + 1 - swapping
        revealed = self._revealed_at(progress)
        return 0 if revealed is None else revealed + REVEAL_STEPS + 1 - step

    def _first_places(self) -> dict[str, Pose]:
        spots = zip(self.containers, self.spots, strict=True)
        return {name: placing.standing(placing.CONTAINER, spot) for name, spot in spots}

    def _riders(self) -> dict[str, tuple[int, float]]:
        riders = {}
        for slot, name in enumerate(self.containers):
            riders[name] = slot, placing.CONTAINER[2] / 2
            if name in self.hides:
                riders[self.hides[name]] = slot, placing.CUBE_M / 2
        return riders


class VideoUnmask(Unmask):
    name, rules, buttons = "video-unmask", PLAIN, ()


class ButtonUnmask(Unmask):
    name, rules, buttons = "button-unmask", PLAIN, ("button",)


class VideoUnmaskSwap(Unmask):
    name, rules, buttons = "video-unmask-swap", SWAPS, ()


class ButtonUnmaskSwap(Unmask):
    name, rules, buttons = "button-unmask-swap", SWAPS, ("left_button", "right_button")


def _container_spots(rng: Random, count: int, swaps: bool) -> list[Spot]:
    if swaps:
        return placing.in_row(rng, count, ROW_SPACING_M, ROW_X_M)
    if count <= MOST_SCATTERED:
        return placing.scattered(rng, [APART_M] * count, placing.BESIDE)
    rows, columns = GRID
    spots = [
        (
            round(GRID_X_M + (i - (rows - 1) / 2) * GRID_SPACING_M[0] + rng.uniform(-JITTER_M, JITTER_M), 3),
            round((j - (columns - 1) / 2) * GRID_SPACING_M[1] + rng.uniform(-JITTER_M, JITTER_M), 3),
        )
        for i in range(rows)
        for j in range(columns)
    ]
    return rng.sample(spots, count)


def _instruction(buttons: Sequence[str], colours: Sequence[str]) -> str:
    begin = {
        0: "Watch the video, then pick up",
        1: "Press the button, then pick up",
        2: "Press both buttons, then pick up",
    }[len(buttons)]
    if len(colours) == 1:
        return f"{begin} the container that hides the {colours[0]} cube."
    first, second = colours
    return f"{begin} the container that hides the {first} cube, then the one that hides the {second} cube."


def _demonstration(buttons: Sequence[str], swaps: Sequence[Swap]) -> tuple[Cue, ...]:
    if buttons:
        return ()
    moved = (Cue(steps=len(swaps) * SWAP_STEPS, happens=SWAP),) if swaps else ()
    return (ways.at_first(), Cue(steps=REVEAL_STEPS, happens=REVEAL), ways.pause(), *moved, ways.tidy())
