"""Planar poses out of ROS's, and the tree of transforms. Metres and radians; nothing but arithmetic.

A transform is ((x, y, z), (x, y, z, w)): `parent_from_child` takes a point of the child's frame into the
parent's.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

    Vector = tuple[float, float, float]
    Quaternion = tuple[float, float, float, float]
    Transform = tuple[Vector, Quaternion]

IDENTITY = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
LONGEST_CHAIN = 32
FARTHEST_M = 1e6
"""Farther than any robot drives; what is composed of such stays a number."""


class FrameUnknown(Exception):
    """No transform leads from one frame to the other; the text names both."""


class Placed(NamedTuple):
    """`stamp_s`: ROS time of the oldest moving transform in it; None where all are static."""

    transform: Transform
    stamp_s: float | None


class TransformTree:
    """The newest transform of each child frame."""

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, Transform, float | None]] = {}

    def put(self, parent: str, child: str, parent_from_child: Transform, stamp_s: float | None) -> None:
        self._parents[bare(child)] = (bare(parent), parent_from_child, stamp_s)

    def lookup(self, target: str, source: str) -> Placed:
        """`target_from_source`. Raises FrameUnknown."""
        up_source, up_target = self._to_root(bare(source)), self._to_root(bare(target))
        for frame, (root_from_source, source_stamp_s) in up_source.items():
            if frame in up_target:
                frame_from_target, target_stamp_s = up_target[frame]
                stamps = [each for each in (source_stamp_s, target_stamp_s) if each is not None]
                target_from_source = compose(inverse(frame_from_target), root_from_source)
                return Placed(target_from_source, min(stamps) if stamps else None)
        raise FrameUnknown(f"No transform leads from frame {source} to {target}.")

    def _to_root(self, frame: str) -> dict[str, tuple[Transform, float | None]]:
        """`ancestor_from_frame` for the frame itself and each of its ancestors, with the oldest stamp."""
        found: dict[str, tuple[Transform, float | None]] = {frame: (IDENTITY, None)}
        ancestor_from_frame, oldest_s = IDENTITY, None
        while frame in self._parents and len(found) < LONGEST_CHAIN:
            frame, parent_from_child, stamp_s = self._parents[frame]
            if frame in found:
                break  # a loop leads nowhere
            ancestor_from_frame = compose(parent_from_child, ancestor_from_frame)
            if stamp_s is not None:
                oldest_s = stamp_s if oldest_s is None else min(oldest_s, stamp_s)
            found[frame] = (ancestor_from_frame, oldest_s)
        return found


def bare(frame: str) -> str:
    """ROS 1 writes frames with and without a slash."""
    return frame.lstrip("/")


def compose(a_from_b: Transform, b_from_c: Transform) -> Transform:
    (ax, ay, az), a_rotation = a_from_b
    b_point, b_rotation = b_from_c
    x, y, z = rotate(a_rotation, b_point)
    return (ax + x, ay + y, az + z), multiply(a_rotation, b_rotation)


def inverse(a_from_b: Transform) -> Transform:
    (x, y, z), (qx, qy, qz, qw) = a_from_b
    back = (-qx, -qy, -qz, qw)
    rx, ry, rz = rotate(back, (x, y, z))
    return (-rx, -ry, -rz), back


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def rotate(q: Quaternion, point: Vector) -> Vector:
    px, py, pz = point
    x, y, z, _ = multiply(multiply(q, (px, py, pz, 0.0)), (-q[0], -q[1], -q[2], q[3]))
    return x, y, z


def yaw_of(q: Quaternion) -> float:
    x, y, z, w = q
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def quaternion_of(yaw_rad: float) -> Quaternion:
    return 0.0, 0.0, math.sin(yaw_rad / 2), math.cos(yaw_rad / 2)


def transform_of(pose: Any) -> Transform:
    """Of a geometry_msgs/Pose or /Transform. Raises ValueError for what is no place or no rotation."""
    point = pose.position if hasattr(pose, "position") else pose.translation
    turn = pose.orientation if hasattr(pose, "orientation") else pose.rotation
    numbers = (point.x, point.y, point.z, turn.x, turn.y, turn.z, turn.w)
    if not all(math.isfinite(each) for each in numbers):
        raise ValueError("holds NaN or infinity")
    if max(abs(each) for each in numbers) > FARTHEST_M:
        raise ValueError(f"lies farther away than {FARTHEST_M:g} m")
    norm = math.sqrt(turn.x**2 + turn.y**2 + turn.z**2 + turn.w**2)
    if norm == 0.0:  # many senders of points leave the rotation out
        return (point.x, point.y, point.z), (0.0, 0.0, 0.0, 1.0)
    if not 0.9 < norm < 1.1:
        raise ValueError(f"has a rotation of length {norm:.2f}")
    return (point.x, point.y, point.z), (turn.x / norm, turn.y / norm, turn.z / norm, turn.w / norm)


def planar(frame: str, transform: Transform) -> dict[str, Any]:
    """A pose as the messages carry it."""
    (x, y, _), rotation = transform
    return {
        "x_m": round(x, 4) + 0.0,  # no minus before a zero
        "y_m": round(y, 4) + 0.0,
        "yaw_rad": round(yaw_of(rotation), 4),
        "frame_id": bare(frame),
    }
