"""The skill that runs on a robot: what was asked, what was measured, and the outcome made of both."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from robot_bridge.recording import EVERY_STEPS, MOST_FRAMES
from robot_bridge.ros.config import Skill
from robot_bridge.world import Frame, Measured, Outcome, Pose, Step

CODE = re.compile(r"[^a-z0-9]+")
PICTURES_S = 1.5
"""How long the last pictures may take."""


class End(NamedTuple):
    """As the child told it: `end` is one of its ENDS, or `connection_lost`."""

    end: str
    result: dict[str, Any]
    message: str
    at_s: float


class Running:
    """`life`: which life of the child it was sent in; `halt`: why it is being stopped, empty while it is not.

    Times are mission time, but for `End.at_s`, which is monotonic.
    """

    def __init__(self, goal_id: str, step: Step, life: int, started_s: float) -> None:
        self.goal_id = goal_id
        self.step = step
        self.life = life
        self.started_s = started_s
        self.halt = ""
        self.end: End | None = None
        self.path: list[tuple[float, float]] = []
        self.pictures = Pictures(step.cameras, started_s)
        self._cell: tuple[int, int] | None = None

    def passes(self, pose: Pose, cell_m: float) -> None:
        """Remember each cell that is entered."""
        cell = round(pose.x_m / cell_m), round(pose.y_m / cell_m)
        if self._cell is not None and cell != self._cell:
            self.path.append((pose.x_m, pose.y_m))
        self._cell = cell

    def save(self) -> dict[str, Any]:
        return {
            "goal_id": self.goal_id,
            "skill": self.step.skill,
            "arguments": dict(self.step.arguments),
            "started_s": self.started_s,
            "path": self.path,
        }

    @classmethod
    def restore(cls, saved: dict[str, Any]) -> Running:
        """One of an earlier process: it is no more than stopped, and its end told."""
        running = cls(saved["goal_id"], Step(saved["skill"], saved["arguments"]), -1, saved["started_s"])
        running.path = [(x, y) for x, y in saved["path"]]
        return running


class Pictures:
    """What the cameras show: before the action, every fourth second of it, and at its end."""

    def __init__(self, cameras: tuple[str, ...], started_s: float) -> None:
        self._cameras = cameras
        self._asked_s = started_s
        self._first_s = started_s
        self._waiting: dict[int, int] = {}
        self._got: list[Frame] = []

    @property
    def is_waiting(self) -> bool:
        return bool(self._waiting)

    def due(self, met_s: float) -> tuple[str, ...]:
        """The cameras to ask now."""
        if not self._cameras or met_s - self._asked_s < EVERY_STEPS:
            return ()
        self._asked_s = met_s
        return self._cameras

    def asked(self, request: int, met_s: float) -> None:
        self._waiting[request] = round(met_s)

    def got(self, request: int, camera: str, png: bytes | None) -> None:
        step = self._waiting.pop(request, None)
        if step is not None and png is not None:
            self._got.append(Frame(camera, step, png))

    def frames(self) -> tuple[Frame, ...]:
        """Of each camera the view before the action and at most 16 of it, evenly spaced, the last too."""
        kept: list[Frame] = []
        for camera in self._cameras:
            mine = sorted((each for each in self._got if each.camera == camera), key=lambda each: each.step)
            later = mine[1:]
            if len(later) > MOST_FRAMES:
                later = [later[round((n + 1) * len(later) / MOST_FRAMES) - 1] for n in range(MOST_FRAMES)]
            kept += [*mine[:1], *later]
        return tuple(sorted(kept, key=lambda each: each.step))


def outcome_of(
    running: Running, skill: Skill | None, gripper: str | None, measured: Measured, met_s: float
) -> Outcome:
    """`gripper`: open, holds or empty as measured now; None where nothing measures it.

    A success that the gripper contradicts is a failure.
    """
    assert running.end is not None
    result, reason, message = _ending(running, running.end, skill)
    if result == "succeeded" and skill is not None and skill.measure and gripper is not None:
        if skill.measure == "holds" and gripper != "holds":
            result, reason = "failed", "grasp_slipped"
            message = f"The gripper is measured {WORDS[gripper]}."
        elif skill.measure == "empty" and gripper == "holds":
            result, reason, message = (
                "failed",
                "place_failed",
                "The gripper is measured to hold something still.",
            )
    path = list(running.path)
    moved = (measured.pose.x_m, measured.pose.y_m)
    if path and path[-1] != moved:
        path[-1] = moved
    moves = max(round(met_s - running.started_s), 0)
    told = measured._replace(path=tuple(path), moves=moves)
    frames = running.pictures.frames()
    return Outcome(running.step.skill, result, reason, message, running.started_s, met_s, told, frames)


WORDS = {"open": "open", "empty": "shut on nothing", "holds": "to hold something"}


def _ending(running: Running, end: End, skill: Skill | None) -> tuple[str, str, str]:
    code = _code(end.result.get(skill.reason)) if skill is not None and skill.reason else ""
    words = str(end.result.get(skill.message) or "") if skill is not None and skill.message else ""
    words = (words or end.message)[:2000]
    if end.end == "succeeded":
        return "succeeded", code or DONE.get(running.step.skill, "done"), words or "Done."
    if running.halt:
        result = "cancelled" if running.halt == "cancelled" else "stopped"
        return result, running.halt, f"{result.capitalize()}; standstill was measured. {words}".strip()
    if end.end == "refused":
        return "not_executed", "refused", words
    if end.end == "cancelled":
        return "cancelled", "cancelled", words or "The robot cancelled it by itself."
    if end.end == "lost":
        return "failed", "server_lost", words
    if end.end in ("halted", "connection_lost"):
        return "failed", "connection_lost", words
    return "failed", code or "failed", words or "The robot reports that it failed."


DONE = {"navigate": "arrived", "explore": "arrived", "approach": "lined_up", "grasp": "grasped",
        "deliver": "delivered", "verify": "looked"}  # fmt: skip


def _code(value: object) -> str:
    return CODE.sub("_", str(value or "").lower()).strip("_")[:60]


def held_after(step: Step, measure: str, held: str | None) -> str | None:
    """What the gripper holds after the step succeeded."""
    if step.skill == "grasp" or measure == "holds":
        target = step.arguments.get("target") or step.arguments.get("object")
        return target if isinstance(target, str) else held
    return None if step.skill == "deliver" or measure == "empty" else held
