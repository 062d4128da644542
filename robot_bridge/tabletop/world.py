"""The tabletop behind the bridge: an arm at 20 Hz, one skill at a time, and a task that alone judges itself.

    world = TabletopWorld(scenario_named("bin-fill/easy"), seed=seed_of("test", "bin-fill", 4))
    world.start(Step("move", {"x_m": 0.0, "y_m": 0.0, "z_m": 0.1}))
    outcome = world.advance()              # 0.05 s later; None while the skill runs

Physics goes on only while the world is asked to. Deterministic for a seed on one machine. A skill that was
under way when its process died only ends: its motion is not taken up again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from robot_bridge.simulation.running import Ending, Skill, Spot
from robot_bridge.tabletop import checking, describe
from robot_bridge.tabletop.action import Action
from robot_bridge.tabletop.arm import Arm, words
from robot_bridge.tabletop.camera import DEMONSTRATED_PX, REMEDY, Cameras
from robot_bridge.tabletop.catalogue import CAMERAS, EPISODE_STEPS, FRONT
from robot_bridge.tabletop.demonstrating import play
from robot_bridge.tabletop.deprojecting import Point
from robot_bridge.tabletop.executing import Executing
from robot_bridge.tabletop.executor import Faults, order_of, waypoints_for
from robot_bridge.tabletop.kinematics import HOME, Kinematics
from robot_bridge.tabletop.physics import CONTROL_S, OPEN_M, OPENING_M, Physics
from robot_bridge.tabletop.pointing import pointing_at
from robot_bridge.tabletop.scenarios import Scenario
from robot_bridge.tabletop.skills.delegate import delegate
from robot_bridge.tabletop.skills.locate import locate
from robot_bridge.tabletop.skills.move import goal_of, move
from robot_bridge.tabletop.skills.sequence import sequence
from robot_bridge.tabletop.skills.wait import wait
from robot_bridge.tabletop.staging import Look
from robot_bridge.tabletop.tasks import task_named
from robot_bridge.tabletop.values import Verdict, Waypoint, progress_from_json, progress_to_json
from robot_bridge.world import (
    Clock,
    Frame,
    Measured,
    NotReady,
    Outcome,
    Pose,
    Refusal,
    Sighting,
    Step,
    Subgoal,
    Tool,
)
from robot_bridge.world import Verdict as Told

REST = Tool(-0.15, 0.0, 0.35)
"""Where the arm waits at first: out of the front camera's view of the table."""
HALT_STEPS = 10
"""So long a halt waits for a standstill that does not come."""

log = logging.getLogger(__name__)


class Passed:
    """The control steps that went by; apart, since a world that its arm held would keep its cameras open."""

    def __init__(self) -> None:
        self.steps = 0

    def read(self) -> int:
        return self.steps


class TabletopWorld:
    """`emits_truth`: each outcome also tells the next subgoal by the truth, for the oracle baseline.

    `faults`: of the executor; None for the usual rates.
    """

    clock: Clock = "waits"
    tick_s = CONTROL_S

    def __init__(
        self, scenario: Scenario, seed: int, emits_truth: bool = False, faults: Faults | None = None
    ) -> None:
        self.scenario, self.seed, self._emits_truth = scenario, seed, emits_truth
        self.task = task_named(scenario.task, Random(seed), scenario.difficulty)
        self.physics = Physics(self.task.layout)
        kinematics = Kinematics(self.physics.model)
        posture = kinematics.joints_for(REST, np.array(HOME))
        assert posture is not None
        self.physics.stand(posture, OPENING_M)
        self.cameras = Cameras(self.physics.model)
        self.shown = play(self.physics, kinematics, self.task)
        self._passed = Passed()
        self.arm = Arm(self.physics, kinematics, self._passed.read)
        self.faults, self.executor = faults or Faults(), Executing(self.arm, seed)
        self.action: Action | None = None
        self.progress = self.task.begin()
        self.verdict: Verdict | None = None
        self._told_steps = 0
        self._viewed: tuple[Frame, ...] | None = None
        self.physics.change(self.task.happenings(self.progress, 1))

    @property
    def met_s(self) -> float:
        return round(self.steps * CONTROL_S, 2)

    @property
    def steps(self) -> int:
        return self._passed.steps

    def describe(self) -> dict[str, Any]:
        return describe.world(self)

    def check(self, step: Step) -> Refusal | None:
        if self.verdict is not None:
            problem = f"comes after the task ended: {self.verdict.message}"
            return Refusal("task_over", "step", problem, "End the mission.")
        refusal = checking.refuse(step, self.scenario.executor)
        if refusal is not None or not (problem := self.cameras.problem()):
            return refusal
        return Refusal("no_renderer", "step", f"needs the cameras, and the table {problem}", f"{REMEDY}.")

    def start(self, step: Step) -> Outcome | None:
        self.arm.trace.clear()
        if step.skill == "locate":
            located = locate(self.cameras, self.physics.look(), step.arguments)
            return self._end(self._begun(step, None, None), located.ending, located.points_m)
        before = self.physics.look() if step.cameras else None
        motion = self._motion(step)
        if isinstance(motion, Ending):
            return self._end(self._begun(step, None, before), motion)
        self.action = self._begun(step, motion, before)
        ending = self.action.next()
        return None if ending is None else self._ended(self.action, ending)

    def advance(self) -> Outcome | None:
        is_sound = self._pass_step()
        action = self.action
        if action is None:
            return None
        action.trace(self.physics.tool()[:2])
        if action.recorder is not None:
            action.recorder.see(self.steps, self.physics.look)
        ending = self._over() or (None if is_sound else self._broke_down()) or action.next()
        return None if ending is None else self._ended(action, ending)

    def elapse(self, now_s: float) -> Outcome | None:
        return None

    def observe(self) -> list[Sighting]:
        return []

    def halt(self, reason: str) -> Outcome | None:
        """The arm brakes at once; physics takes its time to stand still."""
        action = self.action
        if action is not None:
            action.stop()
        self.physics.freeze()
        for _ in range(HALT_STEPS):
            if self.physics.is_still():
                break
            self._pass_step()
        if action is None:
            return None
        result = "cancelled" if reason == "cancelled" else "stopped"
        return self._end(
            action, Ending(result, reason, f"{result.capitalize()} at {words(self.physics.tool())}.")
        )

    def measure(self) -> Measured:
        return self._measured((), (), 0)

    def tool(self) -> Tool:
        """As it is told: to a tenth of a millimetre."""
        return Tool(*(round(each, 4) + 0.0 for each in self.physics.tool()))

    def is_still(self) -> bool:
        return self.action is None and self.physics.is_still()

    def telemetry(self) -> list[dict[str, Any]]:
        return describe.telemetry(self)

    def truth(self, met_s: float) -> Sequence[Mapping[str, Any]]:
        """Of the present alone: no past is kept."""
        return describe.truth(self) if met_s >= self.met_s else ()

    def demonstration(self, first: int, count: int) -> tuple[int, Sequence[Frame]]:
        """Drawn as they are asked for. Raises NotReady where nothing can be rendered."""
        if self.shown and (problem := self.cameras.problem()):
            raise NotReady(
                Refusal("no_renderer", "op", f"needs a camera, and the table {problem}", f"{REMEDY}.")
            )
        asked = range(first, min(first + count, len(self.shown)))
        frames = [
            Frame(FRONT, number, self.cameras.photograph(self.shown[number], FRONT, DEMONSTRATED_PX))
            for number in asked
        ]
        return len(self.shown), frames

    def views(self) -> tuple[Frame, ...]:
        """What each camera sees now; none where nothing can be rendered.

        Between two steps nothing moves: they are drawn once.
        """
        if self.cameras.problem():
            return ()
        if self._viewed is None or self._viewed[0].step != self.steps:
            look = self.physics.look()
            self._viewed = tuple(self.cameras.view(look, camera, self.steps) for camera in CAMERAS)
        return self._viewed

    def subgoal(self) -> Subgoal | None:
        if not self._emits_truth or self.verdict is not None or self.cameras.problem():
            return None
        ideal = self.task.ideal(self.progress, self.physics.snapshot(self.steps))
        if ideal is None:
            return None
        pixel = pointing_at(self.cameras, self.physics.look(without_arm=True), ideal.at_m)
        return None if pixel is None else Subgoal(ideal.phrase, pixel)

    def save(self) -> dict[str, Any]:
        return {
            "scenario": self.scenario.name,
            "seed": self.seed,
            "steps": self.steps,
            "told_steps": self._told_steps,
            "physics": self.physics.save(),
            "progress": progress_to_json(self.progress),
            "verdict": None if self.verdict is None else list(self.verdict),
            "action": None if self.action is None else self.action.save(),
            "executor": self.executor.save(),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Raises ValueError when what was saved is another world's."""
        if (saved["scenario"], saved["seed"]) != (self.scenario.name, self.seed):
            raise ValueError(
                f"This home holds scenario {saved['scenario']} with seed {saved['seed']}, and other values"
                f" were asked for. Give another home, or ask for that world."
            )
        self._passed.steps, self._told_steps = saved["steps"], saved["told_steps"]
        self._viewed = None
        self.physics.restore(saved["physics"])
        self.progress = progress_from_json(saved["progress"])
        self.verdict = None if saved["verdict"] is None else Verdict(*saved["verdict"])
        self.executor.restore(saved["executor"])
        self.action = None if saved["action"] is None else Action.restore(saved["action"])

    def _begun(self, step: Step, motion: Skill | None, before: Look | None) -> Action:
        return Action(step, self.steps, motion, before, self.physics.tool()[:2])

    def _motion(self, step: Step) -> Skill | Ending:
        arguments = step.arguments
        if step.skill == "wait":
            return wait(self.arm, int(arguments["steps"]))
        if step.skill == "sequence":
            return sequence(self.arm, arguments["moves"])
        return self._delegated(step) if step.skill == "delegate" else move(self.arm, goal_of(arguments))

    def _delegated(self, step: Step) -> Skill | Ending:
        """Where the pixel points in the present front view, looked at past the arm."""
        asked = {"camera": FRONT, "pixel": step.arguments["pixel"]}
        ending, points_m = locate(self.cameras, self.physics.look(without_arm=True), asked)
        if points_m[0] is None:
            return ending
        snap = self.physics.snapshot(self.steps)
        order = order_of(step.arguments["phrase"], points_m[0], self.task.layout, snap)
        ideal = self.task.ideal(self.progress, snap)

        def draw(chance: Random) -> tuple[Waypoint, ...]:
            return waypoints_for(order, self.task.layout, snap, ideal, chance, self.faults)

        self.executor.take(order, draw)
        return delegate(self.arm, self.executor, order.phrase, int(step.arguments["chunks"]))

    def _pass_step(self) -> bool:
        """One control step: what happens by itself, what the arm does, and what the task says of it."""
        self.physics.change(self.task.happenings(self.progress, self.steps + 1))
        is_sound = self.physics.advance()
        self._passed.steps += 1
        if self.verdict is None:
            self.progress = self.task.judge(self.progress, self.physics.snapshot(self.steps))
            self.verdict = self.progress.verdict
        if self.verdict is None and self.steps >= EPISODE_STEPS:
            message = f"The episode's {EPISODE_STEPS} steps are over."
            self.verdict = Verdict("timeout", "steps", message)
        return is_sound

    def _over(self) -> Ending | None:
        if self.verdict is None:
            return None
        result = "succeeded" if self.verdict.status == "success" else "failed"
        return Ending(result, f"task_{self.verdict.status}", self.verdict.message)

    def _broke_down(self) -> Ending:
        self.physics.freeze()
        log.warning("The simulated bodies broke down at step %d; they stand where they were.", self.steps)
        return Ending("failed", "unstable", f"The simulation broke down at step {self.steps}.")

    def _ended(self, action: Action, ending: Ending) -> Outcome:
        if ending.reason == "unreachable" and not self.scenario.refuses and self.verdict is None:
            self.verdict = Verdict("error", "unreachable", ending.message)
        return self._end(action, ending)

    def _end(self, action: Action, ending: Ending, points_m: tuple[Point | None, ...] = ()) -> Outcome:
        self.action = None
        frames: tuple[Frame, ...] = ()
        if action.recorder is not None:
            frames = action.recorder.frames(self.steps, self.physics.look(), self._photograph)
        moves, self._told_steps = self.steps - self._told_steps, self.steps
        measured = self._measured(tuple(action.path), points_m, moves)._replace(trace=tuple(self.arm.trace))
        started_s = round(action.started * CONTROL_S, 2)
        verdict = None if self.verdict is None else Told(*self.verdict)
        if ending.result != "succeeded":
            log.info("%s %s (%s): %s", action.step.skill, ending.result, ending.reason, ending.message)
        return Outcome(
            action.step.skill, *ending, started_s, self.met_s, measured, frames, self.views(), verdict,
            self.subgoal(),
        )  # fmt: skip

    def _measured(self, path: tuple[Spot, ...], points_m: tuple[Point | None, ...], moves: int) -> Measured:
        """No sensor tells what the fingers are on: their distance is all that is known of it."""
        tool = self.tool()
        opening_m = round(self.physics.opening_m(), 4)
        return Measured(
            Pose(tool.x_m, tool.y_m, tool.yaw_rad), None, opening_m >= OPEN_M, path, moves, opening_m, (),
            tool.z_m, tool, points_m,
        )  # fmt: skip

    def _photograph(self, look: Look, camera: str) -> bytes:
        return self.cameras.photograph(look, camera)
