"""A ROS robot as the bridge core's world: what is asked of it goes to the child, what is measured comes back.

An outcome is given when an end was measured, never when a stop was asked for: `halt` of a robot that moves
gives none, and `elapse` does, once the robot stands still. A child that died in mid-skill is started again
and stops the robot first.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from robot_bridge.ros.bag.player import BagChild
from robot_bridge.ros.config import Robot
from robot_bridge.ros.describing import hello_of, telemetry_of
from robot_bridge.ros.goals import goal_values, refusal_of
from robot_bridge.ros.ground import Ground
from robot_bridge.ros.listening import Listening
from robot_bridge.ros.pictures import png_or_none
from robot_bridge.ros.process import Child
from robot_bridge.ros.running import PICTURES_S, End, Running, held_after, outcome_of
from robot_bridge.world import Clock, Measured, NotReady, Outcome, Pose, Refusal, Sighting, Step

log = logging.getLogger(__name__)

REPORT_EVERY_S = 0.1
"""Mission time goes in steps of that, each written to the ledger; what matters is written at once."""
MEASURING_S = 1.0
"""How long after its end a skill's gripper may take to be measured."""
INITIAL_S = 5.0
"""How long the initial records are waited for."""


class RosWorld:
    """`rate`: mission seconds a second; 1 but for a simulation that hurries. `seed` is only told on.

    `floor`: the contract's map; None where the robot publishes it, and it is then followed.
    """

    clock: Clock = "runs"
    tick_s = REPORT_EVERY_S

    def __init__(
        self,
        robot: Robot,
        child: Child | BagChild,
        monotonic: Callable[[], float],
        *,
        rate: float = 1.0,
        seed: int = 0,
        floor: dict[str, Any] | None = None,
    ) -> None:
        self.robot = robot
        self.seed = seed
        self._child = child
        self._monotonic = monotonic
        self._rate = rate
        self._met_s = self._met_base_s = 0.0
        self._anchor_s: float | None = None
        self._ready_s = 0.0
        self._life = 0
        self._listening = Listening(robot, rate)
        self._ground = Ground(robot, floor)
        self._described: dict[str, Any] | None = None
        self._initial: dict[str, Sighting] = {}
        self._initial_heard: set[str] = set()
        self._due: list[Sighting] = []
        self._running: Running | None = None
        self._held: str | None = None
        self._halts: set[str] = set()
        self._ids = itertools.count(1)

    @property
    def met_s(self) -> float:
        return self._met_s

    @property
    def is_ending(self) -> bool:
        """A stop was asked for, and the running skill's end is not measured yet."""
        return self._running is not None and bool(self._running.halt)

    def describe(self) -> dict[str, Any]:
        """Raises NotReady until child, pose, map and initial records are there; then the same ever after, but
        for the map, which is the latest."""
        self._child.begin()
        if self._described is None:
            problem = self._not_ready()
            if problem:
                raise NotReady(
                    Refusal("robot_silent", "robot", f"{self.robot.name}: {problem}", "Wait, or mend it.")
                )
            self._described = {"seed": self.seed, "initial": list(self._initial.values())}
        described = {**self._described, "floor": self._ground.told()}
        return hello_of(self.robot, described, self._listening.pose, self._listening.others())

    def check(self, step: Step) -> Refusal | None:
        now_s = self._monotonic()
        refusal = refusal_of(self.robot, step, self._ground.floor)
        if refusal is None and (not self._child.is_ready or self._listening.is_silent(now_s)):
            trouble = " ".join(self.troubles()) or "it is not heard"
            return Refusal(
                "robot_silent", "step", f"cannot be sent: {trouble}", "Wait until the robot is back."
            )
        return refusal

    def start(self, step: Step) -> Outcome | None:
        goal_id = f"{self.robot.ros.node}-{self._met_s:.1f}-{next(self._ids)}"
        self._running = running = Running(goal_id, step, self._child.lives, self._met_s)
        running.passes(self._listening.pose, self.robot.site.cell_m)
        self._photograph(running, step.cameras)
        values = goal_values(self.robot, step)
        if not self._child.send("goal", goal_id=goal_id, skill=step.skill, values=values):
            running.end = End("refused", {}, f"It was not sent: {self._child.why_not}.", self._monotonic())
            return self._ended(self._monotonic())
        return None

    def advance(self) -> Outcome | None:
        raise NotImplementedError("A robot's clock runs by itself.")

    def elapse(self, now_s: float) -> Outcome | None:
        self._child.tend()
        self._keep_time(now_s)
        if self._life != self._child.lives:
            self._came_back(now_s)
        if not self._child.is_ready:
            self._listening.forget()
        for message, blob in self._child.take():
            self._hear(message, blob, now_s)
        self._ground.keep(now_s)
        running = self._running
        if running is None:
            self._notice_drop(now_s)
            return None
        self._photograph(running, running.pictures.due(self._met_s) if running.end is None else ())
        if running.end is None or self._halts or not self._is_measured(running, now_s):
            return None
        return self._ended(now_s)

    def observe(self) -> list[Sighting]:
        due, self._due = self._due, []
        return due

    def take_map(self) -> dict[str, Any] | None:
        return self._ground.take()

    def halt(self, reason: str) -> Outcome | None:
        """Ask for the stop. None: nothing runs, or its outcome comes with `elapse`."""
        if self._running is None and reason == "restarted":
            # The ledger knows of a skill that was not written down here: it may have been sent all the same.
            self._running = Running("unknown", Step("unknown", {}), -1, self._met_s)
        if self._running is not None and not self._running.halt:
            self._running.halt = reason
        self._stop()
        return None

    def measure(self) -> Measured:
        gripper = self._listening.gripper(self._monotonic(), -1e9)
        is_open = gripper == "open" if gripper is not None else self._held is None
        return Measured(self._listening.pose, self._held, is_open)

    def is_still(self) -> bool:
        return not self._halts and self._listening.is_still(self._monotonic())

    def telemetry(self) -> list[dict[str, Any]]:
        doing = "idle" if self._running is None else self._running.step.skill
        if self.is_ending:
            doing = f"stopping {doing}"
        now_s = self._monotonic()
        listening = self._listening
        return telemetry_of(
            self.robot,
            self.measure(),
            listening.speed_m_s(now_s),
            listening.battery(),
            doing,
            listening.progress(now_s) if self._running is not None else "",
            self.troubles(),
            listening.others(),
        )

    def troubles(self) -> list[str]:
        """What is wrong now, in the operator's words, the worst first."""
        now_s = self._monotonic()
        if not self._child.is_ready:
            return [f"No ROS: {self._child.why_not}"]
        told = self._listening.troubles(now_s)
        age_s = self._listening.pose_age_s(now_s)
        if self._listening.is_silent(now_s):
            silent = (
                "The robot's pose is not known yet."
                if age_s is None
                else f"The robot is silent for {age_s:.1f} s."
            )
            return [silent, *told]
        return told + ([self._ground.problem] if self._ground.problem else [])

    def truth(self, met_s: float) -> Sequence[Mapping[str, Any]]:
        return ()

    def save(self) -> dict[str, Any]:
        return {
            "robot": self.robot.name,
            "met_s": self._met_s,
            "held": self._held,
            "pose": self._listening.pose._asdict(),
            "running": None if self._running is None else self._running.save(),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Raises ValueError where this home is another robot's."""
        if saved["robot"] != self.robot.name:
            raise ValueError(
                f"This home holds robot {saved['robot']}, and {self.robot.name} was asked for."
                " Give another home."
            )
        self._met_s = self._met_base_s = saved["met_s"]
        self._held = saved["held"]
        self._listening.pose = Pose(**saved["pose"])
        self._running = None if saved["running"] is None else Running.restore(saved["running"])

    def close(self) -> None:
        self._child.close()

    def _keep_time(self, now_s: float) -> None:
        if not self._child.has_begun:
            return
        if self._anchor_s is None:
            self._anchor_s = now_s
        elapsed_s = (now_s - self._anchor_s) * self._rate
        met_s = self._met_base_s + elapsed_s
        if met_s - self._met_s >= REPORT_EVERY_S * self._rate:
            self._met_s = round(met_s, 2)

    def _came_back(self, now_s: float) -> None:
        """A new life of the child: what runs was sent by an earlier one, and is stopped before all else."""
        self._life = self._child.lives
        self._ready_s = now_s
        if self._running is not None or self._halts:
            self._halts.clear()
            self._stop()

    def _stop(self) -> None:
        halt_id = f"halt-{next(self._ids)}"
        self._halts.add(halt_id)
        self._child.send("halt", halt_id=halt_id, reason="stop")

    def _hear(self, message: dict[str, Any], blob: bytes, now_s: float) -> None:
        kind, running = message["kind"], self._running
        if kind == "state":
            self._listening.state(message, now_s)
            if running is not None:
                running.passes(self._listening.pose, self.robot.site.cell_m)
        elif kind == "map":
            self._ground.hear(message, blob)
        elif kind == "detections":
            self._take_sightings(message)
        elif kind == "ended" and running is not None and message["goal_id"] == running.goal_id:
            running.end = End(message["end"], dict(message["result"]), message["message"], now_s)
            self._photograph(running, running.step.cameras)
        elif kind == "halted":
            self._halted(message["halt_id"], now_s)
        elif kind == "picture" and running is not None:
            running.pictures.got(message["request"], message["camera"], png_or_none(message, blob))

    def _halted(self, halt_id: str, now_s: float) -> None:
        """Standstill is measured. What an earlier life of the child was sent has no other end than that."""
        self._halts.discard(halt_id)
        running = self._running
        if running is not None and running.end is None and running.life != self._child.lives:
            told = "The link to the robot was lost meanwhile; it was stopped, and standstill was measured."
            running.end = End("connection_lost", {}, told, now_s)

    def _is_measured(self, running: Running, now_s: float) -> bool:
        """The last pictures are here, and the gripper was measured since, or neither comes any more."""
        assert running.end is not None
        since_s = now_s - running.end.at_s
        skill = self.robot.skills.get(running.step.skill)
        needs_gripper = running.end.end == "succeeded" and skill is not None and bool(skill.measure)
        if (
            needs_gripper
            and since_s < MEASURING_S
            and self._listening.gripper(now_s, running.end.at_s) is None
        ):
            return False
        return not running.pictures.is_waiting or since_s > PICTURES_S

    def _ended(self, now_s: float) -> Outcome:
        running, self._running = self._running, None
        assert running is not None
        skill = self.robot.skills.get(running.step.skill)
        gripper = self._listening.gripper(now_s, -1e9)
        outcome = outcome_of(running, skill, gripper, self.measure(), self._met_s)
        if outcome.result == "succeeded" and skill is not None:
            self._held = held_after(running.step, skill.measure, self._held)
        else:
            self._notice_drop(now_s)
        measured = self.measure()
        told = outcome.measured._replace(held=measured.held, gripper_open=measured.gripper_open)
        return outcome._replace(measured=told)

    def _notice_drop(self, now_s: float) -> None:
        """What was held and is measured not to be was let go, or has fallen."""
        if self._held is not None and self._listening.gripper(now_s, -1e9) in ("empty", "open"):
            log.warning("%s is no longer held", self._held)
            self._held = None

    def _photograph(self, running: Running, cameras: tuple[str, ...]) -> None:
        for camera in cameras:
            request = next(self._ids)
            if self._child.send("picture", request=request, camera=camera):
                running.pictures.asked(request, self._met_s)

    def _take_sightings(self, message: dict[str, Any]) -> None:
        """Initial records belong to the description; what else comes before it is told when it can be."""
        sightings = self._listening.sightings(message, self._met_s)
        source = self.robot.detections.get(message["source"])
        if source is not None and source.source == "initial":
            self._initial_heard.add(message["source"])
            if self._described is None:
                self._initial.update({each.entity or f"{each.cls} {each.pose}": each for each in sightings})
            return
        self._due += sightings

    def _not_ready(self) -> str:
        """What is still missing, empty when nothing is."""
        now_s = self._monotonic()
        if not self._child.is_ready:
            return f"no ROS: {self._child.why_not}"
        if self._listening.is_silent(now_s):
            return " ".join(self.troubles())
        if self._ground.floor is None:
            topic = self.robot.occupancy.topic if self.robot.occupancy is not None else ""
            return self._ground.problem or f"no map has come on {topic} yet"
        sources = {name for name, each in self.robot.detections.items() if each.source == "initial"}
        missing = sources - self._initial_heard
        if missing and now_s - self._ready_s < INITIAL_S:
            return f"the initial records of {', '.join(sorted(missing))} are waited for"
        return ""
