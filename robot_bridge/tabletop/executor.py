"""A scripted stand-in for a learned executor: a phrase and a pointed-at place become waypoints, with faults.

It knows where things are and what the task holds right for what is pointed at; it does not know the task's
count, order or goal. What it was doing it goes on with where the same phrase comes again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, hypot, pi, remainder, sin
from random import Random
from typing import NamedTuple

from robot_bridge.tabletop.catalogue import PHRASES
from robot_bridge.tabletop.tasks import ways
from robot_bridge.tabletop.tasks.insert_peg import insert_peg
from robot_bridge.tabletop.tasks.move_cube import draw_cube, push_cube
from robot_bridge.tabletop.tasks.route_stick import ROUTE_Z_M, pass_stick
from robot_bridge.tabletop.values import Kind, Layout, Pose, Snapshot, Subgoal, Thing, Waypoint

Point = tuple[float, float, float]

MEANT_WITHIN_M = 0.06
"""From where is pointed to the thing that is meant, horizontally."""
MOVING_M, EMPTY_MOVING_M = 0.08, 0.05
"""How high it stops when it was told to move somewhere, with something in its fingers and without."""
ABOVE_BIN_M = 0.10
MISSED_BY_M = 0.05
LATE_STEPS = (8, 24)


class Faults(NamedTuple):
    """How often, of all times that it begins something, from 0 to 1."""

    empty_grasp: float = 0.05
    stall: float = 0.04
    late_press: float = 0.25


NO_FAULTS = Faults(0.0, 0.0, 0.0)


MEANT: Mapping[str, tuple[Kind, ...]] = {
    "pick": ("cube", "container", "peg", "hook"),
    "place": ("target", "node"),
    "bin": ("bin",),
    "drop": (),
    "press": ("button",),
    "move": ("target", "node"),
    "push": ("cube",),
    "hook": ("cube",),
    "insert": ("hole_box",),
    "circle": ("stick",),
}
"""What each kind of phrase may be about."""


class Order(NamedTuple):
    """`meant`: the thing that the phrase may mean nearest to where was pointed; empty where none is near."""

    phrase: str
    at_m: Point
    meant: str = ""


def order_of(phrase: str, at_m: Point, layout: Layout, snap: Snapshot) -> Order:
    order = Order(phrase, at_m)
    thing = _meant(order, layout, snap, MEANT[kind_of(phrase)])
    return order if thing is None else order._replace(meant=thing.name)


def kind_of(phrase: str) -> str:
    """Of a phrase in the vocabulary."""
    return next(name for name, pattern in PHRASES.items() if pattern.fullmatch(phrase))


def waypoints_for(
    order: Order, layout: Layout, snap: Snapshot, ideal: Subgoal | None, chance: Random, faults: Faults
) -> tuple[Waypoint, ...]:
    """What it does by itself; `chance` decides what goes wrong with it."""
    kind = kind_of(order.phrase)
    is_late, is_stalled, is_empty = (
        chance.random() < rate for rate in (faults.late_press, faults.stall, faults.empty_grasp)
    )
    late_steps, kept = chance.randint(*LATE_STEPS), chance.random()
    way = _way(kind, order, layout, snap, ideal)
    if kind == "press" and is_late:
        way = (way[0]._replace(wait_steps=late_steps), *way[1:])
    if kind == "pick" and is_empty:
        way = tuple(_missing(each) for each in way)
    return way[: int(kept * len(way))] if is_stalled else way


def _way(
    kind: str, order: Order, layout: Layout, snap: Snapshot, ideal: Subgoal | None
) -> tuple[Waypoint, ...]:
    """As the task has it, where that is what was said and pointed at; a press is never timed for it."""
    if kind != "press" and ideal is not None and ideal.phrase == order.phrase and _is_near(ideal.at_m, order):
        return ideal.waypoints
    return _SCRIPTS[kind](order, layout, snap)


def _missing(waypoint: Waypoint) -> Waypoint:
    return waypoint._replace(z_m=waypoint.z_m + MISSED_BY_M) if waypoint.gripper == "close" else waypoint


def _pick(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    thing = _meant(order, layout, snap, MEANT["pick"])
    if thing is None:
        return _hover(order, layout, snap)
    at = snap.objects[thing.name]
    if thing.kind == "container":
        return ways.lift_container(at)
    if thing.kind == "cube":
        return _turned(ways.pick(at), remainder(at.yaw_rad, pi / 2))
    place = Pose(order.at_m[0], order.at_m[1], at.z_m)
    return _turned(ways.pick(place), remainder(at.yaw_rad, pi))


def _place(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    target = _meant(order, layout, snap, MEANT["place"])
    return ways.place(Pose(*order.at_m) if target is None else snap.objects[target.name])


def _bin(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    found = _meant(order, layout, snap, ("bin",), within_m=1.0)
    if found is None:
        return _hover(order, layout, snap)
    way = ways.place(snap.objects[found.name], ABOVE_BIN_M)
    return (way[0], way[1]._replace(wait_steps=10), way[2])


def _put_down(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    x_m, y_m, _ = snap.tcp
    here = Pose(x_m, y_m, 0.0)
    if snap.grasped is not None and layout.thing(snap.grasped).kind == "container":
        return ways.put_container(here)
    return ways.place(here)


def _press(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    button = _meant(order, layout, snap, ("button",))
    return _hover(order, layout, snap) if button is None else ways.press(button)


def _move(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    """Up, over, and down."""
    x_m, y_m, _ = order.at_m
    end_m = EMPTY_MOVING_M if snap.grasped is None else MOVING_M
    if any(thing.kind == "stick" for thing in layout.things):
        end_m = ROUTE_Z_M  # else the hand would be between them
    return (
        Waypoint(snap.tcp[0], snap.tcp[1], max(snap.tcp[2], ways.CARRY_M)),
        Waypoint(x_m, y_m, ways.CARRY_M),
        Waypoint(x_m, y_m, end_m),
    )


def _push(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    return _bring(order, layout, snap, push_cube)


def _hook(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    if _held_kind(layout, snap) != "hook":
        return _hover(order, layout, snap)
    return _bring(order, layout, snap, draw_cube)


def _bring(
    order: Order, layout: Layout, snap: Snapshot, way: Callable[[Pose, Pose], tuple[Waypoint, ...]]
) -> tuple[Waypoint, ...]:
    """The cube that is meant, to the target there is."""
    cube = _meant(order, layout, snap, ("cube",))
    target = _meant(order, layout, snap, ("target",), within_m=1.0)
    if cube is None or target is None:
        return _hover(order, layout, snap)
    return way(snap.objects[cube.name], snap.objects[target.name])


def _insert(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    """By the end that it holds, from the side that was said."""
    box = _meant(order, layout, snap, ("hole_box",), within_m=1.0)
    if box is None or snap.grasped is None or _held_kind(layout, snap) != "peg":
        return _hover(order, layout, snap)
    peg = snap.objects[snap.grasped]
    ahead_m = (snap.tcp[0] - peg.x_m) * cos(peg.yaw_rad) + (snap.tcp[1] - peg.y_m) * sin(peg.yaw_rad)
    return insert_peg(box.pose, 1 if ahead_m > 0 else -1, 1 if order.phrase.endswith("left") else -1)


def _circle(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    """From the node where it is to the one behind the stick."""
    stick = _meant(order, layout, snap, ("stick",))
    nodes = [thing for thing in layout.things if thing.kind == "node"]
    if stick is None or not nodes:
        return _hover(order, layout, snap)
    begin = min(nodes, key=lambda node: hypot(node.pose.x_m - snap.tcp[0], node.pose.y_m - snap.tcp[1]))
    behind_m = 2 * stick.pose.y_m - begin.pose.y_m
    end = min(nodes, key=lambda node: hypot(node.pose.x_m - begin.pose.x_m, node.pose.y_m - behind_m))
    return pass_stick(begin, end, "left" if order.phrase.endswith("left") else "right")


def _held_kind(layout: Layout, snap: Snapshot) -> Kind | None:
    return None if snap.grasped is None else layout.thing(snap.grasped).kind


def _hover(order: Order, layout: Layout, snap: Snapshot) -> tuple[Waypoint, ...]:
    """It sees nothing there that it could do that to."""
    return (Waypoint(order.at_m[0], order.at_m[1], ways.CARRY_M),)


_SCRIPTS: Mapping[str, Callable[[Order, Layout, Snapshot], tuple[Waypoint, ...]]] = {
    "pick": _pick,
    "place": _place,
    "bin": _bin,
    "drop": _put_down,
    "press": _press,
    "move": _move,
    "push": _push,
    "hook": _hook,
    "insert": _insert,
    "circle": _circle,
}


def _meant(
    order: Order, layout: Layout, snap: Snapshot, kinds: tuple[Kind, ...], within_m: float = MEANT_WITHIN_M
) -> Thing | None:
    """The nearest thing of these kinds to where is pointed, of the colour that was named if any is so."""
    near = [
        thing
        for thing in layout.things
        if thing.kind in kinds and _apart_m(snap.objects[thing.name], order) <= within_m
    ]
    said = set(order.phrase.split())
    named = [thing for thing in near if {thing.colour, thing.second_colour, thing.kind} & said] or near
    return min(named, key=lambda thing: _apart_m(snap.objects[thing.name], order), default=None)


def _turned(way: tuple[Waypoint, ...], yaw_rad: float) -> tuple[Waypoint, ...]:
    return tuple(each._replace(yaw_rad=yaw_rad) for each in way)


def _apart_m(pose: Pose, order: Order) -> float:
    return hypot(pose.x_m - order.at_m[0], pose.y_m - order.at_m[1])


def is_same(one: Order, other: Order) -> bool:
    """Whether they say the same of the same thing, which may have moved, or of the same place."""
    if one.phrase != other.phrase:
        return False
    return one.meant == other.meant if one.meant and other.meant else _is_near(one.at_m, other)


def _is_near(at_m: Point, order: Order) -> bool:
    return hypot(at_m[0] - order.at_m[0], at_m[1] - order.at_m[1]) <= MEANT_WITHIN_M
