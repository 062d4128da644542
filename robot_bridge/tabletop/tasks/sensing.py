"""What counts as picked, dropped, lifted, put down and pressed: the thresholds that all tasks share.

From RoboMME's rules. Heights are those of an object's middle over the table top; a cube at rest is at 0.02.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot

from robot_bridge.tabletop.values import Event, Layout, Pose, Progress, Snapshot, Thing

PICKED_ABOVE_M = 0.05
DROPPED_UP_TO_M = 0.035
LIFTED_ABOVE_M = 0.15
PUT_DOWN_UP_TO_M = 0.07
PRESSED_BEYOND_M = 0.005
ONTO_WITHIN_M = 0.05
PUSHED_WITHIN_M = 0.048

PICKED, DROPPED, LIFTED, PUT_DOWN, PRESSED = "picked", "dropped", "lifted", "put_down", "pressed"


def sense(progress: Progress, snap: Snapshot, layout: Layout) -> Progress:
    """With what happened in this step: buttons first, then what was let go of, then what was picked."""
    return _taken(_let_go(_pushed(progress, snap), snap, layout), snap, layout)


def happened(progress: Progress, snap: Snapshot, what: str, name: str) -> Progress:
    return replace(progress, events=(*progress.events, Event(snap.step, what, name)))


def apart_m(a: Pose | tuple[float, float, float], b: Pose | tuple[float, float, float]) -> float:
    """Horizontally."""
    return hypot(a[0] - b[0], a[1] - b[1])


def is_onto(pose: Pose, target: Pose) -> bool:
    return apart_m(pose, target) <= ONTO_WITHIN_M


def _pushed(progress: Progress, snap: Snapshot) -> Progress:
    down = tuple(name for name, depth_m in snap.buttons.items() if depth_m > PRESSED_BEYOND_M)
    for name in down:
        if name not in progress.down:
            progress = happened(progress, snap, PRESSED, name)
    return progress if down == progress.down else replace(progress, down=down)


def _let_go(progress: Progress, snap: Snapshot, layout: Layout) -> Progress:
    up = progress.up
    if up is None or snap.grasped == up or up not in snap.objects:
        return progress
    is_container = layout.thing(up).kind == "container"
    limit_m = PUT_DOWN_UP_TO_M if is_container else DROPPED_UP_TO_M
    if snap.objects[up].z_m > limit_m:
        return progress
    return replace(happened(progress, snap, PUT_DOWN if is_container else DROPPED, up), up=None)


def _taken(progress: Progress, snap: Snapshot, layout: Layout) -> Progress:
    held = snap.grasped
    if held is None or held == progress.up or held not in snap.objects:
        return progress
    if not _is_up(layout.thing(held), snap.objects[held]):
        return progress
    what = LIFTED if layout.thing(held).kind == "container" else PICKED
    return replace(happened(progress, snap, what, held), up=held)


def _is_up(thing: Thing, pose: Pose) -> bool:
    return pose.z_m > (LIFTED_ABOVE_M if thing.kind == "container" else PICKED_ABOVE_M)
