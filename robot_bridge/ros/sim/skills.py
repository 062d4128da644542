"""The rover's skills as actionlib servers: navigate, explore, approach, grasp, deliver, verify.

They see the robot by its own topics alone: its pose by /tf, its gripper by the servo, what stands before it
by the wrist camera. What is meant to move is told to the base, again and again while it is meant.
"""

from __future__ import annotations

import json
import math
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path as File
from typing import Any

import rospy
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry, Path
from sensor_msgs.msg import Image, JointState
from std_msgs.msg import Empty, String
from tf2_msgs.msg import TFMessage

from robot_bridge.ros.child.geometry import FrameUnknown, TransformTree, quaternion_of, transform_of, yaw_of
from robot_bridge.ros.child.kinds import action_types
from robot_bridge.ros.sim import vision
from robot_bridge.ros.sim.motion import Point, ahead, stand_off, way
from robot_bridge.ros.sim.scene import AT_STATION_M, STAND_OFF_M, Scene, read_scene
from robot_bridge.ros.sim.server import Done, Server, Work

TICK_S = 0.02
STATUS_EVERY = 5
REPEAT_S = 0.1
ARRIVED_M = 0.03
SEEN_WITHIN_M = 0.25
HOLDS = (0.15, 0.7)
OPENED = 0.9
LOOKS_S = 10.0
"""Real seconds in which a picture taken since must have come, and the servo told where it is."""
RESTS_S = 0.1
"""Of the servo's own clock."""
PHASE_S = 0.2
ACTIONS = File(__file__).resolve().parent.parent / "robots" / "actions"


class Rover:
    """What the node hears of the robot, and what it commands."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._tree = TransformTree()
        self.speed_m_s = 0.0
        self.gripper = 1.0
        self.gripper_s = 0.0
        """The robot's time at which the servo was there."""
        self._depth: list[float] = []
        self._picture: tuple[bytes, float] = (b"", 0.0)
        self.sees = True
        self._path: Path | None = None
        self._repeated_s = 0.0
        self._began = False
        name = scene.name
        self._paths = rospy.Publisher(name("base/path"), Path, queue_size=2)
        self._grips = rospy.Publisher(name("gripper/command"), String, queue_size=2)
        self._starts = rospy.Publisher(name("sim/start"), Empty, queue_size=1, latch=True)
        rospy.Subscriber("/tf", TFMessage, self._take_tf, queue_size=20)
        rospy.Subscriber(name("odom"), Odometry, self._take_odom, queue_size=2)
        rospy.Subscriber(name("joint_states"), JointState, self._take_joints, queue_size=2)
        rospy.Subscriber(name("wrist/depth"), Image, self._take_depth, queue_size=1)
        rospy.Subscriber(name("wrist/colour"), Image, self._take_picture, queue_size=1)

    @property
    def at(self) -> Point | None:
        try:
            (x_m, y_m, _), turn = self._tree.lookup("map", "base_link").transform
        except FrameUnknown:
            return None
        return Point(x_m, y_m, yaw_of(turn))

    def begin(self) -> None:
        if not self._began:
            self._began = True
            self._starts.publish(Empty())

    def drive(self, points: list[Point]) -> None:
        path = Path()
        path.header.frame_id, path.header.stamp = "map", rospy.get_rostime()
        for point in points:
            pose = PoseStamped()
            pose.pose.position.x, pose.pose.position.y = point.x_m, point.y_m
            turn = quaternion_of(point.yaw_rad)
            pose.pose.orientation.z, pose.pose.orientation.w = turn[2], turn[3]
            path.poses.append(pose)
        self._path = path
        self._repeat(time.monotonic())

    def stop(self) -> bool:
        """Whether it stands."""
        if self._path is None or self._path.poses:
            self.drive([])
        return self.speed_m_s < 0.005

    def grip(self, position: float, object_id: str = "") -> None:
        self._grips.publish(json.dumps({"position": position, "object": object_id}))

    def is_holding(self) -> bool:
        return HOLDS[0] <= self.gripper < HOLDS[1]

    def tick(self, now_s: float) -> None:
        if self._path is not None and self._path.poses and now_s - self._repeated_s > REPEAT_S:
            self._repeat(now_s)

    def seen(self, since_s: float) -> list[tuple[str, float, float]] | None:
        """(class, x, y) in the map of what the wrist camera shows; None until a picture is that new."""
        at, (picture, taken_s) = self.at, self._picture
        if at is None or taken_s < since_s or len(self._depth) * 3 != len(picture):
            return None
        self.sees = vision.is_bright(picture)
        cos, sin = math.cos(at.yaw_rad), math.sin(at.yaw_rad)
        return [
            (cls, at.x_m + ahead * cos - left * sin, at.y_m + ahead * sin + left * cos)
            for cls, ahead, left in vision.find(picture, self._depth)
        ]

    def _repeat(self, now_s: float) -> None:
        self._repeated_s = now_s
        self._paths.publish(self._path)

    def _take_tf(self, message: Any) -> None:
        for each in message.transforms:
            self._tree.put(each.header.frame_id, each.child_frame_id, transform_of(each.transform), None)

    def _take_odom(self, message: Any) -> None:
        self.speed_m_s = abs(message.twist.twist.linear.x)

    def _take_joints(self, message: Any) -> None:
        joints = dict(zip(message.name, message.position, strict=False))
        if "gripper_servo" in joints:
            self.gripper, self.gripper_s = joints["gripper_servo"], message.header.stamp.to_sec()

    def _take_depth(self, message: Any) -> None:
        values = array("f")
        values.frombytes(message.data)
        self._depth = list(values)

    def _take_picture(self, message: Any) -> None:
        self._picture = (bytes(message.data), time.monotonic())


BLIND = Done(False, "blind", "The wrist camera shows nothing: it is too dark, or out of order.")


class Skills:
    def __init__(self, rover: Rover) -> None:
        self._rover = rover

    def navigate(self, goal: Any) -> Work:
        """To the stand-off before the place, or onto it to look around."""
        rover = self._rover
        rover.begin()
        goal_x_m, goal_y_m = goal.target.pose.position.x, goal.target.pose.position.y
        at = rover.at
        while at is None:
            yield "waiting for the pose"
            at = rover.at
        path = way(rover.scene, at, goal_x_m, goal_y_m, onto=goal.look)
        if path is None:
            return Done(False, "unreachable", f"No way leads to ({goal_x_m:g}, {goal_y_m:g}) m.")
        yield from self._driven(path)
        return Done(True, "arrived", f"Arrived at {self._here()}.")

    def approach(self, goal: Any) -> Work:
        """Yaw held, translated both ways, until what is seen there is centred at the stand-off ahead."""
        rover = self._rover
        for _ in range(3):
            seen = yield from self._look()
            if seen is None:
                return BLIND
            near = self._nearest(seen, goal)
            x_m, y_m = near or (goal.place.pose.position.x, goal.place.pose.position.y)
            at = rover.at
            assert at is not None
            there = stand_off(x_m, y_m, at.yaw_rad)
            if math.hypot(there.x_m - at.x_m, there.y_m - at.y_m) > STAND_OFF_M:
                return Done(
                    False, "out_of_reach", f"{goal.object} is not before the robot at {self._here()}."
                )
            if math.hypot(there.x_m - at.x_m, there.y_m - at.y_m) < ARRIVED_M:
                break
            yield from self._driven([there])
        return Done(True, "lined_up", f"Lined up at {self._here()}.")

    def grasp(self, goal: Any) -> Work:
        rover = self._rover
        if rover.is_holding():
            return Done(False, "hands_full", "The gripper holds something already.")
        seen = yield from self._look()
        if seen is None:
            return BLIND
        if self._nearest(seen, goal) is None:
            return Done(False, "absent", f"{goal.object} is not at {self._here()}.")
        for phase in ("pre-grasp", "descent"):
            yield from self._lasts(phase)
        rover.grip(0.0, goal.object)
        yield from self._settled("closure", lambda at: at < HOLDS[1])
        yield from self._lasts("lift")
        if rover.is_holding():
            return Done(True, "grasped", f"Grasped {goal.object}.")
        rover.grip(1.0)
        return Done(False, "grasp_slipped", f"{goal.object} slipped from the gripper.")

    def deliver(self, goal: Any) -> Work:
        rover, at = self._rover, self._rover.at
        place = goal.place.pose.position
        if not rover.is_holding():
            return Done(False, "not_holding", f"The gripper does not hold {goal.object}.")
        x_m, y_m = (math.inf, math.inf) if at is None else ahead(at)
        if math.hypot(place.x - x_m, place.y - y_m) > AT_STATION_M:
            return Done(False, "not_at_station", f"Stands at {self._here()}, not at {goal.station}.")
        yield from self._lasts("lowering")
        rover.grip(1.0)
        yield from self._settled("opening", lambda at: at >= OPENED)
        if rover.gripper < OPENED:
            return Done(False, "place_failed", f"{goal.object} could not be set down at {goal.station}.")
        return Done(True, "delivered", f"Delivered {goal.object} to {goal.station}.")

    def verify(self, goal: Any) -> Work:
        found = yield from self._look()
        if found is None:
            return BLIND
        seen = self._nearest(found, goal) is not None
        return Done(
            True, "looked", f"Looked for {goal.object}: {'seen' if seen else 'not seen'}.", {"seen": seen}
        )

    def _driven(self, path: list[Point]) -> Work:
        rover = self._rover
        if path:
            rover.drive(path)
        while path:
            at, last = rover.at, path[-1]
            if (
                at is not None
                and math.hypot(last.x_m - at.x_m, last.y_m - at.y_m) < ARRIVED_M
                and rover.speed_m_s < 0.005
            ):
                break
            yield "driving"
        rover.stop()
        return Done(True, "", "")

    def _look(self) -> Any:
        """What is seen now; None where nothing can be."""
        since_s = time.monotonic()
        while time.monotonic() - since_s < LOOKS_S:
            seen = self._rover.seen(since_s)
            if seen is not None:
                return seen if self._rover.sees else None
            yield "looking"
        return None

    def _lasts(self, phase: str, span_s: float = PHASE_S) -> Any:
        until_s = rospy.get_time() + span_s
        while rospy.get_time() < until_s:
            yield phase

    def _settled(self, phase: str, has_moved: Callable[[float], bool]) -> Any:
        """The servo has moved as it was told, and told twice that it rests; else as long as one looks."""
        rover, until_s = self._rover, time.monotonic() + LOOKS_S
        at, since_s = rover.gripper, rover.gripper_s
        while time.monotonic() < until_s:
            if abs(rover.gripper - at) > 0.002 or not has_moved(rover.gripper):
                at, since_s = rover.gripper, rover.gripper_s
            elif rover.gripper_s - since_s >= RESTS_S:
                return
            yield phase

    def _nearest(self, seen: list[tuple[str, float, float]], goal: Any) -> tuple[float, float] | None:
        x_m, y_m = goal.place.pose.position.x, goal.place.pose.position.y
        near = [(math.hypot(x - x_m, y - y_m), x, y) for _, x, y in seen]
        near = [each for each in near if each[0] <= SEEN_WITHIN_M]
        return min(near)[1:] if near else None

    def _here(self) -> str:
        at = self._rover.at
        return "an unknown place" if at is None else f"({at.x_m:.2f}, {at.y_m:.2f}) m"


def main() -> None:
    scene = read_scene(sys.argv[1])
    rospy.init_node(scene.node("skills"), disable_signals=True)
    rover = Rover(scene)
    skills = Skills(rover)
    definitions = {
        f"quarterdeck_robots/{file.stem}": file.read_text("utf-8") for file in ACTIONS.glob("*.action")
    }
    navigate = action_types("quarterdeck_robots/Navigate", definitions)
    handle = action_types("quarterdeck_robots/Handle", definitions)
    begin = {
        "navigate": (navigate, skills.navigate), "approach": (handle, skills.approach),
        "grasp": (handle, skills.grasp), "deliver": (handle, skills.deliver),
        "verify": (handle, skills.verify),
    }  # fmt: skip
    servers = [Server(scene.name(name), types, work, rover.stop) for name, (types, work) in begin.items()]
    beat = 0
    while True:
        for server in servers:
            server.tick()
            if beat % STATUS_EVERY == 0:
                server.tell()
        rover.tick(time.monotonic())
        beat += 1
        time.sleep(TICK_S)


if __name__ == "__main__":
    main()
