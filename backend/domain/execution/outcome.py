"""The measured outcome of a skill: what was done and measured, not what was asked."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from backend.domain.execution.frames import WatchedFrames
from backend.domain.geometry import Pose


class Result(StrEnum):
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    STOPPED = "stopped"
    NOT_EXECUTED = "not_executed"


class Measured(Struct, frozen=True, kw_only=True):
    """Read from the robot right after the skill.
    `path_m`: places passed, the last where it stands; `moves`: world steps.

    `opening_m`: between the fingers; `touches`: what each of them touches, in words; `height_m`: of the
    end-effector over what it works on. None, and nothing, of a robot that does not measure it.
    """

    pose: Pose | None = None
    held: str | None = None
    gripper_open: bool | None = None
    path_m: tuple[tuple[float, float], ...] = ()
    moves: int = 0
    opening_m: float | None = None
    touches: tuple[str, ...] = ()
    height_m: float | None = None


class Outcome(Struct, frozen=True, kw_only=True):
    """`reason` is a short code (arrived, absent, grasp_slipped, …),
    `message` the same in the operator's words."""

    dispatch_id: str
    skill: str
    result: Result
    reason: str
    message: str
    started_s: float
    ended_s: float
    measured: Measured = Measured()
    frames: WatchedFrames | None = None
