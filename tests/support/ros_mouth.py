"""A ROS node that says what no good robot says. Run by ROS's interpreter: `ros_mouth.py WHAT`."""

import json
import math
import sys
import time

import rospy
from genpy.dynamic import generate_dynamic
from nav_msgs.msg import OccupancyGrid
from sensor_msgs.msg import Image
from std_msgs.msg import Int32, String
from std_srvs.srv import Trigger, TriggerResponse

RULE = "=" * 80
VISION = f"""
std_msgs/Header header
vision_msgs/Detection3D[] detections
{RULE}
MSG: std_msgs/Header
uint32 seq
time stamp
string frame_id
{RULE}
MSG: vision_msgs/Detection3D
std_msgs/Header header
vision_msgs/ObjectHypothesisWithPose[] results
{RULE}
MSG: vision_msgs/ObjectHypothesisWithPose
int64 id
float64 score
geometry_msgs/PoseWithCovariance pose
{RULE}
MSG: geometry_msgs/PoseWithCovariance
geometry_msgs/Pose pose
float64[36] covariance
{RULE}
MSG: geometry_msgs/Pose
geometry_msgs/Point position
geometry_msgs/Quaternion orientation
{RULE}
MSG: geometry_msgs/Point
float64 x
float64 y
float64 z
{RULE}
MSG: geometry_msgs/Quaternion
float64 x
float64 y
float64 z
float64 w
"""


def detection(frame: str = "map", ahead_s: float = 0.0, x_m: object = 1.0) -> String:
    seen = {"cls": "can", "x_m": x_m, "y_m": 1.0, "confidence": 0.9}
    body = {"frame_id": frame, "stamp_s": rospy.get_time() + ahead_s, "detections": [seen]}
    return String(json.dumps(body))


def vision() -> object:
    kinds = generate_dynamic("vision_msgs/Detection3DArray", VISION)
    message = kinds["vision_msgs/Detection3DArray"]()
    message.header.frame_id, message.header.stamp = "base_link", rospy.get_rostime()
    result = kinds["vision_msgs/ObjectHypothesisWithPose"](id=7, score=0.75)
    result.pose.pose.position.x = 0.5
    result.pose.pose.orientation.w = 1.0
    seen = kinds["vision_msgs/Detection3D"](results=[result])
    seen.header = message.header
    message.detections = [seen]
    return message


def mapped() -> OccupancyGrid:
    """The robot's own map, with a wall in its lowest corner, which nobody had seen."""
    message = rospy.wait_for_message("/map", OccupancyGrid)
    cells = list(message.data)
    for row in range(5):
        first = row * message.info.width
        cells[first : first + 5] = [100] * 5
    message.data = cells
    return message


ANSWERS = [TriggerResponse(True, "Waved."), TriggerResponse(False, "The arm is folded.")]


def wave(_: object) -> TriggerResponse:
    """Once each; then no answer comes any more."""
    if not ANSWERS:
        time.sleep(60.0)
    return ANSWERS.pop(0)


OTHER = generate_dynamic("std_msgs/String", "string data\nint32 more\n")["std_msgs/String"]
SAID = {
    "redefined": ("/test/odd", OTHER, 0.1, lambda: OTHER(data="{}", more=1)),
    "flood": ("/test/odd", String, 0.002, lambda: detection()),
    "nan": ("/test/odd", String, 0.1, lambda: detection(x_m=math.nan)),
    "frame": ("/test/odd", String, 0.1, lambda: detection(frame="nowhere")),
    "future": ("/test/odd", String, 0.1, lambda: detection(ahead_s=30.0)),
    "type": ("/test/odd", Int32, 0.1, lambda: Int32(7)),
    "usurper": ("/test/other", Int32, 0.5, lambda: Int32(7)),
    "big": ("/test/big", Image, 0.3, lambda: BIG),
}
BIG = Image(height=1600, width=2200, encoding="rgb8", step=6600, data=bytes(6600 * 1600))


def main() -> None:
    what = sys.argv[1]
    is_usurper = what == "usurper"
    name = "quarterdeck_rover" if is_usurper else "test_mouth"
    rospy.init_node(name, anonymous=not is_usurper, disable_signals=True)
    while rospy.get_time() == 0.0:
        time.sleep(0.01)
    if what == "wave":
        rospy.Service("/test/wave", Trigger, wave)
        rospy.spin()
    if what == "map":
        grown = mapped()
        topic, kind, period_s, say = "/map", OccupancyGrid, 0.5, lambda: grown
    elif what == "vision":
        topic, kind, period_s, say = "/test/vision", type(vision()), 0.3, vision
    else:
        topic, kind, period_s, say = SAID[what]
    publisher = rospy.Publisher(topic, kind, queue_size=10)
    while True:
        publisher.publish(say())
        time.sleep(period_s)


if __name__ == "__main__":
    main()
