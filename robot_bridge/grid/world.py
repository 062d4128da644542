"""The stepped grid world: time is a count of steps, and stands still unless a skill takes one.

Entering step t: (1) the tape may relocate a container, unseen; (2) every fifth step the drone surveys the
floor; (3) late reports arrive; (4) the robot senses its own cell. `advance` executes one MOVE, PICK or
PLACE of the running skill at t and enters t + 1. Past the tape's end the world goes on, and nothing happens
in it by itself.

    world = GridWorld(SCENARIOS["dn-14"], seed=1)
    world.observe()                        # the evidence of t = 0
    world.start(Step("grasp", {"target": "can_03"}))
    outcome = world.advance()              # t is 1, and observe() has the evidence of t = 1

In-process use may read the attributes: `t`; `executed`, the steps that skills took; the robot's cell
`robot` and the index `held`; `ids` and `classes` by container. `floor` is the truth, which only `truth()`
hands on.

A PICK at t ends at t + 1: when a container was found absent is its outcome's `started_s`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from robot_bridge.grid import camera, describe, skills
from robot_bridge.grid.action import Action, Ending
from robot_bridge.grid.floor import Floor
from robot_bridge.grid.layout import Scene
from robot_bridge.grid.paths import route
from robot_bridge.grid.scenarios import Cell, Scenario
from robot_bridge.grid.tape import Tape, draw
from robot_bridge.world import Clock, Frame, Measured, Outcome, Pose, Refusal, Sighting, Step

HEADINGS_RAD = {(1, 0): 0.0, (0, 1): math.pi / 2, (-1, 0): math.pi, (0, -1): -math.pi / 2}
"""By the way that a MOVE goes."""


class GridWorld:
    """`emits_truth`: each step reports where every floor container is, for the memory that knows all.

    `tape`: drawn already, since methods that are compared meet the same events.
    """

    clock: Clock = "waits"
    tick_s = 0.0

    def __init__(
        self, scenario: Scenario, seed: int, emits_truth: bool = False, tape: Tape | None = None
    ) -> None:
        self.scenario = scenario
        self.seed = seed
        self.tape = tape or draw(scenario, seed)
        self.floor = Floor(scenario, self.tape, emits_truth)
        self.layout = self.floor.layout
        self.ids = self.floor.ids
        self.classes = self.floor.classes
        self.t = 0
        self.executed = 0
        self.robot: Cell = (0, 0)
        self.heading_rad = 0.0
        self.held: int | None = None
        self.action: Action | None = None
        self.floor.enter(0, self.robot)

    @property
    def met_s(self) -> float:
        return float(self.t)

    def describe(self) -> dict[str, Any]:
        return describe.world(self)

    def check(self, step: Step) -> Refusal | None:
        return skills.check(step, self.ids, self.layout)

    def start(self, step: Step) -> Outcome | None:
        """What cannot be begun, and what takes no step, ends at once without moving the clock."""
        action = Action(step, self.t, self._scene() if step.cameras else None)
        ending = self._begin(action)
        if ending is not None:
            return self._end(action, ending)
        self.action = action
        return None

    def advance(self) -> Outcome | None:
        action = self.action
        ending = None if action is None else self._execute(action)
        self.t += 1
        self.floor.enter(self.t, self.robot)
        if action is None:
            return None
        if ending is not None:
            self.action = None
            return self._end(action, ending)
        if action.recorder is not None:
            action.recorder.see(self.t, self._scene)
        return None

    def elapse(self, now_s: float) -> Outcome | None:
        return None

    def observe(self) -> list[Sighting]:
        return self.floor.observe()

    def halt(self, reason: str) -> Outcome | None:
        action, self.action = self.action, None
        if action is None:
            return None
        result = "cancelled" if reason == "cancelled" else "stopped"
        return self._end(action, Ending(result, reason, f"{result.capitalize()} at {self._here()}."))

    def measure(self) -> Measured:
        return self._measured((), 0)

    def is_still(self) -> bool:
        return self.action is None

    def telemetry(self) -> list[dict[str, Any]]:
        return describe.telemetry(self)

    def truth(self, met_s: float) -> Sequence[Mapping[str, Any]]:
        return self.floor.truth(met_s)

    def save(self) -> dict[str, Any]:
        return {
            "scenario": asdict(self.scenario),
            "seed": self.seed,
            "t": self.t,
            "executed": self.executed,
            "robot": self.robot,
            "heading_rad": self.heading_rad,
            "held": self.held,
            "floor": self.floor.save(),
            "action": None if self.action is None else self.action.save(),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Raises ValueError when what was saved is another world's."""
        if (saved["scenario"], saved["seed"]) != (asdict(self.scenario), self.seed):
            raise ValueError(
                f"This home holds scenario {saved['scenario']['name']} with seed {saved['seed']}, and other"
                f" values were asked for. Give another home, or ask for that world."
            )
        self.t, self.executed = saved["t"], saved["executed"]
        self.robot = saved["robot"][0], saved["robot"][1]
        self.heading_rad, self.held = saved["heading_rad"], saved["held"]
        self.floor.restore(saved["floor"])
        self.action = None if saved["action"] is None else Action.restore(saved["action"])

    def _begin(self, action: Action) -> Ending | None:
        """The ending of a skill that takes no step; None where it is ready for its first."""
        skill, arguments = action.step.skill, action.step.arguments
        if skill in ("navigate", "explore"):
            return self._set_out(action)
        if skill == "grasp":
            if self.held is not None:
                return Ending("failed", "hands_full", f"The gripper holds {self.ids[self.held]} already.")
            return None
        if skill == "deliver":
            station = self.layout.station_ids.index(arguments["station"])
            if self.held is None or self.ids[self.held] != arguments["object"]:
                return Ending("failed", "not_holding", f"The gripper does not hold {arguments['object']}.")
            if self.robot != self.layout.stations[station]:
                return Ending(
                    "failed", "not_at_station", f"Stands at {self._here()}, not at {arguments['station']}."
                )
            return None
        if skill == "approach":
            return Ending("succeeded", "lined_up", f"Lined up at {self._here()}.")
        return Ending("succeeded", "looked", f"Looked for {arguments['target']}.")

    def _set_out(self, action: Action) -> Ending | None:
        step = action.step
        if step.skill == "explore":
            goal = (int(step.arguments["cell"][0]), int(step.arguments["cell"][1]))
        else:
            assert step.goal is not None
            goal = self.layout.cell_at(step.goal)
        way = (
            route(self.robot, goal, self.layout.size, self.layout.obstacles)
            if goal in self.layout.poses
            else None
        )
        if way is None:
            return Ending("failed", "unreachable", f"No way leads to {self.layout.words(goal)}.")
        if not way:
            return Ending("succeeded", "arrived", f"Stands at {self._here()} already.")
        action.way = way
        return None

    def _execute(self, action: Action) -> Ending | None:
        """One MOVE, PICK or PLACE at t."""
        self.executed += 1
        action.moves += 1
        if action.way:
            return self._move(action)
        if action.step.skill == "grasp":
            return self._pick(action.step.arguments["target"])
        return self._place(action.step.arguments["station"])

    def _move(self, action: Action) -> Ending | None:
        x, y = self.robot
        way, moves = action.way, action.moves
        self.robot = to_x, to_y = way[moves - 1]
        self.heading_rad = HEADINGS_RAD[to_x - x, to_y - y]
        if moves < len(way):
            return None
        return Ending("succeeded", "arrived", f"Arrived at {self._here()}.")

    def _pick(self, target: str) -> Ending:
        index = self.ids.index(target)
        if self.floor.cells[index] != self.robot:
            return Ending("failed", "absent", f"{target} is not at {self._here()}.")
        if self.t < self.scenario.budget and self.tape.pick_fails[self.t]:
            return Ending("failed", "grasp_slipped", f"{target} slipped from the gripper.")
        self.held = index
        self.floor.grasp(self.t, index)
        return Ending("succeeded", "grasped", f"Grasped {target}.")

    def _place(self, station: str) -> Ending:
        assert self.held is not None
        index = self.held
        if self.t < self.scenario.budget and self.tape.place_fails[self.t]:
            return Ending("failed", "place_failed", f"{self.ids[index]} could not be set down at {station}.")
        self.held = None
        self.floor.deliver(self.t, index, self.layout.station_ids.index(station))
        return Ending("succeeded", "delivered", f"Delivered {self.ids[index]} to {station}.")

    def _end(self, action: Action, ending: Ending) -> Outcome:
        poses = self.layout.poses
        path = tuple([poses[cell][:2] for cell in action.way[: action.moves]])
        frames: tuple[Frame, ...] = ()
        if action.recorder is not None:
            frames = action.recorder.frames(self.t, self._scene(), self._photograph)
        measured = self._measured(path, action.moves)
        return Outcome(action.step.skill, *ending, float(action.started), float(self.t), measured, frames)

    def _measured(self, path: tuple[tuple[float, float], ...], moves: int) -> Measured:
        x_m, y_m, _, frame_id = self.layout.poses[self.robot]
        held = None if self.held is None else self.ids[self.held]
        return Measured(Pose(x_m, y_m, self.heading_rad, frame_id), held, held is None, path, moves)

    def _scene(self) -> Scene:
        floor = self.floor
        return Scene(self.robot, self.heading_rad, self.held, tuple(floor.cells), tuple(floor.delivered_to))

    def _photograph(self, scene: Scene, of: str) -> bytes:
        return camera.render(self.layout, tuple(self.classes), scene)

    def _here(self) -> str:
        return self.layout.words(self.robot)
