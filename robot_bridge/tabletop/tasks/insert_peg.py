"""InsertPeg: grasp the demonstrated peg by the demonstrated end, insert it from the demonstrated side.

Picking another peg or end fails. It is inserted once its middle is within 5 cm of the hole's along the hole,
in line with it and within the opening; from the side on which its middle then is. Left is where y is larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from random import Random
from typing import ClassVar, Literal

from robot_bridge.tabletop.tasks import placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.placing import Spot
from robot_bridge.tabletop.tasks.sensing import PICKED, happened
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
    Thing,
    Verdict,
    Waypoint,
)

Side = Literal["left", "right"]
INSERTED = "inserted"
WITHIN_M = 0.05
PEGS = 3
PEG = (0.12, 0.03, 0.03)
BOX = (0.10, 0.04, 0.10)
OPENING_M = 0.05
IN_LINE = 0.97
"""How far the peg's direction must be the hole's: the sine of its yaw, some 14 degrees off."""
COLOURS = ("red", "green", "blue", "yellow", "purple", "orange")
GRASP_M = 0.035
"""From the peg's middle, where an end is held."""
PEG_SPACING_M, PEG_X_M = 0.11, -0.07


@dataclass(frozen=True, kw_only=True)
class InsertPeg(Episode):
    name: ClassVar[str] = "insert-peg"
    peg: str
    end: str
    """The colour of it."""
    side: Side

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> InsertPeg:
        colours = rng.sample(COLOURS, 2 * PEGS)
        pegs = [
            _peg(f"peg_{i + 1}", (colours[2 * i], colours[2 * i + 1]), spot)
            for i, spot in enumerate(placing.in_row(rng, PEGS, PEG_SPACING_M, PEG_X_M))
        ]
        box_spot = round(rng.uniform(0.09, 0.11), 3), round(rng.uniform(-0.05, 0.05), 3)
        box = Thing("hole", "hole_box", "hole", placing.standing(BOX, box_spot), BOX, opening_m=OPENING_M)
        peg = rng.choice(pegs)
        end = rng.choice((peg.colour, peg.second_colour))
        side: Side = "left" if rng.random() < 0.5 else "right"
        take = _take(peg.pose, 1 if end == peg.colour else -1)
        insert = insert_peg(box.pose, 1 if end == peg.colour else -1, 1 if side == "left" else -1)
        layout = Layout(
            things=(*pegs, box),
            instruction=(
                "Watch the video, then insert the same peg into the hole: hold it by the same end, and"
                " insert it from the same side."
            ),
            demonstration=(ways.pause(), *ways.cues(take, insert, (ways.HOME,)), ways.tidy()),
        )
        return cls(layout=layout, peg=peg.name, end=end, side=side)

    def shown(self, cue: Cue, step: int) -> tuple[Change, ...]:
        if cue.happens != ways.TIDY:
            return ()
        return tuple(Change(each.name, each.pose) for each in self.layout.things if each.kind == "peg")

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        if progress.named(INSERTED):
            return progress
        pegs = (each.name for each in self.layout.things if each.kind == "peg")
        inside = next((name for name in pegs if self._is_inside(snap.objects[name])), None)
        return progress if inside is None else happened(progress, snap, INSERTED, inside)

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        for event in fresh:
            if event.what == PICKED:
                if event.name != self.peg:
                    return failure("wrong_peg", f"{event.name} was picked, not the one in the video")
                if self._held_end(snap) != self.end:
                    return failure(
                        "wrong_end", f"the {self._held_end(snap)} end was grasped, not the {self.end}"
                    )
            if event.what == INSERTED:
                return self._judged_insertion(event.name, snap)
        return None

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        end = 1 if self.end == self.layout.thing(self.peg).colour else -1
        if snap.grasped == self.peg:
            box = self.layout.thing("hole").pose
            way = insert_peg(box, end, 1 if self.side == "left" else -1)
            return Subgoal(f"insert the peg from the {self.side}", (box.x_m, box.y_m, box.z_m), way)
        at = snap.objects[self.peg]
        take = _take(at, end)
        return Subgoal(f"pick up the {self.end} end", (take[1].x_m, take[1].y_m, at.z_m), take)

    def _judged_insertion(self, peg: str, snap: Snapshot) -> Verdict:
        side = "left" if snap.objects[peg].y_m > self.layout.thing("hole").pose.y_m else "right"
        if peg != self.peg:
            return failure("wrong_peg", f"{peg} was inserted, not the one in the video")
        if side != self.side:
            return failure("wrong_side", f"inserted from the {side}, in the video from the {self.side}")
        return success(f"inserted from the {side}, held by the {self.end} end")

    def _is_inside(self, peg: Pose) -> bool:
        box = self.layout.thing("hole").pose
        room_m = (OPENING_M - PEG[1]) / 2 + 0.005
        return (
            abs(peg.y_m - box.y_m) <= WITHIN_M
            and abs(peg.x_m - box.x_m) <= room_m
            and abs(peg.z_m - box.z_m) <= room_m
            and abs(sin(peg.yaw_rad)) >= IN_LINE
        )

    def _held_end(self, snap: Snapshot) -> str:
        thing, at = self.layout.thing(self.peg), snap.objects[self.peg]
        along = (snap.tcp[0] - at.x_m) * cos(at.yaw_rad) + (snap.tcp[1] - at.y_m) * sin(at.yaw_rad)
        return thing.colour if along > 0 else thing.second_colour


def _peg(name: str, colours: tuple[str, str], spot: Spot) -> Thing:
    return Thing(name, "peg", colours[0], placing.standing(PEG, spot), PEG, second_colour=colours[1])


def _take(at: Pose, end: int) -> tuple[Waypoint, ...]:
    """`end`: +1 for the one towards the peg's own x."""
    x_m = at.x_m + end * GRASP_M * cos(at.yaw_rad)
    y_m = at.y_m + end * GRASP_M * sin(at.yaw_rad)
    return (
        Waypoint(x_m, y_m, ways.OVER_M, yaw_rad=at.yaw_rad, gripper="open"),
        Waypoint(x_m, y_m, at.z_m, yaw_rad=at.yaw_rad, gripper="close"),
        Waypoint(x_m, y_m, 0.20, yaw_rad=at.yaw_rad),
    )


def insert_peg(box: Pose, end: int, side: int) -> tuple[Waypoint, ...]:
    """`side`: +1 for the left. The free end points to the hole: so the hand turns a quarter."""
    yaw_rad = end * side * pi / 2
    far_m = box.y_m + side * (GRASP_M + PEG[0] / 2 + BOX[1] / 2 + 0.03)
    near_m = box.y_m + side * (GRASP_M + 0.02)
    return (
        Waypoint(box.x_m, far_m, 0.20, yaw_rad=yaw_rad),
        Waypoint(box.x_m, far_m, box.z_m, yaw_rad=yaw_rad),
        Waypoint(box.x_m, near_m, box.z_m, yaw_rad=yaw_rad),
        Waypoint(box.x_m, near_m, box.z_m, yaw_rad=yaw_rad, gripper="open"),
        Waypoint(box.x_m, far_m, box.z_m, yaw_rad=yaw_rad),
        Waypoint(box.x_m, far_m, 0.20, yaw_rad=yaw_rad),
    )
