"""One actionlib server and the goal it was sent, over its five topics.

actionlib's own client keeps saying ACTIVE of a server that was killed. Here a goal has ended when its server
says so, or is lost when the server's status has not come for a while.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

import rospy
from actionlib_msgs.msg import GoalID, GoalStatus, GoalStatusArray
from genpy.message import fill_message_args

from robot_bridge.ros.child.kinds import action_types
from robot_bridge.ros.child.plain import plain

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ENDS = {
    GoalStatus.SUCCEEDED: "succeeded",
    GoalStatus.ABORTED: "failed",
    GoalStatus.REJECTED: "failed",
    GoalStatus.PREEMPTED: "cancelled",
    GoalStatus.RECALLED: "cancelled",
    GoalStatus.LOST: "lost",
}
RESULT_AFTER_S = 1.0
"""How long the result may come after the status that says the goal has ended."""


class Ended(NamedTuple):
    """`end`: one of the messages' ENDS."""

    end: str
    result: dict[str, Any]
    message: str


class Action:
    """`lost_s`: for how long the server's status may be missing. Raises TypeMissing when made."""

    def __init__(
        self,
        name: str,
        type_name: str,
        definitions: dict[str, str],
        lost_s: float,
        monotonic: Callable[[], float],
    ) -> None:
        self.name = name
        self._types = action_types(type_name, definitions)
        self._lost_s = lost_s
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._status_s: float | None = None
        self._goal_id = ""
        self._status = -1
        self._ended_s: float | None = None
        self._result: tuple[int, str, dict[str, Any]] | None = None
        self.feedback: dict[str, Any] = {}
        """The newest of the goal that runs."""
        self._goals = rospy.Publisher(f"{name}/goal", self._types.goal, queue_size=4)
        self._cancels = rospy.Publisher(f"{name}/cancel", GoalID, queue_size=4)
        rospy.Subscriber(f"{name}/status", GoalStatusArray, self._take_status, queue_size=4)
        rospy.Subscriber(f"{name}/result", self._types.result, self._take_result, queue_size=4)
        rospy.Subscriber(f"{name}/feedback", self._types.feedback, self._take_feedback, queue_size=1)

    @property
    def why_absent(self) -> str:
        """For an action that is not there."""
        if not self._is_heard:
            return f"Nothing serves {self.name}: start it, or mend its name in the robot's file."
        return (
            f"{self.name} tells its status and takes no goal from here: its definition is another than the"
            " robot's file says, or it cannot reach this machine."
        )

    def is_there(self) -> bool:
        """Its server tells its status, and hears goals."""
        return (
            self._is_heard
            and self._goals.get_num_connections() > 0
            and self._cancels.get_num_connections() > 0
        )

    @property
    def _is_heard(self) -> bool:
        with self._lock:
            return self._status_s is not None and self._monotonic() - self._status_s < self._lost_s

    def send(self, goal_id: str, values: dict[str, Any]) -> None:
        """Raises ValueError where the values do not fit the goal."""
        message = self._types.goal()
        try:
            fill_message_args(message.goal, [values], keys={"now": rospy.get_rostime()})
        except Exception as error:  # genpy raises whatever the values break
            raise ValueError(f"the goal cannot be filled: {error}") from None
        message.header.stamp = message.goal_id.stamp = rospy.get_rostime()
        message.goal_id.id = goal_id
        with self._lock:
            self._goal_id, self._status, self._ended_s, self._result = goal_id, -1, None, None
            self.feedback = {}
            self._status_s = self._monotonic()
        self._goals.publish(message)

    def cancel_all(self) -> None:
        """Whoever sent them. Asked is not cancelled: see `ended`."""
        self._cancels.publish(GoalID())

    def ended(self, now_s: float) -> Ended | None:
        """How the goal ended, once it has; lost, when nobody can say any more."""
        with self._lock:
            if self._result is not None:
                status, text, result = self._result
                return Ended(ENDS.get(status, "failed"), result, text)
            if self._ended_s is not None and now_s - self._ended_s > RESULT_AFTER_S:
                return Ended(ENDS.get(self._status, "failed"), {}, "It ended without a result.")
            silent_s = now_s - (self._status_s or 0.0)
            if silent_s > self._lost_s:
                return Ended("lost", {}, f"Action {self.name} has told no status for {silent_s:.1f} s.")
        return None

    def _take_status(self, message: Any) -> None:
        with self._lock:
            self._status_s = self._monotonic()
            for each in message.status_list:
                if each.goal_id.id == self._goal_id and self._goal_id:
                    self._status = each.status
                    if each.status in ENDS and self._ended_s is None:
                        self._ended_s = self._status_s

    def _take_result(self, message: Any) -> None:
        with self._lock:
            if message.status.goal_id.id == self._goal_id and self._goal_id:
                self._result = (message.status.status, message.status.text, plain(message.result))

    def _take_feedback(self, message: Any) -> None:
        with self._lock:
            if message.status.goal_id.id == self._goal_id and self._goal_id:
                self.feedback = plain(message.feedback)
