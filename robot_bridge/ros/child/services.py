"""A skill that is one call of a service. rospy's calls know no time limit: each has its own thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import rospy
from genpy.message import fill_message_args

from robot_bridge.ros.child.actions import Ended
from robot_bridge.ros.child.kinds import service_class
from robot_bridge.ros.child.plain import plain

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Service:
    """`timeout_s`: how long an answer may take. Raises TypeMissing when made."""

    def __init__(self, name: str, type_name: str, timeout_s: float, monotonic: Callable[[], float]) -> None:
        self.name = name
        self._class = service_class(type_name)
        self._timeout_s = timeout_s
        self._monotonic = monotonic
        self._sent_s = 0.0
        self._answer: list[Ended] = []

    @property
    def why_absent(self) -> str:
        return f"Nothing serves {self.name}: start it, or mend its name in the robot's file."

    def is_there(self) -> bool:
        try:
            rospy.wait_for_service(self.name, timeout=0.2)
        except rospy.ROSException:
            return False
        return True

    def send(self, goal_id: str, values: dict[str, Any]) -> None:
        """Raises ValueError where the values do not fit the request."""
        request = self._class._request_class()
        try:
            fill_message_args(request, [values], keys={"now": rospy.get_rostime()})
        except Exception as error:  # genpy raises whatever the values break
            raise ValueError(f"the request cannot be filled: {error}") from None
        self._sent_s = self._monotonic()
        answer: list[Ended] = []
        self._answer = answer
        threading.Thread(target=self._call, args=(request, answer), daemon=True).start()

    def cancel_all(self) -> None:
        """A call cannot be taken back: it ends by its answer, or is lost."""

    def ended(self, now_s: float) -> Ended | None:
        if self._answer:
            return self._answer[0]
        if now_s - self._sent_s > self._timeout_s:
            return Ended(
                "lost", {}, f"Service {self.name} has not answered for {now_s - self._sent_s:.1f} s."
            )
        return None

    def _call(self, request: Any, answer: list[Ended]) -> None:
        try:
            response = plain(rospy.ServiceProxy(self.name, self._class)(request))
        except Exception as error:  # whatever the other side's failure is raised as
            answer.append(Ended("failed", {}, f"Service {self.name} failed: {error}"))
            return
        told = str(response.get("message", ""))
        answer.append(Ended("failed" if response.get("success") is False else "succeeded", response, told))
