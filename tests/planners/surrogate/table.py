"""A tabletop without physics, for the surrogate's tests: an arm that goes straight where it is told.

Tasks, colours and rules are the world's own. What is simplified: the tool moves in straight lines, whatever
is between the fingers as they close is held, and what is let go of falls straight down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from msgspec.structs import replace

from backend.domain.execution.checks import checked
from backend.domain.execution.outcome import Measured, Result, Tool, Traced
from backend.domain.plans.motion import Motion
from backend.domain.plans.plan import Step, motions, numbers
from robot_bridge.tabletop.values import BUTTON_TRAVEL_M, Change, Cue, Pose, Progress, Snapshot, Task, Thing
from tests.planners.surrogate.drawn import Point, drawn, encoded, point_at
from tests.planners.surrogate.scene import Drawing, Picture, Recorded

SPEED_M = 0.02
"""Of the tool, a step."""
HOME: Point = (-0.15, 0.0, 0.35)
OPEN_M = 0.08
FINGERTIP_M = 0.009
"""Below the point that is moved."""
EVERY_STEPS = 4


@dataclass
class Table:
    """One episode. `filmed`: the demonstration's frames, filled as it is played at the beginning."""

    task: Task
    tcp: Point = HOME
    yaw: float = 0.0
    opening_m: float = OPEN_M
    held: str | None = None
    step: int = 0
    poses: dict[str, Pose] = field(default_factory=dict)
    changes: dict[str, Change] = field(default_factory=dict)
    filmed: list[Drawing] = field(default_factory=list)
    recorded: Recorded | None = None

    def __post_init__(self) -> None:
        self.poses = {thing.name: thing.pose for thing in self.task.layout.things}
        self.progress: Progress = self.task.begin()
        for cue in self.task.layout.demonstration:
            self._play(cue)
        self.tcp, self.yaw, self.opening_m, self.held = HOME, 0.0, OPEN_M, None
        self.changes, self.step = {}, 0
        self.poses = {thing.name: thing.pose for thing in self.task.layout.things}

    @property
    def name(self) -> str:
        return self.task.name

    @property
    def instruction(self) -> str:
        return self.task.layout.instruction

    @property
    def tool(self) -> Tool:
        x_m, y_m, z_m = self.tcp
        return Tool(x_m=x_m, y_m=y_m, z_m=z_m, yaw_rad=self.yaw)

    @property
    def ended(self) -> tuple[str, str] | None:
        verdict = self.progress.verdict
        return None if verdict is None else (verdict.status, verdict.reason)

    def film(self) -> list[Drawing]:
        return self.filmed

    def view(self) -> bytes:
        return encoded(self.drawn())

    def carry_out(self, step: Step, records: bool) -> tuple[Result, Measured, Recorded]:
        self.recorded = [(self.step, self.drawn())] if records else None
        result, measured = self._done(step)
        if self.recorded and self.recorded[-1][0] != self.step:
            self.recorded.append((self.step, self.drawn()))
        seen = replace(measured, opening_m=self.opening_m, height_m=self.tcp[2], tool=self.tool)
        return result, seen, self.recorded or []

    def drawn(self) -> Picture:
        return drawn(*self._moment())

    def _later(self) -> Drawing:
        """This moment as a frame of the demonstration, drawn once it is looked at."""
        moment = self._moment()
        return lambda: encoded(drawn(*moment, 256))

    def _moment(self) -> tuple[list[tuple[Thing, Pose]], dict[str, str], Point, float]:
        shown = [(t, self.poses[t.name]) for t in self.task.layout.things if not self._gone(t.name)]
        colours = {name: c.colour for name, c in self.changes.items() if c.colour is not None}
        return shown, colours, self.tcp, self.opening_m

    def _done(self, step: Step) -> tuple[Result, Measured]:
        if step.skill == "locate":
            pixels = [numbers(value) for value in step.arguments.values() if isinstance(value, tuple)]
            height_m = float(str(step.arguments["height_m"]))
            points = tuple(point_at((x_px, y_px), height_m) for x_px, y_px in pixels)
            return Result.SUCCEEDED, Measured(points_m=points)
        parts = motions(step.arguments.get("moves")) or (
            Motion("wait", {"steps": int(str(step.arguments["steps"]))}),
        )
        trace: list[Traced] = []
        for part in parts:
            self._move(part)
            opening_m, height_m = self.opening_m, self.tcp[2]
            passed = None
            if part.check:
                passed = checked(part.check, Measured(opening_m=opening_m, height_m=height_m)).passed
            trace.append(
                Traced(
                    what=part.skill,
                    step=self.step,
                    opening_m=opening_m,
                    height_m=height_m,
                    check=part.check,
                    passed=passed,
                )
            )
            if passed is False:
                return Result.FAILED, Measured(trace=tuple(trace))
        return Result.SUCCEEDED, Measured(trace=tuple(trace))

    def _move(self, part: Motion) -> None:
        given = part.arguments
        if part.skill == "wait":
            for _ in range(int(given["steps"])):
                self.tick()
            return
        while self.step < int(given.get("start_step", 0)):
            self.tick()
        arrive = given.get("arrive_step")
        to = (float(given["x_m"]), float(given["y_m"]), float(given["z_m"]))
        self.go(to, float(given.get("yaw_rad", 0.0)), None if arrive is None else int(arrive))
        self.grip(str(given.get("gripper", "keep")))

    def go(self, to: Point, yaw: float, arrive_step: int | None = None, judged: bool = True) -> None:
        far = math.dist(self.tcp, to)
        steps = max(1, math.ceil(far / SPEED_M))
        if arrive_step is not None:
            steps = max(steps, arrive_step - self.step)
        start = self.tcp
        for number in range(1, steps + 1):
            share = number / steps
            x_m, y_m, z_m = (a + (b - a) * share for a, b in zip(start, to, strict=True))
            self.tcp = (x_m, y_m, z_m)
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
            if self.recorded is not None and self.step % EVERY_STEPS == 0:
                self.recorded.append((self.step, self.drawn()))
        else:
            self.filmed.append(self._later())

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
        return (
            min(BUTTON_TRAVEL_M, max(0.0, top + FINGERTIP_M - self.tcp[2]))
            if away <= thing.size[0] / 2
            else 0.0
        )
