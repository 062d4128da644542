"""The robot's body as a ROS node: base, arm servo, gripper and cameras, and the floor that it drives on.

Hears `base/path` (repeated while it is to be followed), `cmd_vel` (zero stops it), `gripper/command` and
`sim/start`, with which the tape begins.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import rospy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Path
from std_msgs.msg import Empty, String

from robot_bridge.ros.child.geometry import yaw_of
from robot_bridge.ros.sim.body import Body
from robot_bridge.ros.sim.motion import Point
from robot_bridge.ros.sim.scene import Scene, read_scene
from robot_bridge.ros.sim.voice import Voice
from robot_bridge.world import Sighting

PERIOD_S = 0.01


def main() -> None:
    scene = read_scene(sys.argv[1])
    rospy.init_node(scene.node("base"), disable_signals=True)
    body, voice = Body(scene), Voice(scene)
    _listen(scene, body)
    voice.survey(body)
    beat = 0
    while True:
        sim_s = rospy.get_time()
        sightings = body.move(sim_s, time.monotonic())
        if body.began_s is not None:
            _report(voice, body.began_s, sightings)
        if beat % 3 == 0:
            voice.motion(body, sim_s)
        if beat % 20 == 0:
            voice.wrist(body, sim_s)
        if beat % 50 == 0:
            voice.overhead(body, sim_s)
            voice.battery(body, sim_s)
        beat += 1
        time.sleep(PERIOD_S)


def _listen(scene: Scene, body: Body) -> None:
    def path(message: Any) -> None:
        points = []
        for each in message.poses:
            turn = each.pose.orientation
            at = each.pose.position
            points.append(Point(at.x, at.y, yaw_of((turn.x, turn.y, turn.z, turn.w))))
        body.path(message.header.stamp.to_sec(), points, time.monotonic())

    def velocity(message: Any) -> None:
        if not any((message.linear.x, message.linear.y, message.angular.z)):
            body.stop(rospy.get_time())

    def grip(message: Any) -> None:
        told = json.loads(message.data)
        body.grip(float(told["position"]), str(told.get("object", "")))

    rospy.Subscriber(scene.name("base/path"), Path, path, queue_size=2)
    rospy.Subscriber(scene.name("cmd_vel"), Twist, velocity, queue_size=2)
    rospy.Subscriber(scene.name("gripper/command"), String, grip, queue_size=4)
    rospy.Subscriber(scene.name("sim/start"), Empty, lambda _: body.begin(rospy.get_time()), queue_size=1)


def _report(voice: Voice, began_s: float, sightings: list[Sighting]) -> None:
    """By whom and when it was sensed, one message each: the drone's go by the drone."""
    groups: dict[tuple[str, float], list[Sighting]] = {}
    for each in sightings:
        groups.setdefault((each.source, each.stamp_s), []).append(each)
    for (source, stamp_s), seen in groups.items():
        voice.detections(source, began_s, stamp_s, seen)


if __name__ == "__main__":
    main()
