"""What the child hears of its robot: the newest of each stream, judged by age, frame and type as it comes.

Its source calls in from threads of its own; `tick` and what reads are called from the main one. The source is
rospy, or a bag that is played: what is heard is judged alike.
"""

from __future__ import annotations

import threading
from array import array
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from robot_bridge.contract import mapping_of, number
from robot_bridge.ros.child.cameras import Cameras
from robot_bridge.ros.child.framing import LONGEST_BLOB
from robot_bridge.ros.child.geometry import FrameUnknown, TransformTree, compose, planar, transform_of
from robot_bridge.ros.child.messages import TO_PARENT, check
from robot_bridge.ros.child.spotting import Spotting
from robot_bridge.ros.child.stamps import Stamps, Unfit
from robot_bridge.ros.child.standstill import Standstill

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from robot_bridge.ros.child.geometry import Transform
    from robot_bridge.ros.child.outbox import Posting
    from robot_bridge.ros.child.source import Source
    from robot_bridge.ros.child.troubles import Troubles


MOST_JOINTS = 500


class Heard(NamedTuple):
    """A value and when it came, on the monotonic clock."""

    value: Any
    at_s: float


class Watched(NamedTuple):
    """A topic that ought to be published: its type, what it is for, and whether it ought never to pause."""

    type: str
    what: str
    never_pauses: bool


class Node:
    """`robot`: the configuration as the parent sent it. Subscribes when made; raises TypeMissing."""

    def __init__(
        self,
        robot: dict[str, Any],
        outbox: Posting,
        troubles: Troubles,
        monotonic: Callable[[], float],
        source: Source,
    ) -> None:
        self._robot = robot
        self.source = source
        self._outbox = outbox
        self._troubles = troubles
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self.tree = TransformTree()
        self.stamps = Stamps(robot["times"], robot["rate"], troubles, source.now_s)
        self.still = Standstill(robot["still"]["speed_m_s"], robot["still"]["turn_rad_s"])
        self.heard: dict[str, float] = {}
        """By topic, when it was last heard."""
        self.watched: dict[str, Watched] = {}
        self._pose: Heard | None = None
        self._joints: Heard | None = None
        self._battery: float | None = None
        self._robots: dict[str, dict[str, Any]] = {}
        self.cameras = Cameras(robot["cameras"], outbox, troubles, monotonic)
        self.spotting = Spotting(robot, self, outbox, troubles, monotonic)
        self._subscribe()

    def tick(self, now_s: float) -> None:
        """Judge the clock, and place the robot."""
        if self.stamps.tick(now_s):
            self.tree = TransformTree()  # made of stamps of another time
        if self._robot["pose"]["via"] == "tf":
            self._place_by_tf(now_s)
        self.spotting.flush(now_s)

    def state(self, now_s: float) -> dict[str, Any]:
        with self._lock:
            pose, joints = self._pose, self._joints
            return {
                "pose": None if pose is None else pose.value,
                "pose_age_s": None if pose is None else round(now_s - pose.at_s, 3),
                "speed_m_s": self.still.speed_m_s,
                "still": self.still.is_still(now_s),
                "joints": {} if joints is None else joints.value,
                "joints_age_s": None if joints is None else round(now_s - joints.at_s, 3),
                "battery": self._battery,
                "robots": [{"name": name, "pose": pose} for name, pose in sorted(self._robots.items())],
            }

    def in_map(self, frame: str, frame_from_thing: Transform) -> Transform:
        """Raises FrameUnknown."""
        target = self._robot["pose"]["map"]
        if not frame or frame.lstrip("/") == target:
            return frame_from_thing
        return compose(self.tree.lookup(target, frame).transform, frame_from_thing)

    def hear(
        self, topic: str, type_name: str, what: str, callback: Callable[[Any], None], **options: Any
    ) -> None:
        """Subscribe; a callback that fails becomes a trouble. Raises TypeMissing."""
        self.watched[topic] = Watched(type_name, what, options.pop("never_pauses", False))

        def called(message: Any) -> None:
            now_s = self._monotonic()
            self.heard[topic] = now_s
            try:
                callback(message)
            except Exception as error:  # whatever a stranger's message breaks, the robot is heard on
                told = str(error) or type(error).__name__
                self._troubles.say(topic, f"{what}: {topic} was refused: {told}", now_s)

        self.source.subscribe(topic, type_name, called, **options)

    def _subscribe(self) -> None:
        robot = self._robot
        self.hear(
            "/tf", "tf2_msgs/TFMessage", "transforms", lambda m: self._take_tf(m, False), queue_size=100
        )
        self.hear("/tf_static", "tf2_msgs/TFMessage", "transforms", lambda m: self._take_tf(m, True))
        del self.watched["/tf"], self.watched["/tf_static"]  # a robot may do without
        if robot["pose"]["via"] == "tf":
            self.watched["/tf"] = Watched("tf2_msgs/TFMessage", "the robot's pose", True)
        else:
            self.hear(
                robot["pose"]["topic"],
                robot["pose"]["type"],
                "the robot's pose",
                self._take_pose,
                never_pauses=True,
            )
        if robot["speed"] is not None:
            self.hear(
                robot["speed"]["topic"],
                robot["speed"]["type"],
                "the robot's speed",
                self._take_speed,
                never_pauses=True,
            )
        if robot["occupancy"] is not None:
            topic = robot["occupancy"]["topic"]
            self.hear(
                topic, "nav_msgs/OccupancyGrid", "the map", self._take_map, queue_size=1, buff_size=1 << 24
            )
            del self.watched[topic]  # sent once, not again and again
        if robot["joints"] is not None:
            self.hear(
                robot["joints"]["topic"],
                "sensor_msgs/JointState",
                "the joints",
                self._take_joints,
                never_pauses=True,
            )
        if robot["battery"] is not None:
            self.hear(robot["battery"]["topic"], robot["battery"]["type"], "the battery", self._take_battery)
        for name, other in robot["robots"].items():
            self.hear(other["topic"], other["type"], name, partial(self._take_other, name))
            del self.watched[other["topic"]]  # it may be away
        self.cameras.subscribe(self.hear)
        self.spotting.subscribe(self.hear)

    def _take_tf(self, message: Any, is_static: bool) -> None:
        for each in message.transforms:
            stamp_s = (
                None if is_static else self.stamps.age_of(each.header.stamp.to_sec(), old_s=None).stamp_s
            )
            self.tree.put(each.header.frame_id, each.child_frame_id, transform_of(each.transform), stamp_s)

    def _place_by_tf(self, now_s: float) -> None:
        frames = self._robot["pose"]
        try:
            placed = self.tree.lookup(frames["map"], frames["base"])
            age_s = self.stamps.age_of(placed.stamp_s or 0.0, old_s=frames["old_s"]).age_s
        except (FrameUnknown, Unfit) as error:
            self._troubles.say("pose", f"The robot's pose is not known: {error}", now_s)
            return
        at_s = now_s - age_s / self._robot["rate"]
        if self.heard.get("/tf", -1e9) < now_s - 1.0:  # the clock may have stopped with the robot
            at_s = min(at_s, self.heard.get("/tf", at_s))
        self._put_pose(planar(frames["map"], placed.transform), at_s)

    def _take_pose(self, message: Any) -> None:
        frames = self._robot["pose"]
        self.stamps.age_of(message.header.stamp.to_sec(), old_s=frames["old_s"])
        pose = message.pose.pose if hasattr(message.pose, "pose") else message.pose
        map_from_base = self.in_map(message.header.frame_id, transform_of(pose))
        self._put_pose(planar(frames["map"], map_from_base), self._monotonic())

    def _put_pose(self, pose: dict[str, Any], at_s: float) -> None:
        with self._lock:
            is_news = self._pose is None or at_s > self._pose.at_s
            self._pose = Heard(pose, max(at_s, self._pose.at_s) if self._pose is not None else at_s)
        if is_news and self._robot["speed"] is None:
            self.still.hear_pose(pose["x_m"], pose["y_m"], pose["yaw_rad"], at_s)

    def _take_speed(self, message: Any) -> None:
        twist = message.twist.twist if hasattr(message.twist, "twist") else message.twist
        speed_m_s = (twist.linear.x**2 + twist.linear.y**2 + twist.linear.z**2) ** 0.5
        if not speed_m_s < 1e6 or not abs(twist.angular.z) < 1e6:
            raise ValueError("a speed is NaN or out of all bounds")
        self.stamps.age_of(message.header.stamp.to_sec(), old_s=None)
        self.still.hear(speed_m_s, twist.angular.z, self._monotonic())

    def _take_map(self, message: Any) -> None:
        info = message.info
        if len(message.data) != info.width * info.height:
            raise ValueError(f"it says {info.width} × {info.height} cells and holds {len(message.data)}")
        if len(message.data) > LONGEST_BLOB:
            raise ValueError(f"it has {len(message.data)} cells, more than {LONGEST_BLOB}")
        pose = planar(message.header.frame_id or self._robot["pose"]["map"], transform_of(info.origin))
        size = {"width": info.width, "height": info.height, "cell_m": round(info.resolution, 6)}
        check({"kind": "map", "pose": pose, **size}, TO_PARENT)
        self._outbox.post("map", "map", array("b", message.data).tobytes(), pose=pose, **size)

    def _take_joints(self, message: Any) -> None:
        joints = {str(name): float(at) for name, at in zip(message.name, message.position) if abs(at) < 1e6}
        with self._lock:
            known = {} if self._joints is None else self._joints.value
            merged = {**known, **joints}
            if len(merged) > MOST_JOINTS:
                raise ValueError(f"more than {MOST_JOINTS} joints have been told")
            mapping_of(number)(merged, "joints")
            self._joints = Heard(merged, self._monotonic())

    def _take_battery(self, message: Any) -> None:
        share = message.percentage if hasattr(message, "percentage") else message.data
        if not 0.0 <= share <= 100.0:
            raise ValueError(f"a charge of {share}")
        self._battery = round(share if share <= 1.0 else share / 100.0, 4)

    def _take_other(self, name: str, message: Any) -> None:
        self.stamps.age_of(message.header.stamp.to_sec(), old_s=None)
        placed = self.in_map(message.header.frame_id, transform_of(message.pose))
        self._robots[name] = planar(self._robot["pose"]["map"], placed)
