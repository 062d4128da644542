"""Between the contract's JSON and the domain's values. What comes in was checked by the contract before."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from backend.bridge import bounded
from backend.domain.execution.outcome import Measured, Outcome, Result
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.plans.plan import Step
from backend.usecases.ports import Picture


def evidence_in(message: Mapping[str, Any]) -> Evidence:
    """The evidence in a checked report. Raises msgspec.ValidationError."""
    piece = msgspec.convert(message, Evidence)
    entity = None if piece.entity is None else bounded.name(piece.entity)
    return replace(piece, entity=entity, cls=bounded.name(piece.cls), sensed_by=bounded.name(piece.sensed_by))


def measured_in(message: Mapping[str, Any]) -> Measured:
    values = {**message, "path_m": message["path"]}
    measured = msgspec.convert(values, Measured)
    return measured if measured.held is None else replace(measured, held=bounded.name(measured.held))


def outcome_in(message: Mapping[str, Any]) -> Outcome:
    """The outcome in a checked reply or report, without its pictures. Raises msgspec.ValidationError."""
    return Outcome(
        dispatch_id=message["dispatch_id"],
        skill=message["skill"],
        result=Result(message["result"]),
        reason=bounded.words(message["reason"]),
        message=bounded.words(message["message"]),
        started_s=float(message["started_s"]),
        ended_s=float(message["ended_s"]),
        measured=measured_in(message["measured"]),
    )


def pictures_in(message: Mapping[str, Any]) -> tuple[Picture, ...]:
    """What the outcome's cameras recorded. Raises ValueError for what is no base64."""
    return tuple(
        Picture(
            camera=frame["camera"],
            step=frame["step"],
            png=base64.b64decode(frame["png_base64"], validate=True),
        )
        for frame in message["frames"]
    )


def step_message(step: Step, goal: Pose | None, cameras: tuple[str, ...]) -> dict[str, Any]:
    """The contract's STEP. Cells and pixels become lists, a goal or watch that is not there null."""
    watch = None
    if step.watch is not None:
        watch = {"points": msgspec.to_builtins(step.watch.points), "camera": step.watch.camera}
    return {
        "skill": step.skill,
        "arguments": msgspec.to_builtins(step.arguments),
        "goal": None if goal is None else msgspec.to_builtins(goal),
        "watch": watch,
        "cameras": list(cameras),
    }
