"""The containers, what happens to them by themselves, and what the drone and the robot make of it.

Physics says where they are; the tape says when somebody moves one and what the detectors miss, misplace and
make up. Times are whole seconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from robot_bridge.arena.physics import Physics
from robot_bridge.arena.scenarios import STATION_CELLS, Scenario, Spot, spot_of
from robot_bridge.arena.scene import BIN_HALF_M, HEIGHT_M
from robot_bridge.arena.tape import FALSE_CONFIDENCE, Tape
from robot_bridge.world import Pose, Sighting

CLASSES = ("bottle", "can")
"""By the tape's type; the first kind belongs into the first station, the second into the second."""
FLOOR, HELD, DELIVERED = "floor", "held", "delivered"
CLEAR_M = 0.30
"""Nobody sets a container down nearer than this to the robot or another one."""
MOVED_M, CARRIED_M = 0.02, 0.10
"""What moved by less is told as standing still; what is carried is told in steps of this length."""


class Floor:
    """`states` by container: FLOOR, HELD or DELIVERED: the truth. What leaves by `observe` was seen of it."""

    def __init__(
        self, scenario: Scenario, tape: Tape, physics: Physics, ids: Sequence[str], emits_truth: bool
    ) -> None:
        self.ids = ids
        self.classes = [CLASSES[kind] for kind in tape.types]
        self.states = [FLOOR] * len(ids)
        self._scenario, self._tape, self._physics = scenario, tape, physics
        self._emits_truth = emits_truth
        self._pending: dict[int, list[Sighting]] = {}
        self._due: list[Sighting] = []
        self._told: dict[int, tuple[str, float, float]] = {}
        self._log: list[tuple[float, int, str, float, float]] = []
        self._handed_over = 0

    def enter(self, second: int, robot: Pose) -> None:
        """Relocation, survey, arrivals and the robot's own look at that second. After the tape, nothing."""
        scenario = self._scenario
        if second < scenario.budget_s:
            if second and second % scenario.relocation_every_s == 0:
                self._relocate(second // scenario.relocation_every_s - 1, robot)
            if second % scenario.survey_every_s == 0:
                self._pending[second + scenario.latency_s] = self._survey(second)
        self._due += self._pending.pop(second, [])
        if second % scenario.look_every_s == 0:
            self._due += self._look(second, robot)
        if self._emits_truth:
            self._due += [
                self._sighting(second, index, self.spot(index), 1.0, "truth", "simulator")
                for index in self.on_floor()
            ]

    def observe(self) -> list[Sighting]:
        due, self._due = self._due, []
        return due

    def spot(self, index: int) -> Spot:
        x_m, y_m, _ = self._physics.place(self.ids[index])
        return x_m, y_m

    def on_floor(self) -> list[int]:
        """What the robot has not in its hand: between the fingers nothing can be made out."""
        pinched = self._physics.pinched()
        return [i for i, state in enumerate(self.states) if state == FLOOR and self.ids[i] != pinched]

    def seen(self, second: int, index: int, robot: Pose) -> tuple[Spot, float] | None:
        """Where the robot's own detector makes it out in that second's look, and how sure it is.

        None where it misses it.
        """
        look, tape = (second // self._scenario.look_every_s) % len(self._tape.look_offsets), self._tape
        if not tape.looks_detected[look][index] or not self._in_sight(index, robot):
            return None
        if index not in self.on_floor():
            return None
        (x_m, y_m), (off_x_m, off_y_m) = self.spot(index), tape.look_offsets[look][index]
        spot, confidence = (x_m + off_x_m, y_m + off_y_m), tape.look_confidence[look][index]
        if not tape.looks_false[look][index]:
            return spot, confidence
        # A reflection: the right thing at twice the distance.
        return (2 * spot[0] - robot.x_m, 2 * spot[1] - robot.y_m), confidence * FALSE_CONFIDENCE[1]

    def is_in(self, index: int, station: Spot) -> bool:
        """Measured: whether it lies in the bin there."""
        x_m, y_m, z_m = self._physics.place(self.ids[index])
        return max(abs(x_m - station[0]), abs(y_m - station[1])) <= BIN_HALF_M and z_m <= 2 * HEIGHT_M

    def settle(self, held: int | None) -> None:
        """Where each stands now, whatever brought it there: in the hand, in its own bin, or on the floor."""
        for index, cls in enumerate(self.classes):
            own = spot_of(STATION_CELLS[CLASSES.index(cls)])
            self.states[index] = HELD if index == held else DELIVERED if self.is_in(index, own) else FLOOR

    def note(self, met_s: float) -> None:
        """Keep for replay what has moved, or changed hands."""
        for index, state in enumerate(self.states):
            x_m, y_m = self.spot(index)
            told = self._told.get(index)
            least_m = CARRIED_M if state == HELD else MOVED_M
            if told is None or told[0] != state or math.dist(told[1:], (x_m, y_m)) > least_m:
                self._told[index] = state, round(x_m, 3), round(y_m, 3)
                self._log.append((met_s, index, *self._told[index]))

    def truth(self, met_s: float) -> list[dict[str, Any]]:
        last = {index: (state, x, y) for t, index, state, x, y in self._log if t <= met_s}
        return [
            {"entity": self.ids[i], "cls": self.classes[i], "pose": Pose(x, y)._asdict(), "state": state}
            for i, (state, x, y) in sorted(last.items())
        ]

    def take_history(self) -> list[Any]:
        new, self._handed_over = self._log[self._handed_over :], len(self._log)
        return [list(row) for row in new]

    def restore_history(self, rows: list[Any]) -> None:
        self._log = [(t, index, state, x, y) for t, index, state, x, y in rows]
        self._handed_over = len(self._log)

    def save(self) -> dict[str, Any]:
        """Sightings without the clocks that a simulated robot has none of."""
        return {
            "states": list(self.states),
            "pending": [
                (second, [each[:-1] for each in reports]) for second, reports in self._pending.items()
            ],
            "due": [each[:-1] for each in self._due],
            "told": list(self._told.items()),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        self.states = list(saved["states"])
        self._pending = {
            second: [_sighting(each) for each in reports] for second, reports in saved["pending"]
        }
        self._due = [_sighting(each) for each in saved["due"]]
        if "log" in saved:  # by a version that kept the past in here
            self.restore_history(saved["log"])
            self._handed_over = 0
            self._told = {index: (state, x, y) for _, index, state, x, y in self._log}
        else:
            self._told = {index: (state, x, y) for index, (state, x, y) in saved["told"]}

    def _relocate(self, number: int, robot: Pose) -> None:
        """The first of the tape's places that is clear; nobody takes what the robot is about to close on."""
        index = self._tape.relocated[number]
        if self.states[index] != FLOOR or math.dist(self.spot(index), robot[:2]) < 2 * CLEAR_M:
            return
        others = [self.spot(other) for other in range(len(self.ids)) if other != index]
        for place in self._tape.destinations[number]:
            if all(math.dist(place, other) >= CLEAR_M for other in (*others, robot[:2])):
                self._physics.set_down(self.ids[index], place)
                return

    def _survey(self, second: int) -> list[Sighting]:
        survey, tape = second // self._scenario.survey_every_s, self._tape
        reports = []
        for index in self.on_floor():
            if not tape.detected[survey][index]:
                continue
            seen, confidence = self.spot(index), tape.true_confidence[survey][index]
            if tape.is_false[survey][index]:
                seen, confidence = tape.false_spots[survey][index], tape.false_confidence[survey][index]
            off_x_m, off_y_m = tape.aerial_offsets[survey][index]
            place = seen[0] + off_x_m, seen[1] + off_y_m
            reports.append(self._sighting(second, index, place, confidence, "aerial", "drone"))
        return reports

    def _look(self, second: int, robot: Pose) -> list[Sighting]:
        seen = [(index, self.seen(second, index, robot)) for index in self.on_floor()]
        return [
            self._sighting(second, index, *made_out, "onboard", "rover")
            for index, made_out in seen
            if made_out is not None
        ]

    def _in_sight(self, index: int, robot: Pose) -> bool:
        """Ahead of the robot and near; obstacles are lower than its camera."""
        x_m, y_m = self.spot(index)
        away_m = math.hypot(x_m - robot.x_m, y_m - robot.y_m)
        bearing_rad = math.atan2(y_m - robot.y_m, x_m - robot.x_m) - robot.yaw_rad
        off_rad = abs(math.remainder(bearing_rad, math.tau))
        return away_m <= self._scenario.sight_m and off_rad <= self._scenario.sight_rad

    def _sighting(
        self, second: int, index: int, spot: Spot, confidence: float, source: str, by: str
    ) -> Sighting:
        pose = Pose(round(spot[0], 3), round(spot[1], 3))
        return Sighting(self.ids[index], self.classes[index], pose, confidence, source, float(second), by)


def _sighting(value: Sequence[Any]) -> Sighting:
    entity, cls, pose, *rest = value
    return Sighting(entity, cls, Pose(*pose), *rest)
