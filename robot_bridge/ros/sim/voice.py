"""What the simulated robot publishes of itself: poses by odometry, joints, battery, pictures, detections."""

from __future__ import annotations

import json
from array import array
from typing import Any

import rospy
from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import OccupancyGrid, Odometry
from sensor_msgs.msg import BatteryState, CompressedImage, Image, JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from robot_bridge.ros.child.geometry import compose, inverse, quaternion_of
from robot_bridge.ros.sim import overhead, vision
from robot_bridge.ros.sim.body import Body
from robot_bridge.ros.sim.occupancy import occupancy, origin_m, side_of
from robot_bridge.ros.sim.scene import MAP_CELLS, ODOM_IN_MAP, Scene
from robot_bridge.world import Sighting

BATTERY_PER_S = 0.0005


class Voice:
    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        name = scene.name
        self._tf = rospy.Publisher("/tf", TFMessage, queue_size=10)
        self._odom = rospy.Publisher(name("odom"), Odometry, queue_size=4)
        self._joints = rospy.Publisher(name("joint_states"), JointState, queue_size=4)
        self._battery = rospy.Publisher(name("battery"), BatteryState, queue_size=1)
        self._map = rospy.Publisher(name("map"), OccupancyGrid, queue_size=1, latch=True)
        self._survey = rospy.Publisher(name("survey"), String, queue_size=1, latch=True)
        self._wrist = rospy.Publisher(name("wrist/image_raw/compressed"), CompressedImage, queue_size=1)
        self._colour = rospy.Publisher(name("wrist/colour"), Image, queue_size=1)
        self._depth = rospy.Publisher(name("wrist/depth"), Image, queue_size=1)
        self._overhead = rospy.Publisher(name("overhead/image_raw"), Image, queue_size=1)
        self._seen = {
            "onboard": rospy.Publisher(name("wrist/detections"), String, queue_size=20),
            "aerial": rospy.Publisher(name("sim/aerial"), String, queue_size=20),
        }
        self._map_from_odom = ((ODOM_IN_MAP[0], ODOM_IN_MAP[1], 0.0), quaternion_of(ODOM_IN_MAP[2]))

    def survey(self, body: Body) -> None:
        """What is there before the mission: the map, and the containers that are known. Latched."""
        self._map.publish(_map(self._scene))
        scenario, floor = self._scene.scenario, body.floor
        known = scenario.containers if scenario.known is None else scenario.known
        seen = [
            {
                "id": floor.ids[n],
                "cls": floor.classes[n],
                **_place(self._scene, self._scene.tape.initial_cells[n]),
            }
            for n in range(known)
        ]
        self._survey.publish(json.dumps({"frame_id": "map", "detections": seen}))

    def motion(self, body: Body, sim_s: float) -> None:
        stamp = rospy.Time.from_sec(sim_s)
        map_from_base = ((body.at.x_m, body.at.y_m, 0.0), quaternion_of(body.at.yaw_rad))
        odom_from_base = compose(inverse(self._map_from_odom), map_from_base)
        transforms = [
            _transform("map", "odom", self._map_from_odom, stamp),
            _transform("odom", "base_link", odom_from_base, stamp),
        ]
        self._tf.publish(TFMessage(transforms))
        odom = Odometry()
        odom.header.stamp, odom.header.frame_id, odom.child_frame_id = stamp, "odom", "base_link"
        (odom.pose.pose.position.x, odom.pose.pose.position.y, _), turn = odom_from_base
        odom.pose.pose.orientation.x, odom.pose.pose.orientation.y = turn[0], turn[1]
        odom.pose.pose.orientation.z, odom.pose.pose.orientation.w = turn[2], turn[3]
        odom.twist.twist.linear.x, odom.twist.twist.angular.z = body.speed_m_s, body.turn_rad_s
        self._odom.publish(odom)
        joints = JointState(name=["gripper_servo"], position=[body.gripper.at])
        joints.header.stamp = stamp
        self._joints.publish(joints)

    def battery(self, body: Body, sim_s: float) -> None:
        used_s = 0.0 if body.began_s is None else sim_s - body.began_s
        message = BatteryState(percentage=max(0.0, 1.0 - used_s * BATTERY_PER_S))
        message.header.stamp = rospy.Time.from_sec(sim_s)
        self._battery.publish(message)

    def wrist(self, body: Body, sim_s: float) -> None:
        picture, depth = vision.draw(body.in_view(), self._scene.light)
        stamp = rospy.Time.from_sec(sim_s)
        self._colour.publish(_image("rgb8", vision.WIDTH, vision.HEIGHT, 3, bytes(picture), stamp, "wrist"))
        self._depth.publish(
            _image("32FC1", vision.WIDTH, vision.HEIGHT, 4, array("f", depth).tobytes(), stamp, "wrist")
        )
        small = CompressedImage(format="png", data=vision.png(bytes(picture), vision.WIDTH, vision.HEIGHT))
        small.header.stamp, small.header.frame_id = stamp, "wrist"
        self._wrist.publish(small)

    def overhead(self, body: Body, sim_s: float) -> None:
        picture = overhead.draw(self._scene, body.at, body.containers(), body.held)
        stamp = rospy.Time.from_sec(sim_s)
        self._overhead.publish(
            _image("rgb8", overhead.SIZE_PX, overhead.SIZE_PX, 3, picture, stamp, "overhead")
        )

    def detections(self, source: str, began_s: float, stamp_s: float, seen: list[Sighting]) -> None:
        told = [
            {
                "id": each.entity,
                "cls": each.cls,
                "confidence": each.confidence,
                "x_m": each.pose.x_m,
                "y_m": each.pose.y_m,
            }
            for each in seen
        ]
        body = {"frame_id": "map", "stamp_s": began_s + stamp_s, "met_s": stamp_s, "detections": told}
        self._seen[source].publish(json.dumps(body))


def _map(scene: Scene) -> OccupancyGrid:
    message = OccupancyGrid()
    message.header.frame_id = "map"
    message.header.stamp = rospy.get_rostime()
    message.info.resolution = scene.cell_m / MAP_CELLS
    message.info.width = message.info.height = side_of(scene)
    message.info.origin.position.x = message.info.origin.position.y = origin_m(scene)
    message.info.origin.orientation.w = 1.0
    message.data = occupancy(scene)
    return message


def _place(scene: Scene, cell: tuple[int, int]) -> dict[str, float]:
    x_m, y_m = scene.centre(cell)
    return {"x_m": x_m, "y_m": y_m}


def _transform(parent: str, child: str, transform: Any, stamp: Any) -> TransformStamped:
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id, message.header.stamp = parent, stamp
    (
        (message.transform.translation.x, message.transform.translation.y, message.transform.translation.z),
        turn,
    ) = transform
    rotation = message.transform.rotation
    rotation.x, rotation.y, rotation.z, rotation.w = turn
    return message


def _image(encoding: str, width: int, height: int, pixel: int, data: bytes, stamp: Any, frame: str) -> Image:
    message = Image(height=height, width=width, encoding=encoding, step=width * pixel, data=data)
    message.header.stamp, message.header.frame_id = stamp, frame
    return message
