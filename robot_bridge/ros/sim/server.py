"""One actionlib server: five topics, one goal at a time. A goal is a generator that goes on at each tick."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import rospy
from actionlib_msgs.msg import GoalID, GoalStatus, GoalStatusArray

from robot_bridge.ros.child.kinds import ActionTypes


class Done(NamedTuple):
    """How a goal ended, and the fields of its result."""

    succeeded: bool
    reason: str
    message: str
    fields: Mapping[str, Any] = MappingProxyType({})


Work = Generator[str, None, Done]
"""Yields what it is doing; returns how it ended."""


class Server:
    """`begin` makes the work of a goal. `tick` and `tell` are called from one thread."""

    def __init__(
        self, name: str, types: ActionTypes, begin: Callable[[Any], Work], stop: Callable[[], bool]
    ) -> None:
        self._types = types
        self._begin = begin
        self._stop = stop
        self._lock = threading.Lock()
        self._waiting: list[Any] = []
        self._work: Work | None = None
        self._goal: Any = None
        self._cancelled = False
        self._phase = ""
        self._status: list[GoalStatus] = []
        self._statuses = rospy.Publisher(f"{name}/status", GoalStatusArray, queue_size=1)
        self._feedback = rospy.Publisher(f"{name}/feedback", types.feedback, queue_size=1)
        self._results = rospy.Publisher(f"{name}/result", types.result, queue_size=4)
        rospy.Subscriber(f"{name}/goal", types.goal, self._take, queue_size=4)
        rospy.Subscriber(f"{name}/cancel", GoalID, self._cancel, queue_size=4)

    @property
    def is_busy(self) -> bool:
        return self._goal is not None or bool(self._waiting)

    def tick(self) -> None:
        with self._lock:
            if self._goal is None and self._waiting:
                self._goal, self._cancelled = self._waiting.pop(0), False
                self._work, self._phase = self._begin(self._goal.goal), ""
        if self._goal is None or self._work is None:
            return
        if self._cancelled:
            self._work.close()
            if self._stop():
                self._end(GoalStatus.PREEMPTED, Done(False, "cancelled", "Cancelled."))
            return
        try:
            self._say(next(self._work))
        except StopIteration as ended:
            done: Done = ended.value
            self._end(GoalStatus.SUCCEEDED if done.succeeded else GoalStatus.ABORTED, done)

    def _say(self, phase: str) -> None:
        """Feedback, once a phase."""
        if phase == self._phase:
            return
        self._phase = phase
        feedback = self._types.feedback()
        feedback.header.stamp = rospy.get_rostime()
        feedback.status = GoalStatus(goal_id=self._goal.goal_id, status=GoalStatus.ACTIVE)
        feedback.feedback.phase = phase
        self._feedback.publish(feedback)

    def tell(self) -> None:
        """The status, several times a second."""
        message = GoalStatusArray()
        message.header.stamp = rospy.get_rostime()
        if self._goal is not None:
            now = GoalStatus(goal_id=self._goal.goal_id, status=GoalStatus.ACTIVE)
            message.status_list = [*self._status[-3:], now]
        else:
            message.status_list = self._status[-4:]
        self._statuses.publish(message)

    def _take(self, goal: Any) -> None:
        with self._lock:
            self._waiting.append(goal)

    def _cancel(self, goal_id: Any) -> None:
        with self._lock:
            if goal_id.id in ("", getattr(getattr(self._goal, "goal_id", None), "id", None)):
                self._cancelled = self._goal is not None
                self._waiting.clear()

    def _end(self, status: int, done: Done) -> None:
        told = GoalStatus(goal_id=self._goal.goal_id, status=status, text=done.message)
        result = self._types.result(status=told)
        result.header.stamp = rospy.get_rostime()
        for name, value in {"reason": done.reason, "message": done.message, **done.fields}.items():
            if hasattr(result.result, name):
                setattr(result.result, name, value)
        with self._lock:
            self._status.append(told)
            self._goal = self._work = None
        self._results.publish(result)
