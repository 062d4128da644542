"""The arena behind the bridge: rigid bodies at 120 Hz, one skill at a time, a step of the world every 0.1 s.

    world = ArenaWorld(SCENARIOS["arena-6"], seed=1)
    world.start(Step("navigate", {"to": "can_03"}, goal))
    outcome = world.advance()              # 0.1 s later; None while the skill runs

Physics goes on only while the world is asked to. Deterministic for a seed on one machine. A skill that was
under way when its process died only ends: its motion is not taken up again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from robot_bridge.arena import arm, describe, handling, navigating
from robot_bridge.arena.action import Action
from robot_bridge.arena.camera import REMEDY, Cameras
from robot_bridge.arena.carrying_out import carried_out
from robot_bridge.arena.catalogue import CAMERAS, CATALOGUE
from robot_bridge.arena.floor import CLASSES, Floor
from robot_bridge.arena.physics import CONTROL_S, OPEN_M, Physics
from robot_bridge.arena.rover import Rover
from robot_bridge.arena.scenarios import CELLS, START_CELL, Scenario, Spot, spot_of, words
from robot_bridge.arena.scene import compile_scene
from robot_bridge.arena.tape import draw
from robot_bridge.checking import Checker, Surroundings
from robot_bridge.simulation.running import Ending, Skill
from robot_bridge.world import Clock, Measured, Outcome, Pose, Refusal, Sighting, Step

STEP_S = 0.1
PERIODS = round(STEP_S / CONTROL_S)
HALT_WITHIN_S = 0.2
"""From full speed to standstill."""
HALT_MOST_S = 1.0
"""So long a halt waits for a standstill that does not come: something else moves the robot."""

log = logging.getLogger(__name__)

CHECKER = Checker(CATALOGUE, goals=("navigate", "approach", "verify"))


class ArenaWorld:
    """`emits_truth`: each second reports where every floor container is, for the memory that knows all."""

    clock: Clock = "waits"
    tick_s = 0.0

    def __init__(self, scenario: Scenario, seed: int, emits_truth: bool = False) -> None:
        self.scenario, self.seed = scenario, seed
        self.tape = draw(scenario, seed)
        classes = [CLASSES[kind] for kind in self.tape.types]
        self.ids = tuple(f"{cls}_{index + 1:02}" for index, cls in enumerate(classes))
        model = compile_scene(self.tape.obstacles, self.ids, classes, self.tape.initial, spot_of(START_CELL))
        self.physics = Physics(model, self.ids)
        stowed = arm.joints_for(arm.STOWED)
        assert stowed is not None
        self.physics.pose_arm(stowed, OPEN_M)
        self.floor = Floor(scenario, self.tape, self.physics, self.ids, emits_truth)
        self.rover = Rover(self.physics, self.floor, self.tape.obstacles, lambda: self._steps * PERIODS // 20)
        self.cameras = Cameras(model)
        self.action: Action | None = None
        self._steps = 0
        self._worked_steps = 0
        self._told_s = 0
        self._stations = describe.stations(self)
        self._around = Surroundings(self.ids, tuple(self._stations), CAMERAS, CELLS, "map")
        self.floor.enter(0, self.physics.pose())
        self.floor.note(0.0)

    @property
    def met_s(self) -> float:
        return round(self._steps * STEP_S, 1)

    def describe(self) -> dict[str, Any]:
        return describe.world(self)

    def check(self, step: Step) -> Refusal | None:
        refusal = CHECKER.refuse(step, self._around)
        if refusal is not None or not step.cameras or not (problem := self.cameras.problem()):
            return refusal
        return Refusal("no_renderer", "step.cameras", problem, REMEDY)

    def start(self, step: Step) -> Outcome | None:
        self.action = Action(step, self.met_s, self._motion(step), self.rover.spot())
        self.action.record(self._photograph)
        return None

    def advance(self) -> Outcome | None:
        ending = None
        for _ in range(PERIODS):
            if ending is None and self.action is not None:
                ending = self.action.next()
            if not self.physics.advance():
                ending = ending or self._broke_down()
        self._pass_step()
        action = self.action
        if action is None:
            return None
        self._worked_steps += 1
        action.trace(self.rover.spot())
        if ending is not None:
            return self._end(action, ending)
        action.record(self._photograph)
        return None

    def elapse(self, now_s: float) -> Outcome | None:
        return None

    def observe(self) -> list[Sighting]:
        return self.floor.observe()

    def halt(self, reason: str) -> Outcome | None:
        """Base and arm brake at once. Physics takes its time to stand still, HALT_WITHIN_S of it at most."""
        action = self.action
        if action is not None:
            action.stop()
        self.rover.freeze()
        for _ in range(round(HALT_MOST_S / STEP_S)):
            if self.physics.is_still():
                break
            for _ in range(PERIODS):
                if not self.physics.advance():
                    self._broke_down()
            self._pass_step()
        if action is None:
            return None
        result = "cancelled" if reason == "cancelled" else "stopped"
        where = words(self.rover.spot())
        return self._end(action, Ending(result, reason, f"{result.capitalize()} at {where}."))

    def measure(self) -> Measured:
        return self._measured((), 0)

    def is_still(self) -> bool:
        return self.action is None and self.physics.is_still()

    def telemetry(self) -> list[dict[str, Any]]:
        return describe.telemetry(self)

    def truth(self, met_s: float) -> Sequence[Mapping[str, Any]]:
        return self.floor.truth(met_s)

    def take_history(self) -> list[Any]:
        return self.floor.take_history()

    def restore_history(self, rows: list[Any]) -> None:
        self.floor.restore_history(rows)

    def save(self) -> dict[str, Any]:
        return {
            "scenario": self.scenario.name,
            "seed": self.seed,
            "steps": self._steps,
            "worked_steps": self._worked_steps,
            "told_s": self._told_s,
            "held": self.rover.held,
            "physics": self.physics.save(),
            "floor": self.floor.save(),
            "action": None if self.action is None else self.action.save(),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Raises ValueError when what was saved is another world's."""
        if (saved["scenario"], saved["seed"]) != (self.scenario.name, self.seed):
            raise ValueError(
                f"This home holds scenario {saved['scenario']} with seed {saved['seed']}, and other values"
                f" were asked for. Give another home, or ask for that world."
            )
        self._steps, self._worked_steps, self._told_s = saved["steps"], saved["worked_steps"], saved["told_s"]
        self.rover.held = saved["held"]
        self.physics.restore(saved["physics"])
        self.floor.restore(saved["floor"])
        self.action = None if saved["action"] is None else Action.restore(saved["action"])

    @property
    def worked_s(self) -> float:
        """What skills took of its time."""
        return self._worked_steps * STEP_S

    def _pass_step(self) -> None:
        self._steps += 1
        if self.action is not None:
            self.action.count_step()
        self.rover.feel()
        if self._steps * PERIODS % 20 == 0:
            self.floor.enter(self._steps * PERIODS // 20, self.physics.pose())
        self.floor.note(self.met_s)

    def _broke_down(self) -> Ending:
        """MuJoCo found numbers that no body can have; the last sound ones stand again, and nothing moves."""
        self.rover.freeze()
        log.warning(
            "The simulated bodies broke down at %.1f s; they stand where they were before.", self.met_s
        )
        return Ending("failed", "unstable", f"The simulation broke down at {words(self.rover.spot())}.")

    def _motion(self, step: Step) -> Skill:
        return carried_out(self.rover, self._skill(step), lets_go=step.skill == "deliver")

    def _skill(self, step: Step) -> Skill:
        arguments, rover = step.arguments, self.rover
        if step.skill == "explore":
            x, y = (int(each) for each in arguments["cell"])
            return navigating.explore(rover, spot_of((x, y)), f"cell {x}, {y}")
        if step.skill == "navigate":
            return navigating.navigate(rover, _goal(step))
        if step.skill == "deliver":
            station = arguments["station"]
            return handling.deliver(rover, self._index(arguments["object"]), station, self._stations[station])
        index = self._index(arguments["target"])
        if step.skill == "grasp":
            return handling.grasp(rover, index)
        look = handling.approach if step.skill == "approach" else handling.verify
        return look(rover, index, _goal(step))

    def _index(self, name: str) -> int:
        return self.ids.index(name)

    def _end(self, action: Action, ending: Ending) -> Outcome:
        self.action = None
        self.physics.drive(0.0, 0.0)
        action.trace(self.rover.spot(), last=True)
        action.record(self._photograph, last=True)
        worked_s = int(self.worked_s)
        moves, self._told_s = worked_s - self._told_s, worked_s
        measured = self._measured(tuple(action.path), moves)
        if ending.result == "failed":
            log.info(
                "%s failed at %.1f s (%s): %s", action.step.skill, self.met_s, ending.reason, ending.message
            )
        return Outcome(action.step.skill, *ending, action.started_s, self.met_s, measured, action.frames())

    def _measured(self, path: tuple[Spot, ...], moves: int) -> Measured:
        x_m, y_m, yaw_rad, frame_id = self.physics.pose()
        held = None if self.rover.held is None else self.ids[self.rover.held]
        pose = Pose(round(x_m, 3), round(y_m, 3), round(yaw_rad, 4), frame_id)
        opening_m = round(self.physics.opening_m(), 4)
        touches = self.physics.contacts()
        return Measured(pose, held, self.physics.is_open(), path, moves, opening_m, touches)

    def _photograph(self, camera: str) -> bytes:
        return self.cameras.photograph(self.physics.data, camera)


def _goal(step: Step) -> Spot:
    assert step.goal is not None  # `check` sees to it
    return step.goal.x_m, step.goal.y_m
