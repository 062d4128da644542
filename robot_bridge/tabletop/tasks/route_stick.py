"""RouteStick: follow the demonstrated route along a row of nodes, round the sticks between them.

A node is visited where the tcp is within 3 cm of it and below 15 cm; each leg leads to a neighbouring node,
past the stick between on the demonstrated side, left or right as one goes. Another node fails, and so does
another side; passing above 15 cm is no passing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import ClassVar, Literal

from robot_bridge.tabletop.tasks import placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.sensing import apart_m, happened
from robot_bridge.tabletop.values import (
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

Side = Literal["left", "right"]
VISITED, PASSED = "visited", "passed"
WITHIN_M = 0.03
BELOW_M = 0.15
LEGS: Mapping[Difficulty, tuple[int, int]] = {"easy": (2, 3), "medium": (4, 5), "hard": (4, 7)}
NODES: Mapping[Difficulty, int] = {"easy": 4, "medium": 6, "hard": 5}
SPACING_M = 0.11
NODE = (0.03, 0.03, 0.002)
STICK = (0.03, 0.03, 0.12)
ROW_X_M = 0.03
ASIDE_M = 0.09
"""How far from a stick's middle the ideal route passes."""
ROUTE_Z_M = 0.10


@dataclass(frozen=True, kw_only=True)
class RouteStick(Episode):
    name: ClassVar[str] = "route-stick"
    route: tuple[int, ...]
    """The nodes' numbers in the row, the first being where it begins."""
    sides: tuple[Side, ...]

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> RouteStick:
        count, legs = NODES[difficulty], rng.randint(*LEGS[difficulty])
        spots = placing.in_row(rng, count, SPACING_M, ROW_X_M)
        nodes = [
            Thing(f"node_{i + 1}", "node", "node", placing.standing(NODE, spot), NODE)
            for i, spot in enumerate(spots)
        ]
        sticks = [
            Thing(
                f"stick_{i + 1}", "stick", "stick", placing.standing(STICK, (a[0], (a[1] + b[1]) / 2)), STICK
            )
            for i, (a, b) in enumerate(pairwise(spots))
        ]
        route = _back_and_forth(rng, count, legs) if difficulty == "hard" else _one_way(rng, count, legs)
        sides: tuple[Side, ...] = tuple("left" if rng.random() < 0.5 else "right" for _ in range(legs))
        things = (*nodes, *sticks)
        shown = (
            *_begin(nodes[route[0]]),
            *(
                waypoint
                for (a, b), side in zip(pairwise(route), sides, strict=True)
                for waypoint in pass_stick(nodes[a], nodes[b], side)
            ),
        )
        last = nodes[route[-1]].pose
        layout = Layout(
            things=things,
            instruction="Watch the video, then follow the same route round the sticks, from node to node.",
            demonstration=(
                ways.pause(),
                *ways.cues(shown, (Waypoint(last.x_m, last.y_m, 0.22), ways.HOME)),
                ways.pause(),
            ),
        )
        return cls(layout=layout, route=route, sides=sides)

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        if snap.tcp[2] >= BELOW_M:
            return progress
        progress = self._past_sticks(progress, snap)
        nodes = (each for each in self.layout.things if each.kind == "node")
        on = next((each.name for each in nodes if apart_m(snap.tcp, each.pose) <= WITHIN_M), None)
        if on is None or progress.named(VISITED)[-1:] == (on,):
            return progress
        return happened(progress, snap, VISITED, on)

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        if not any(each.what == VISITED for each in fresh):
            return None
        visited = progress.named(VISITED)
        wanted = tuple(f"node_{i + 1}" for i in self.route)
        if visited != wanted[: len(visited)]:
            return failure("wrong_node", f"{visited[-1]} was visited, which was not the next of the route")
        leg = len(visited) - 2
        if leg >= 0 and self._side_of(leg, progress) != self.sides[leg]:
            return failure(
                "wrong_side", f"leg {leg + 1} did not lead past its stick on the {self.sides[leg]}"
            )
        return success(f"followed all {len(self.sides)} legs") if len(visited) == len(wanted) else None

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        if progress.verdict is not None:
            return None
        done = len(progress.named(VISITED))
        node = self._node(self.route[done])
        if done == 0:
            return Subgoal("move to the node", node.pose[:3], _begin(node))
        before, side = self._node(self.route[done - 1]), self.sides[done - 1]
        stick = self.layout.thing(f"stick_{min(self.route[done - 1], self.route[done]) + 1}").pose
        return Subgoal(f"go round the stick on the {side}", stick[:3], pass_stick(before, node, side))

    def _past_sticks(self, progress: Progress, snap: Snapshot) -> Progress:
        """A stick is passed where the tcp crosses the line through it across the row."""
        if progress.tcp is None:
            return progress
        for stick in self.layout.things:
            if stick.kind != "stick":
                continue
            before, now = progress.tcp[1] - stick.pose.y_m, snap.tcp[1] - stick.pose.y_m
            if (before < 0) != (now < 0):
                towards = 1 if now >= before else -1
                is_left = (stick.pose.x_m - snap.tcp[0]) * towards > 0
                name = f"{stick.name} on the {'left' if is_left else 'right'}"
                progress = happened(progress, snap, PASSED, name)
        return progress

    def _side_of(self, leg: int, progress: Progress) -> str:
        """On which side the leg just ended passed its stick, by the last time; empty if not."""
        stick = f"stick_{min(self.route[leg], self.route[leg + 1]) + 1}"
        begun = [each.step for each in progress.events if each.what == VISITED][-2]
        sides = [
            each.name.rpartition(" ")[2]
            for each in progress.events
            if each.what == PASSED and each.step > begun and each.name.startswith(f"{stick} ")
        ]
        return sides[-1] if sides else ""

    def _node(self, number: int) -> Thing:
        return self.layout.thing(f"node_{number + 1}")


def _one_way(rng: Random, count: int, legs: int) -> tuple[int, ...]:
    begin = rng.randrange(count - legs)
    way = tuple(range(begin, begin + legs + 1))
    return way if rng.random() < 0.5 else tuple(reversed(way))


def _back_and_forth(rng: Random, count: int, legs: int) -> tuple[int, ...]:
    """At least once back over the node before."""
    while True:
        way = [rng.randrange(count)]
        while len(way) <= legs:
            way.append(rng.choice([i for i in (way[-1] - 1, way[-1] + 1) if 0 <= i < count]))
        if any(a == c for a, c in zip(way, way[2:], strict=False)):
            return tuple(way)


def _begin(node: Thing) -> tuple[Waypoint, ...]:
    at = node.pose
    return Waypoint(at.x_m, at.y_m, 0.22, gripper="close"), Waypoint(at.x_m, at.y_m, ROUTE_Z_M)


def pass_stick(a: Thing, b: Thing, side: Side) -> tuple[Waypoint, ...]:
    """Past the stick half way: left of the way along +y is the side of smaller x."""
    towards = 1 if b.pose.y_m > a.pose.y_m else -1
    aside = -towards if side == "left" else towards
    x_m, y_m = a.pose.x_m + aside * ASIDE_M, (a.pose.y_m + b.pose.y_m) / 2
    return Waypoint(x_m, y_m, ROUTE_Z_M), Waypoint(b.pose.x_m, b.pose.y_m, ROUTE_Z_M)
