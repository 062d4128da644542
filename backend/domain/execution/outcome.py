"""The measured outcome of a skill: what was done and measured, not what was asked."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backend.domain.execution.frames import View, WatchedFrames
from backend.domain.geometry import Pose


class Result(StrEnum):
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    STOPPED = "stopped"
    NOT_EXECUTED = "not_executed"


class Tool(Struct, frozen=True, kw_only=True):
    """The end-effector between the fingertips, in frame map; z over the table top. Fingers point straight
    down at roll, pitch and yaw 0."""

    x_m: float
    y_m: float
    z_m: float
    roll_rad: float = 0.0
    pitch_rad: float = 0.0
    yaw_rad: float = 0.0


class Traced(Struct, frozen=True, kw_only=True):
    """A part of a sequence or a chunk of a delegated subgoal, and what was measured right after it.

    `step` is the world's. `height_m`: of a chunk the lowest in it. `check`: empty where there was none;
    `passed` then None.
    """

    what: str
    step: int
    opening_m: float
    height_m: float
    check: str = ""
    passed: bool | None = None


class Measured(Struct, frozen=True, kw_only=True):
    """Read from the robot right after the skill.
    `path_m`: places passed, the last where it stands; `moves`: world steps.

    `opening_m`: between the fingers; `touches`: what each of them touches, in words; `height_m`: of the
    end-effector over what it works on. None, and nothing, of a robot that does not measure it.
    `points_m`: what was located, one for each pixel, None where nothing was; `trace`: of a sequence its
    parts, of a delegated subgoal its chunks. These are left out, in writing too, where there are none.
    """

    pose: Pose | None = None
    held: str | None = None
    gripper_open: bool | None = None
    path_m: tuple[tuple[float, float], ...] = ()
    moves: int = 0
    opening_m: float | None = None
    touches: tuple[str, ...] = ()
    height_m: float | None = None
    tool: Tool | UnsetType = UNSET
    points_m: tuple[tuple[float, float, float] | None, ...] | UnsetType = UNSET
    trace: tuple[Traced, ...] | UnsetType = UNSET


class Judgement(Struct, frozen=True, kw_only=True):
    """What a world that judges its task says once that is over. `error`: its motion planning failed.

    `reason` is a short code, `message` the same in words.
    """

    status: Literal["success", "fail", "timeout", "error"]
    reason: str
    message: str


class Subgoal(Struct, frozen=True, kw_only=True):
    """The next by the truth, of a world that tells it; `pixel` is one of the front view."""

    phrase: str
    pixel: tuple[float, float]


class Outcome(Struct, frozen=True, kw_only=True):
    """`reason` is a short code (arrived, absent, grasp_slipped, …),
    `message` the same in the operator's words.

    `views`: what each camera saw right after it; `verdict`: once the task is over. What a world does not tell
    is left out, in writing too.
    """

    dispatch_id: str
    skill: str
    result: Result
    reason: str
    message: str
    started_s: float
    ended_s: float
    measured: Measured = Measured()
    frames: WatchedFrames | None = None
    views: tuple[View, ...] | UnsetType = UNSET
    verdict: Judgement | UnsetType = UNSET
    subgoal: Subgoal | UnsetType = UNSET
