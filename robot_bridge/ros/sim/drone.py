"""The drone: circles over the floor and reports what its survey sees, late and partly wrong as the tape says.

While its link is cut it says nothing, and what it saw meanwhile is lost.
"""

from __future__ import annotations

import json
import math
import sys
import time

import rospy
from geometry_msgs.msg import PoseStamped
from std_msgs.msg import String

from robot_bridge.ros.sim.scene import Scene, read_scene

PERIOD_S = 0.1
ROUND_S = 40.0


def main() -> None:
    scene = read_scene(sys.argv[1])
    rospy.init_node(scene.node("drone"), disable_signals=True)
    reports = rospy.Publisher(scene.name("drone/detections"), String, queue_size=10)
    poses = rospy.Publisher(scene.name("drone/pose"), PoseStamped, queue_size=1)

    def saw(message: String) -> None:
        if not scene.is_drone_cut(json.loads(message.data)["met_s"]):
            reports.publish(message)

    rospy.Subscriber(scene.name("sim/aerial"), String, saw, queue_size=20)
    while True:
        now_s = rospy.get_time()
        poses.publish(pose_at(scene, now_s))
        time.sleep(PERIOD_S)


def pose_at(scene: Scene, now_s: float) -> PoseStamped:
    angle_rad = 2 * math.pi * (now_s % ROUND_S) / ROUND_S
    middle_m, radius_m = (scene.size - 1) * scene.cell_m / 2, scene.size * scene.cell_m / 4
    pose = PoseStamped()
    pose.header.frame_id = "map"
    pose.header.stamp = rospy.Time.from_sec(now_s)
    pose.pose.position.x = middle_m + radius_m * math.cos(angle_rad)
    pose.pose.position.y = middle_m + radius_m * math.sin(angle_rad)
    pose.pose.position.z = 2.0
    pose.pose.orientation.w = 1.0
    return pose


if __name__ == "__main__":
    main()
