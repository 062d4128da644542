"""The child process: `launch.py robot_bridge.ros.child`, frames on stdin and stdout, words on stderr.

Exit codes: 0 told to end, 2 the configuration cannot be used, 3 the master is away, or another one, 4 the
parent is away.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from typing import TYPE_CHECKING

from robot_bridge.contract import ContractError
from robot_bridge.ros.child.framing import FramingError, frames
from robot_bridge.ros.child.guards import refuse_silent_parent
from robot_bridge.ros.child.master import MasterGone, is_alive, master_pid, node_address
from robot_bridge.ros.child.messages import TO_CHILD, VERSION, check
from robot_bridge.ros.child.outbox import Outbox
from robot_bridge.ros.child.troubles import Troubles

if TYPE_CHECKING:
    from typing import Any

    Message = dict[str, Any]

TICK_S = 0.05
STOPPING_S = 8.0
"""How long the last stop may take before the process ends all the same."""
OK, BAD_CONFIGURATION, NO_MASTER, NO_PARENT = 0, 2, 3, 4


class Inbox:
    """What the parent sends, read by a thread; `ended` says why no more comes."""

    def __init__(self, descriptor: int) -> None:
        self.messages: queue.Queue[Message] = queue.Queue(1000)
        self.ended = ""
        self.heard_s = time.monotonic()
        threading.Thread(target=self._read, args=(descriptor,), name="inbox", daemon=True).start()

    def _read(self, descriptor: int) -> None:
        try:
            for message, _ in frames(descriptor):
                check(message, TO_CHILD)
                self.heard_s = time.monotonic()
                if message["kind"] != "beat":
                    self.messages.put(message)
            self.ended = "the parent closed the pipe"
        except (FramingError, ContractError, OSError) as error:
            self.ended = f"the parent's pipe broke: {error}"


def main() -> int:
    outbox = Outbox(os.dup(1))
    os.dup2(2, 1)  # whatever prints must not break the frames
    inbox = Inbox(os.dup(0))
    try:
        first = inbox.messages.get(timeout=10.0)
    except queue.Empty:
        return _goodbye(outbox, NO_PARENT, inbox.ended or "the parent sent no configuration")
    if first["kind"] != "configure" or first["version"] != VERSION:
        return _goodbye(outbox, BAD_CONFIGURATION, f"the parent does not speak version {VERSION}")
    robot = first["robot"]
    try:
        pid = master_pid(robot["master"])
        other = node_address(robot["master"], f"/{robot['node']}")
        if other and is_alive(other):
            told = f"another bridge commands this robot already: node /{robot['node']} at {other}"
            return _goodbye(outbox, NO_MASTER, told)
    except MasterGone as error:
        return _goodbye(outbox, NO_MASTER, str(error))
    return Session(robot, pid, inbox, outbox).run()


def _goodbye(outbox: Outbox, code: int, reason: str) -> int:
    outbox.send("bye", reason=reason)
    outbox.flush(2.0)
    return code


class Session:
    """One node's life: from the first registration to the loss of its master or its parent."""

    def __init__(self, robot: Message, master: int, inbox: Inbox, outbox: Outbox) -> None:
        self._robot = robot
        self._master = master
        self._inbox = inbox
        self._outbox = outbox
        self._troubles = Troubles()

    def run(self) -> int:
        import rospy

        from robot_bridge.ros.child.kinds import TypeMissing
        from robot_bridge.ros.child.node import Node
        from robot_bridge.ros.child.skills import Skills
        from robot_bridge.ros.child.source import RospySource
        from robot_bridge.ros.child.watch import Watch

        robot = self._robot
        rospy.init_node(robot["node"], disable_signals=True)
        try:
            self._node = Node(robot, self._outbox, self._troubles, time.monotonic, RospySource())
            self._skills = Skills(robot, self._node, self._outbox, self._troubles, time.monotonic)
        except TypeMissing as error:
            return self._end(BAD_CONFIGURATION, str(error))
        self._watch = Watch(robot["master"], self._master, self._node, self._troubles, time.monotonic)
        ready = {"version": VERSION, "pid": os.getpid(), "node": rospy.get_name(), "ros_s": rospy.get_time()}
        self._outbox.send("ready", **ready)
        while True:
            self._obey()
            now_s = time.monotonic()
            self._tick(now_s, rospy.get_time())
            if rospy.is_shutdown():  # nothing can be published any more
                return self._end(NO_MASTER, f"another node has taken the name {rospy.get_name()}")
            if self._watch.lost:
                return self._stop_and_end(NO_MASTER, self._watch.lost)
            if self._inbox.ended or self._outbox.is_broken:
                return self._stop_and_end(NO_PARENT, self._inbox.ended or "the parent reads no more")
            runs = self._skills.running and not self._skills.is_halting
            silence = refuse_silent_parent(now_s - self._inbox.heard_s, runs)
            if silence is not None:
                self._troubles.say("silence", silence, now_s)
                self._skills.halt("silence")
            time.sleep(TICK_S)

    def _obey(self) -> None:
        while True:
            try:
                message = self._inbox.messages.get_nowait()
            except queue.Empty:
                return
            if message["kind"] == "goal":
                self._skills.start(message["goal_id"], message["skill"], message["values"])
            elif message["kind"] == "halt":
                self._skills.halt(message["halt_id"])
            elif message["kind"] == "picture" and message["camera"] in self._robot["cameras"]:
                self._node.cameras.send(message["request"], message["camera"])

    def _tick(self, now_s: float, ros_s: float) -> None:
        self._node.tick(now_s)
        self._skills.tick(now_s)
        state = self._node.state(now_s)
        self._outbox.post(
            "state",
            "state",
            ros_s=ros_s,
            utc_s=time.time(),
            halting=self._skills.is_halting,
            progress=self._skills.progress,
            troubles=self._troubles.now(now_s),
            **state,
        )

    def _stop_and_end(self, code: int, reason: str) -> int:
        """A robot that runs a skill is stopped first: its topics go on without the master."""
        import rospy

        self._troubles.say("end", reason, time.monotonic() + STOPPING_S)
        if self._skills.running:
            self._skills.halt("end")
        until_s = time.monotonic() + STOPPING_S
        while self._skills.is_halting and time.monotonic() < until_s:
            now_s = time.monotonic()
            self._tick(now_s, rospy.get_time())
            if not self._node.still.is_heard(now_s):
                break  # nothing is left to be measured: the robot is away as well
            time.sleep(TICK_S)
        return self._end(code, reason)

    def _end(self, code: int, reason: str) -> int:
        sys.stderr.write(f"ROS side: {reason}\n")
        return _goodbye(self._outbox, code, reason)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # rospy's shutdown waits for a master that may be gone
