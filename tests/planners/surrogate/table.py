"""A tabletop without physics, for the surrogate's tests: an arm that goes straight where it is told.

Tasks, colours and rules are the world's own. What is simplified: the tool moves in straight lines, whatever
is between the fingers as they close is held, and what is let go of falls straight down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from robot_bridge.tabletop.values import BUTTON_TRAVEL_M, Change, Cue, Pose, Progress, Snapshot, Task, Thing
from tests.planners.surrogate.drawn import Point, drawn, encoded

SPEED_M = 0.02
"""Of the tool, a step."""
HOME: Point = (-0.05, 0.0, 0.3)
OPEN_M = 0.08
EVERY_STEPS = 4


@dataclass
class Table:
    """One episode. `film`: the demonstration's frames, filled as it is played at the beginning."""

    task: Task
    tcp: Point = HOME
    yaw: float = 0.0
    opening_m: float = OPEN_M
    held: str | None = None
    step: int = 0
    poses: dict[str, Pose] = field(default_factory=dict)
    changes: dict[str, Change] = field(default_factory=dict)
    film: list[bytes] = field(default_factory=list)
    recorded: list[tuple[int, NDArray[np.uint8]]] | None = None

    def __post_init__(self) -> None:
        self.poses = {thing.name: thing.pose for thing in self.task.layout.things}
        self.progress: Progress = self.task.begin()
        for cue in self.task.layout.demonstration:
            self._play(cue)
        self.tcp, self.yaw, self.opening_m, self.held = HOME, 0.0, OPEN_M, None
        self.changes, self.step = {}, 0
        self.poses |= {thing.name: thing.pose for thing in self.task.layout.things if not self.film}

    def picture(self, side_px: int = 512) -> bytes:
        return encoded(self.drawn(side_px))

    def encoded(self, picture: NDArray[np.uint8]) -> bytes:
        return encoded(picture)

    def record(self) -> None:
        """Every fourth step while something is to be watched."""
        if self.recorded is not None and self.step % EVERY_STEPS == 0:
            self.recorded.append((self.step, self.drawn()))

    def drawn(self, side_px: int = 512) -> NDArray[np.uint8]:
        shown = [(t, self.poses[t.name]) for t in self.task.layout.things if not self._gone(t.name)]
        colours = {name: c.colour for name, c in self.changes.items() if c.colour is not None}
        return drawn(shown, colours, self.tcp, self.opening_m, side_px)

    def go(self, to: Point, yaw: float, arrive_step: int | None = None, judged: bool = True) -> None:
        far = math.dist(self.tcp, to)
        steps = max(1, math.ceil(far / SPEED_M))
        if arrive_step is not None:
            steps = max(steps, arrive_step - self.step)
        start = self.tcp
        for number in range(1, steps + 1):
            share = number / steps
            self.tcp = tuple(a + (b - a) * share for a, b in zip(start, to, strict=True))  # type: ignore[assignment]
            self.yaw = yaw
            self.tick(judged)

    def grip(self, gripper: str, judged: bool = True) -> None:
        if gripper == "open":
            self.opening_m = OPEN_M
            if self.held is not None:
                self._let_fall(self.held)
                self.held = None
        elif gripper == "close" and self.opening_m == OPEN_M:
            self.held = self._between()
            self.opening_m = 0.0 if self.held is None else 0.04
        if gripper != "keep":
            for _ in range(4):
                self.tick(judged)

    def tick(self, judged: bool = True, cue: tuple[Cue, int] | None = None) -> None:
        """One control step."""
        if judged and self.progress.verdict is not None:
            return
        if judged:
            self.step += 1
            told = self.task.happenings(self.progress, self.step)
        else:
            told = self.task.shown(*cue) if cue else ()
        self.changes = {change.name: change for change in told}
        self.poses |= {change.name: change.pose for change in told if change.pose is not None}
        if self.held is not None:
            z = self.tcp[2] + self._grip_m
            self.poses[self.held] = Pose(
                self.tcp[0] + self._off[0], self.tcp[1] + self._off[1], z, self.yaw + self._turn
            )
        self._push()
        if judged:
            self.progress = self.task.judge(self.progress, self.snapshot())
            self.record()
        else:
            self.film.append(self.picture(256))

    def snapshot(self) -> Snapshot:
        return Snapshot(
            step=self.step,
            tcp=self.tcp,
            rpy=(0.0, 0.0, self.yaw),
            opening_m=self.opening_m,
            fingers_open=self.opening_m >= 0.07,
            grasped=self.held,
            objects={name: pose for name, pose in self.poses.items() if not self._gone(name)},
            buttons={t.name: self._pressed(t) for t in self.task.layout.things if t.kind == "button"},
        )

    def _play(self, cue: Cue) -> None:
        if cue.waypoint is not None:
            way = cue.waypoint
            if not way.stays:
                self.go((way.x_m, way.y_m, way.z_m), way.yaw_rad, judged=False)
                self.grip(way.gripper, judged=False)
            for _ in range(way.wait_steps):
                self.tick(judged=False)
        for number in range(1, cue.steps + 1):
            self.tick(False, (cue, number))

    def _gone(self, name: str) -> bool:
        return name in self.changes and self.changes[name].gone

    def _between(self) -> str | None:
        """What the fingers close on: the nearest thing that may be grasped with the tool inside of it."""
        near = None
        for thing in self.task.layout.things:
            pose = self.poses[thing.name]
            if thing.kind not in ("cube", "container", "peg", "hook") or self._gone(thing.name):
                continue
            off = (pose.x_m - self.tcp[0], pose.y_m - self.tcp[1])
            reach = max(thing.size[:2]) / 2
            inside = math.hypot(*off) <= reach and abs(pose.z_m - self.tcp[2]) <= thing.size[2] / 2 + 0.005
            if inside and (near is None or math.hypot(*off) < math.hypot(*self._off)):
                near, self._off = thing.name, off
                self._grip_m, self._turn = pose.z_m - self.tcp[2], pose.yaw_rad - self.yaw
        return near

    _off: tuple[float, float] = (0.0, 0.0)
    _grip_m: float = 0.0
    _turn: float = 0.0

    def _let_fall(self, name: str) -> None:
        pose, size = self.poses[name], self.task.layout.thing(name).size
        self.poses[name] = Pose(pose.x_m, pose.y_m, size[2] / 2, pose.yaw_rad)

    def _push(self) -> None:
        """Free cubes yield to the fingers."""
        for thing in self.task.layout.things:
            pose = self.poses[thing.name]
            if thing.kind != "cube" or thing.name == self.held or thing.name in self.changes:
                continue
            if self.tcp[2] > pose.z_m + thing.size[2] / 2 or self.opening_m == OPEN_M:
                continue
            off = (pose.x_m - self.tcp[0], pose.y_m - self.tcp[1])
            far, keep = math.hypot(*off), thing.size[0] / 2 + 0.01
            if 0 < far < keep:
                x, y = (self.tcp[i] + off[i] / far * keep for i in (0, 1))
                self.poses[thing.name] = pose._replace(x_m=x, y_m=y)

    def _pressed(self, thing: Thing) -> float:
        away = math.dist(self.tcp[:2], thing.pose[:2])
        top = thing.pose.z_m + thing.size[2] / 2
        return min(BUTTON_TRAVEL_M, max(0.0, top - self.tcp[2])) if away <= thing.size[0] / 2 else 0.0
