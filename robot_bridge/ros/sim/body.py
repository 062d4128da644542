"""What is true of robot and floor. Only what `base.py` publishes of it leads out. No rospy in here."""

from __future__ import annotations

import math
from typing import NamedTuple

from robot_bridge.grid.layout import NOWHERE
from robot_bridge.ros.sim.gripper import Gripper
from robot_bridge.ros.sim.motion import Point, ahead, follow
from robot_bridge.ros.sim.scene import AT_STATION_M, Scene, class_of
from robot_bridge.ros.sim.vision import Thing
from robot_bridge.world import Sighting

COMMAND_LASTS_S = 0.4
"""Real seconds that a path is followed without being repeated: a planner that died drives nothing on."""
REACH_M = 0.15
SHUT_BELOW = 0.5
BESIDE_M = ((0.0, 0.0), (0.0, 0.12), (0.0, -0.12), (0.12, 0.0), (-0.12, 0.0))
"""Where containers that share a cell stand in it."""


class Command(NamedTuple):
    """A path and when it was last repeated, on the monotonic clock; `id` tells one from the next."""

    id: float
    left: list[Point]
    heard_s: float


class Body:
    """`sim_s` is ROS time, `now_s` monotonic time."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.floor = scene.floor()
        self.at = Point(0.0, 0.0, 0.0)
        self.speed_m_s = self.turn_rad_s = 0.0
        self.gripper = Gripper()
        self.began_s: float | None = None
        """ROS time of the tape's step 0; None until it begins."""
        self._command: Command | None = None
        self._stopped_s = -1.0
        self._wanted = ""
        self._held: int | None = None
        self._step = 0
        self._sim_s: float | None = None
        self.floor.enter(0, (0, 0))

    def begin(self, sim_s: float) -> None:
        if self.began_s is None:
            self.began_s = sim_s

    def path(self, command_id: float, points: list[Point], now_s: float) -> None:
        """A path that was given before the last stop is not taken up again."""
        if command_id <= self._stopped_s:
            return
        if self._command is not None and self._command.id == command_id:
            points = self._command.left
        self._command = Command(command_id, points, now_s)

    def stop(self, sim_s: float) -> None:
        self._command, self._stopped_s = None, sim_s

    def grip(self, position: float, wanted: str) -> None:
        """`wanted`: which container is meant, where two stand close together."""
        self.gripper.command(position)
        self._wanted = wanted

    def move(self, sim_s: float, now_s: float) -> list[Sighting]:
        """Let time pass up to ROS time `sim_s`: what was sensed and surveyed meanwhile."""
        if self._sim_s is not None and sim_s < self._sim_s:
            self._clock_went_back(self._sim_s - sim_s)
        span_s = 0.0 if self._sim_s is None else sim_s - self._sim_s
        self._sim_s = sim_s
        if span_s == 0.0:
            return []
        command = self._command
        if command is not None and now_s - command.heard_s > COMMAND_LASTS_S:
            command = self._command = None
        before = self.at
        if command is not None:
            self.at, left = follow(self.at, command.left, span_s)
            self._command = command._replace(left=left)
        self.speed_m_s = math.hypot(self.at.x_m - before.x_m, self.at.y_m - before.y_m) / span_s
        self.turn_rad_s = (self.at.yaw_rad - before.yaw_rad) / span_s
        self._move_gripper(span_s)
        return self._enter_steps(sim_s)

    def in_view(self) -> list[Thing]:
        """Containers as the wrist camera has them before it."""
        cos, sin = math.cos(self.at.yaw_rad), math.sin(self.at.yaw_rad)
        seen = []
        for index, x_m, y_m in self._containers():
            dx, dy = x_m - self.at.x_m, y_m - self.at.y_m
            seen.append(Thing(class_of(self.scene, index), dx * cos + dy * sin, dy * cos - dx * sin))
        return seen

    def containers(self) -> list[tuple[str, float, float, bool]]:
        """(class, x, y, whether delivered), for the overhead camera."""
        on_floor = [(class_of(self.scene, index), x_m, y_m, False) for index, x_m, y_m in self._containers()]
        done = [
            (class_of(self.scene, index), *self.scene.centre(self.floor.layout.stations[station]), True)
            for index, station in enumerate(self.floor.delivered_to)
            if station >= 0
        ]
        return on_floor + done

    @property
    def held(self) -> str | None:
        return None if self._held is None else self.floor.ids[self._held]

    def _containers(self) -> list[tuple[int, float, float]]:
        sharing: dict[tuple[int, int], int] = {}
        found = []
        for index, cell in enumerate(self.floor.cells):
            if cell == NOWHERE:
                continue
            place = sharing[cell] = sharing.get(cell, -1) + 1
            x_m, y_m = self.scene.centre(cell)
            dx, dy = BESIDE_M[place % len(BESIDE_M)]
            found.append((index, x_m + dx, y_m + dy))
        return found

    def _clock_went_back(self, by_s: float) -> None:
        """The world goes on from where it is; only its clock reads otherwise."""
        self._sim_s = None
        self._command, self._stopped_s = None, -1.0
        if self.began_s is not None:
            self.began_s -= by_s

    def _move_gripper(self, span_s: float) -> None:
        gripper = self.gripper
        was_open = gripper.at >= SHUT_BELOW
        gripper.move(span_s, self._held is not None)
        is_open = gripper.at >= SHUT_BELOW
        if was_open and not is_open:
            self._held = self._grasped()
        elif is_open and not was_open and self._held is not None:
            self._let_go(self._held)
            self._held = None

    def _grasped(self) -> int | None:
        """What stands between the fingers, unless it slips as the tape says."""
        x_m, y_m = ahead(self.at)
        near = [(math.hypot(x - x_m, y - y_m), index) for index, x, y in self._containers()]
        near = [each for each in near if each[0] <= REACH_M]
        if not near:
            return None
        named = [index for _, index in near if self.floor.ids[index] == self._wanted]
        index = named[0] if named else min(near)[1]
        if self._step < self.scene.scenario.budget and self.scene.tape.pick_fails[self._step]:
            return None
        self.floor.grasp(self._step, index)
        return index

    def _let_go(self, index: int) -> None:
        """On a station it is delivered; beside it, it lies on the floor like anywhere else."""
        x_m, y_m = ahead(self.at)
        for number, cell in enumerate(self.floor.layout.stations):
            station_x_m, station_y_m = self.scene.centre(cell)
            if math.hypot(station_x_m - x_m, station_y_m - y_m) <= AT_STATION_M:
                self.floor.deliver(self._step, index, number)
                return
        self.floor.drop(self._step, index, self.scene.cell_at(self.at.x_m, self.at.y_m))

    def _enter_steps(self, sim_s: float) -> list[Sighting]:
        if self.began_s is None:
            return []
        while self._step < int(sim_s - self.began_s):
            self._step += 1
            self.floor.enter(self._step, self.scene.cell_at(self.at.x_m, self.at.y_m))
        return self.floor.observe()
