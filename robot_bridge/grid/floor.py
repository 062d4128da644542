"""The containers on the floor and what happens to them by itself, step by step, as the tape says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from robot_bridge.grid.layout import CLASSES, NOWHERE, Layout, layout
from robot_bridge.grid.scenarios import SURVEY_EVERY, Cell, Scenario
from robot_bridge.world import Pose, Sighting

if TYPE_CHECKING:
    from robot_bridge.grid.tape import Tape  # draws with numpy, which a robot's own Python need not have

FLOOR, HELD, DELIVERED = "floor", "held", "delivered"


class Floor:
    """`cells`, `states` and `delivered_to` (a station's index, -1 elsewhere) by container.

    They are the truth. What leaves by `observe` is what the drone and the robot have seen of it.
    """

    def __init__(self, scenario: Scenario, tape: Tape, emits_truth: bool) -> None:
        self.scenario = scenario
        self.tape = tape
        self.emits_truth = emits_truth
        self.layout: Layout = layout(scenario, tape.obstacles)
        self.classes = [CLASSES[kind] for kind in tape.types]
        self.ids = [f"{cls}_{index + 1:02}" for index, cls in enumerate(self.classes)]
        self.cells = list(tape.initial_cells)
        self.states = [FLOOR] * scenario.containers
        self.delivered_to = [-1] * scenario.containers
        self._log = [(0, index, FLOOR, *cell) for index, cell in enumerate(self.cells)]
        self._pending: dict[int, list[Sighting]] = {}
        self._due: list[Sighting] = []

    def enter(self, t: int, robot: Cell) -> None:
        """Relocation, survey, arrivals and the robot's own sensing at step t. Past the tape nothing moves."""
        tape = self.tape
        if t < self.scenario.budget:
            if tape.relocates[t]:
                self._relocate(t, tape.relocated[t], tape.destinations[t])
            if t % SURVEY_EVERY == 0:
                self._pending[t + self.scenario.latency] = self._survey(t)
        if t in self._pending:
            self._due += self._pending.pop(t)
        if self.emits_truth:
            self._due += [
                self._sighting(t, index, cell, 1.0, "truth", "simulator")
                for index, cell in enumerate(self.cells)
                if cell != NOWHERE
            ]
        # Mostly nothing is near, and that is seen much quicker than to look at each.
        if robot in self.cells or self.scenario.sense_cells:
            self._sense(t, robot)

    def observe(self) -> list[Sighting]:
        due, self._due = self._due, []
        return due

    def grasp(self, t: int, index: int) -> None:
        """Off the floor from t + 1 on."""
        self._log.append((t + 1, index, HELD, *self.cells[index]))
        self.cells[index], self.states[index] = NOWHERE, HELD

    def deliver(self, t: int, index: int, station: int) -> None:
        """At the station from t + 1 on."""
        self._log.append((t + 1, index, DELIVERED, *self.layout.stations[station]))
        self.states[index], self.delivered_to[index] = DELIVERED, station

    def drop(self, t: int, index: int, cell: Cell) -> None:
        """Back on the floor from t + 1 on, where it was let go."""
        self._log.append((t + 1, index, FLOOR, *cell))
        self.cells[index], self.states[index] = cell, FLOOR

    def truth(self, met_s: float) -> list[dict[str, Any]]:
        """A held container's pose is where it was grasped, a delivered one's its station's."""
        last = {index: (state, x, y) for t, index, state, x, y in self._log if t <= met_s}
        return [
            {
                "entity": self.ids[index],
                "cls": self.classes[index],
                "pose": self.layout.poses[x, y]._asdict(),
                "state": state,
            }
            for index, (state, x, y) in sorted(last.items())
        ]

    def moves(self) -> list[tuple[float, str, str, str, Pose]]:
        """Everything that `truth` goes by, in order: from when, entity, class, state, pose."""
        return [
            (float(t), self.ids[index], self.classes[index], state, self.layout.poses[x, y])
            for t, index, state, x, y in self._log
        ]

    def save(self) -> dict[str, Any]:
        return {
            "cells": self.cells,
            "states": self.states,
            "delivered_to": self.delivered_to,
            "log": self._log,
            "pending": list(self._pending.items()),
            "due": self._due,
        }

    def restore(self, saved: dict[str, Any]) -> None:
        self.cells = [(x, y) for x, y in saved["cells"]]
        self.states, self.delivered_to = list(saved["states"]), list(saved["delivered_to"])
        self._log = [(t, index, state, x, y) for t, index, state, x, y in saved["log"]]
        self._pending = {t: [_sighting(each) for each in reports] for t, reports in saved["pending"]}
        self._due = [_sighting(each) for each in saved["due"]]

    def _relocate(self, t: int, index: int, destination: Cell) -> None:
        if self.states[index] == FLOOR:
            self.cells[index] = destination
            self._log.append((t, index, FLOOR, *destination))

    def _survey(self, t: int) -> list[Sighting]:
        survey, tape = t // SURVEY_EVERY, self.tape
        is_false, revealed_at = tape.is_false[survey], tape.revealed_at
        true_confidence, false_confidence = tape.true_confidence[survey], tape.false_confidence[survey]
        reports = []
        for index, is_detected in enumerate(tape.detected[survey]):
            seen = self.cells[index]
            if is_detected and seen != NOWHERE and t >= revealed_at[index]:
                confidence = true_confidence[index]
                if is_false[index]:
                    seen, confidence = tape.false_cells[survey][index], false_confidence[index]
                reports.append(self._sighting(t, index, seen, confidence, "aerial", "drone"))
        return reports

    def _sense(self, t: int, robot: Cell) -> None:
        reach = self.scenario.sense_cells
        x, y = robot
        self._due += [
            self._sighting(t, index, cell, 1.0, "onboard", "rover")
            for index, cell in enumerate(self.cells)
            if cell != NOWHERE and abs(cell[0] - x) + abs(cell[1] - y) <= reach
        ]

    def _sighting(self, t: int, index: int, cell: Cell, confidence: float, source: str, by: str) -> Sighting:
        pose = self.layout.poses[cell]
        return Sighting(self.ids[index], self.classes[index], pose, confidence, source, float(t), by)


def _sighting(value: Sequence[Any]) -> Sighting:
    entity, cls, pose, *rest = value
    return Sighting(entity, cls, Pose(*pose), *rest)
