"""An episode's events and samples as messages: where the robot was, what was believed, planned and seen."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.memory.record import EntityRecord, Status
from backend.usecases.reading import Entry, TelemetrySample

INFO, WARNING = 2, 3
FRAME = "map"
SIZE_M = 0.4
FOREVER = {"sec": 0, "nsec": 0}

COLORS = {
    Status.OBSERVED: (0.35, 0.55, 0.85),
    Status.GRASPED: (0.95, 0.75, 0.2),
    Status.DELIVERED: (0.35, 0.7, 0.4),
    Status.RECONSIDER: (0.9, 0.5, 0.2),
    Status.LOST: (0.8, 0.3, 0.3),
}
OTHER = (0.6, 0.6, 0.6)

FindFrame = Callable[[str], bytes | None]


class Message(Struct, frozen=True):
    topic: str
    schema: str
    body: dict[str, Any]


def pose_message(sample: TelemetrySample, at_ns: int) -> Message:
    pose = _pose(sample.x_m, sample.y_m, sample.yaw_rad)
    body = {"timestamp": _time(at_ns), "frame_id": sample.frame_id or FRAME, "pose": pose}
    return Message(f"/robots/{sample.robot}/pose", "foxglove.PoseInFrame", body)


def messages_of(
    entry: Entry, before: State | None, after: State, at_ns: int, frame: FindFrame
) -> Iterator[Message]:
    """Of one event, with the states before and after it."""
    event = entry.recorded.event
    yield _event(entry)
    yield _log(entry, at_ns)
    yield from _scene(before, after, at_ns)
    if isinstance(event, e.StepEnded) and event.outcome.measured.pose is not None:
        measured = event.outcome.measured.pose
        body = {"timestamp": _time(at_ns), "frame_id": FRAME, "pose": _placed(measured)}
        yield Message(f"/robots/{after.robot.name}/measured", "foxglove.PoseInFrame", body)
    if isinstance(event, e.PlanProposed):
        plan = event.plan
        steps = [
            {"skill": step.skill, "arguments": msgspec.to_builtins(step.arguments)} for step in plan.steps
        ]
        told = {"number": plan.number, "author": plan.author, "rationale": plan.rationale, "steps": steps}
        yield Message("/plan", "quarterdeck.Plan", told)
    if isinstance(event, e.FramesRecorded):
        yield from _images(event, at_ns, frame)


def _event(entry: Entry) -> Message:
    recorded = entry.recorded
    body = {
        "seq": recorded.seq,
        "met_s": recorded.met_s,
        "utc": entry.utc,
        "kind": entry.kind,
        "actor": recorded.actor,
        "event": msgspec.to_builtins(recorded.event),
    }
    return Message("/journal", "quarterdeck.Event", body)


def _log(entry: Entry, at_ns: int) -> Message:
    alarms = (e.StopAsked, e.StopUnconfirmed, e.PlanRefused, e.IntentRefused, e.DispatchInDoubt)
    level = WARNING if isinstance(entry.recorded.event, alarms) else INFO
    body = {
        "timestamp": _time(at_ns),
        "level": level,
        "name": entry.recorded.actor,
        "message": f"{entry.recorded.seq} {entry.kind}",
        "file": "",
        "line": entry.recorded.seq,
    }
    return Message("/log", "foxglove.Log", body)


def _scene(before: State | None, after: State, at_ns: int) -> Iterator[Message]:
    """The records that this event changed, and those that are no more."""
    old = {} if before is None else before.memory.records
    now = after.memory.records
    changed = [record for key, record in now.items() if old.get(key) is not record]
    lost = [key for key in old if key not in now]
    if changed or lost:
        body = {
            "entities": [_entity(record, at_ns) for record in changed],
            "deletions": [{"timestamp": _time(at_ns), "type": 0, "id": key} for key in lost],
        }
        yield Message("/memory", "foxglove.SceneUpdate", body)


def _entity(record: EntityRecord, at_ns: int) -> dict[str, Any]:
    pose = _placed(record.pose)
    red, green, blue = COLORS.get(record.status, OTHER)
    color = {"r": red, "g": green, "b": blue, "a": max(0.2, min(1.0, record.confidence))}
    told = {"class": record.cls, "status": record.status.value, "source": record.source.value}
    return {
        "timestamp": _time(at_ns),
        "frame_id": FRAME,
        "id": record.id,
        "lifetime": FOREVER,
        "frame_locked": False,
        "metadata": [{"key": key, "value": value} for key, value in told.items()],
        "cubes": [{"pose": pose, "size": {"x": SIZE_M, "y": SIZE_M, "z": SIZE_M}, "color": color}],
        "texts": [
            {
                "pose": pose,
                "billboard": True,
                "font_size": 12.0,
                "scale_invariant": True,
                "color": {"r": 1.0, "g": 1.0, "b": 1.0, "a": 1.0},
                "text": f"{record.id} {record.status.value}",
            }
        ],
    }


def _images(event: e.FramesRecorded, at_ns: int, frame: FindFrame) -> Iterator[Message]:
    for shot in event.watched.frames:
        data = frame(shot.sha256)
        if data is not None:
            body = {
                "timestamp": _time(at_ns),
                "frame_id": shot.camera,
                "format": "png",
                "data": base64.b64encode(data).decode(),
            }
            yield Message(f"/cameras/{shot.camera}", "foxglove.CompressedImage", body)


def _placed(pose: Pose) -> dict[str, Any]:
    return _pose(pose.x_m, pose.y_m, pose.yaw_rad)


def _pose(x_m: float, y_m: float, yaw_rad: float) -> dict[str, Any]:
    half = yaw_rad / 2
    return {
        "position": {"x": x_m, "y": y_m, "z": 0.0},
        "orientation": {"x": 0.0, "y": 0.0, "z": math.sin(half), "w": math.cos(half)},
    }


def _time(at_ns: int) -> dict[str, int]:
    return {"sec": at_ns // 10**9, "nsec": at_ns % 10**9}
