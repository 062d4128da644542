"""Detections out of whatever a robot publishes, as plain values in the frame they were seen in.

By the fields that a message has, not by its class: vision_msgs need not be installed. Pure; `Unusable` says
what is wrong with a message.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, NamedTuple

from robot_bridge.ros.child.geometry import transform_of

if TYPE_CHECKING:
    from typing import Any

    from robot_bridge.ros.child.geometry import Transform

MOST = 500
"""Detections in one message; more is a defect of the detector."""


class Unusable(Exception):
    """Nothing can be made of this message, or this part of it; the text says why."""


class Seen(NamedTuple):
    """`frame` and `stamp_s` (ROS time) are empty and 0 where the message tells none."""

    entity: str | None
    cls: str
    confidence: float
    frame_from_object: Transform
    frame: str
    stamp_s: float


def seen_in(message: Any, kind: str, source: dict[str, Any]) -> list[Seen]:
    """`kind`: json, pose_array or vision. `source`: its entry in the robot's file. Raises Unusable."""
    found = READERS[kind](message, source)
    if len(found) > MOST:
        raise Unusable(f"holds {len(found)} detections, more than {MOST}")
    return found


def _pose_array(message: Any, source: dict[str, Any]) -> list[Seen]:
    """geometry_msgs/PoseArray: class and confidence are the robot's file's."""
    frame, stamp_s = _header(message)
    return [
        Seen(None, source["cls"], source["confidence"], _transform(pose), frame, stamp_s)
        for pose in message.poses
    ]


def _vision(message: Any, source: dict[str, Any]) -> list[Seen]:
    """vision_msgs/Detection3DArray, and Detection2DArray whose hypotheses carry poses; any layout."""
    frame, stamp_s = _header(message)
    found = []
    for detection in message.detections:
        if not detection.results:
            continue
        best = max(detection.results, key=lambda each: _hypothesis(each)[1])
        name, score = _hypothesis(best)
        pose = best.pose.pose if hasattr(best.pose, "pose") else best.pose
        own_frame, own_stamp_s = _header(detection) if hasattr(detection, "header") else ("", 0.0)
        cls = source["classes"].get(str(name), str(name))
        found.append(
            Seen(None, cls, float(score), _transform(pose), own_frame or frame, own_stamp_s or stamp_s)
        )
    return found


def _hypothesis(result: Any) -> tuple[Any, float]:
    inner = result.hypothesis if hasattr(result, "hypothesis") else result
    return (inner.class_id if hasattr(inner, "class_id") else inner.id), inner.score


def _json(message: Any, source: dict[str, Any]) -> list[Seen]:
    """std_msgs/String with `{"frame_id", "stamp_s", "detections": [{"cls", "x_m", "y_m", …}]}`."""
    try:
        body = json.loads(message.data, parse_constant=_no_number)
        frame, stamp_s = str(body.get("frame_id", "")), float(body.get("stamp_s", 0.0))
        return [_json_detection(each, source, frame, stamp_s) for each in body["detections"]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Unusable(f"is not the JSON of a detector: {type(error).__name__} {error}") from None


def _json_detection(each: dict[str, Any], source: dict[str, Any], frame: str, stamp_s: float) -> Seen:
    entity = each.get("id")
    cls = str(each.get("cls", source["cls"]))
    yaw_rad = float(each.get("yaw_rad", 0.0))
    numbers = [float(each["x_m"]), float(each["y_m"]), float(each.get("z_m", 0.0)), yaw_rad]
    if not all(math.isfinite(number) for number in numbers):
        raise ValueError("a pose holds NaN or infinity")
    turn = (0.0, 0.0, math.sin(yaw_rad / 2), math.cos(yaw_rad / 2))
    confidence = float(each.get("confidence", source["confidence"]))
    place = (numbers[0], numbers[1], numbers[2])
    cls = source["classes"].get(cls, cls)
    return Seen(None if entity is None else str(entity), cls, confidence, (place, turn), frame, stamp_s)


def _header(message: Any) -> tuple[str, float]:
    return message.header.frame_id, message.header.stamp.to_sec()


def _transform(pose: Any) -> Transform:
    try:
        return transform_of(pose)
    except ValueError as error:
        raise Unusable(f"holds a pose that {error}") from None


def _no_number(name: str) -> None:
    raise ValueError(f"a pose holds {name}")


READERS = {"json": _json, "pose_array": _pose_array, "vision": _vision}
