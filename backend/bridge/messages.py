"""Between the contract's JSON and the domain's values. What comes in was checked by the contract before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from backend.bridge import bounded
from backend.bridge.translate import arguments_out, judgement, picture_in
from backend.domain.execution.outcome import Judgement, Measured, Outcome, Result, Subgoal
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.plans.plan import Step
from backend.usecases.ports import Picture, Stopped


def evidence_in(message: Mapping[str, Any]) -> Evidence:
    """The evidence in a checked report. Raises msgspec.ValidationError."""
    piece = msgspec.convert(message, Evidence)
    entity = None if piece.entity is None else bounded.name(piece.entity)
    return replace(piece, entity=entity, cls=bounded.name(piece.cls), sensed_by=bounded.name(piece.sensed_by))


def measured_in(message: Mapping[str, Any]) -> Measured:
    values = {**message, "path_m": message["path"]}
    measured = msgspec.convert(values, Measured)
    if measured.trace:
        told = [
            replace(each, what=bounded.words(each.what), check=bounded.words(each.check))
            for each in measured.trace
        ]
        measured = replace(measured, trace=tuple(told))
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
        verdict=_verdict_in(message["verdict"]) if message.get("verdict") else UNSET,
        subgoal=msgspec.convert(message["subgoal"], Subgoal) if message.get("subgoal") else UNSET,
    )


def _verdict_in(message: Mapping[str, Any]) -> Judgement:
    told = judgement(message)
    return replace(told, reason=bounded.words(told.reason), message=bounded.words(told.message))


def pictures_in(message: Mapping[str, Any]) -> tuple[Picture, ...]:
    """What the outcome's cameras recorded. Raises ValueError for what is no base64."""
    return tuple(picture_in(frame) for frame in message["frames"])


def views_in(message: Mapping[str, Any]) -> tuple[Picture, ...]:
    """What its cameras saw right after it. Raises ValueError for what is no base64."""
    return tuple(picture_in(frame) for frame in message.get("views", ()))


def shown_in(message: Mapping[str, Any] | None) -> tuple[tuple[Picture, ...], tuple[Picture, ...]]:
    """An outcome's pictures and views; none where they are damaged: what was done counts all the same."""
    if message is None:
        return (), ()
    try:
        return pictures_in(message), views_in(message)
    except ValueError:
        return (), ()


def stopped_in(message: Mapping[str, Any], trips: dict[str, str]) -> Stopped:
    """Of a checked report. `trips`: why the bridge made stops by itself; what is told is taken out."""
    stop_id, by = message["stop_id"], message["actor"]
    if by == "bridge" and stop_id.startswith("restart-"):
        by = "Bridge: it was started anew while a step was running"
    return Stopped(stop_id=stop_id, measured=measured_in(message["measured"]), by=trips.pop(stop_id, by))


def step_message(step: Step, goal: Pose | None, cameras: tuple[str, ...]) -> dict[str, Any]:
    """The contract's STEP. Cells and pixels become lists, a goal or watch that is not there null."""
    watch = None
    if step.watch is not None:
        watch = {"points": msgspec.to_builtins(step.watch.points), "camera": step.watch.camera}
    return {
        "skill": step.skill,
        "arguments": msgspec.to_builtins(arguments_out(step.arguments)),
        "goal": None if goal is None else msgspec.to_builtins(goal),
        "watch": watch,
        "cameras": list(cameras),
    }
