"""A ROS node that tells when things happen, a JSON line each: a goal heard, the robot come to rest. On a line
of its input it publishes a detection of that name. Run by ROS's interpreter."""

import json
import sys
import threading
import time

import rospy
from nav_msgs.msg import Odometry
from std_msgs.msg import String

MOVES_M_S, RESTS_M_S = 0.1, 0.02


def tell(what: str, name: str = "") -> None:
    sys.stdout.write(json.dumps({"what": what, "name": name, "utc_s": time.time()}) + "\n")
    sys.stdout.flush()


class Rest:
    moved = False

    def take(self, message: Odometry) -> None:
        speed_m_s = message.twist.twist.linear.x
        if speed_m_s > MOVES_M_S and not self.moved:
            self.moved = True
            tell("moves")
        elif speed_m_s < RESTS_M_S and self.moved:
            self.moved = False
            tell("rests")


def obey(publisher: rospy.Publisher) -> None:
    for line in sys.stdin:
        seen = {"id": line.strip(), "cls": "can", "x_m": 4.0, "y_m": 1.0, "confidence": 0.9}
        body = {"frame_id": "map", "stamp_s": rospy.get_time(), "detections": [seen]}
        tell("publishes", line.strip())
        publisher.publish(String(json.dumps(body)))


def main() -> None:
    rospy.init_node("test_ear", anonymous=True, disable_signals=True)
    for action in ("navigate", "approach", "grasp", "deliver"):
        rospy.Subscriber(f"/{action}/goal", rospy.AnyMsg, lambda _, action=action: tell("goal", action))
    rospy.Subscriber("/odom", Odometry, Rest().take, queue_size=1)
    publisher = rospy.Publisher("/drone/detections", String, queue_size=10)
    threading.Thread(target=obey, args=(publisher,), daemon=True).start()
    time.sleep(1.0)  # others connect
    tell("listens")
    rospy.spin()


if __name__ == "__main__":
    main()
