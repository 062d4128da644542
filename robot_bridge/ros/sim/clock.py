"""The simulation's clock: publishes /clock, `rate` seconds of it a second."""

from __future__ import annotations

import sys
import time

import rospy
from rosgraph_msgs.msg import Clock

from robot_bridge.ros.sim.scene import read_scene

BEGINS_S = 1_000.0
PERIOD_S = 0.01


def main() -> None:
    scene = read_scene(sys.argv[1])
    rospy.init_node(scene.node("clock"), disable_signals=True)
    publisher = rospy.Publisher("/clock", Clock, queue_size=1)
    began_s = time.monotonic()
    while True:
        now_s = BEGINS_S + (time.monotonic() - began_s) * scene.rate
        publisher.publish(Clock(rospy.Time.from_sec(now_s)))
        time.sleep(PERIOD_S)


if __name__ == "__main__":
    main()
