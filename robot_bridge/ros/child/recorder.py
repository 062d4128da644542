"""The recorder: `launch.py robot_bridge.ros.child.recorder`, told once what to hear, frames on stdout.

Messages are handed on undecoded, with what their sender says of their type. It ends with its parent, or with
the master.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from robot_bridge.ros.child.framing import FramingError, frames
from robot_bridge.ros.child.master import MasterGone, master_pid
from robot_bridge.ros.child.outbox import Outbox

if TYPE_CHECKING:
    from typing import Any

LOOK_EVERY_S = 0.5
BUFFER_BYTES = 1 << 24


class Hearing:
    """Each type is described once, before its first message."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._lock = threading.Lock()
        self._described: set[tuple[str, str]] = set()

    def take(self, topic: str, message: Any) -> None:
        import rospy

        said = message._connection_header
        name, definition, md5 = said["type"], said["message_definition"], said["md5sum"]
        with self._lock:
            if (topic, name) not in self._described:
                self._described.add((topic, name))
                self._outbox.send("topic", topic=topic, type=name, definition=definition, md5=md5)
            at_s = rospy.get_time()
            self._outbox.send("message", message._buff, topic=topic, type=name, ros_s=at_s, utc_s=time.time())


def main() -> int:
    outbox = Outbox(os.dup(1))
    os.dup2(2, 1)  # whatever prints must not break the frames
    told = frames(os.dup(0))
    try:
        asked, _ = next(told)
        pid = master_pid(asked["master"])
    except (StopIteration, FramingError, KeyError, MasterGone) as error:
        return _end(outbox, str(error) or "nothing was asked")
    import rospy

    rospy.init_node(asked["node"], anonymous=True, disable_signals=True)
    hearing = Hearing(outbox)
    for topic in asked["topics"]:
        rospy.Subscriber(
            topic, rospy.AnyMsg, partial(hearing.take, topic), queue_size=200, buff_size=BUFFER_BYTES
        )
    outbox.send("hears", ros_s=rospy.get_time(), utc_s=time.time())
    closed = threading.Event()
    threading.Thread(target=_await_end, args=(told, closed), daemon=True).start()
    while not closed.wait(LOOK_EVERY_S) and not outbox.is_broken:
        try:
            if master_pid(asked["master"]) != pid:
                return _end(outbox, "the ROS master was restarted")
        except MasterGone as error:
            return _end(outbox, str(error))
    return _end(outbox, "")


def _await_end(told: Any, closed: threading.Event) -> None:
    try:
        for _ in told:
            pass
    except (FramingError, OSError):
        pass
    closed.set()


def _end(outbox: Outbox, reason: str) -> int:
    outbox.send("bye", reason=reason)
    outbox.flush(5.0)
    return 1 if reason else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # rospy's shutdown waits for a master that may be gone
