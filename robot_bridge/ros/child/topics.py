"""A skill that is one message on a topic, and what was measured afterwards that says it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rospy
from genpy.message import fill_message_args

from robot_bridge.ros.child.actions import Ended
from robot_bridge.ros.child.kinds import message_class

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Topic:
    """`until`: {"joint", "least", "most"}: done once the joint is measured within. Raises TypeMissing."""

    def __init__(
        self,
        name: str,
        type_name: str,
        until: dict[str, Any],
        timeout_s: float,
        joints: Callable[[], dict[str, float]],
        monotonic: Callable[[], float],
    ) -> None:
        self.name = name
        self._class = message_class(type_name)
        self._until = until
        self._timeout_s = timeout_s
        self._joints = joints
        self._monotonic = monotonic
        self._sent_s = 0.0
        self._publisher = rospy.Publisher(name, self._class, queue_size=4)

    @property
    def why_absent(self) -> str:
        return f"Nothing serves {self.name}: start it, or mend its name in the robot's file."

    def is_there(self) -> bool:
        return bool(self._publisher.get_num_connections() > 0)

    def send(self, goal_id: str, values: dict[str, Any]) -> None:
        """Raises ValueError where the values do not fit the message."""
        message = self._class()
        try:
            fill_message_args(message, [values], keys={"now": rospy.get_rostime()})
        except Exception as error:  # genpy raises whatever the values break
            raise ValueError(f"the message cannot be filled: {error}") from None
        self._sent_s = self._monotonic()
        self._publisher.publish(message)

    def cancel_all(self) -> None:
        """A message cannot be taken back: what it set going ends by its measurement, or in time."""

    def ended(self, now_s: float) -> Ended | None:
        at = self._joints().get(self._until["joint"])
        if (
            at is not None
            and self._until["least"] <= at <= self._until["most"]
            and now_s - self._sent_s > 0.2
        ):
            return Ended("succeeded", {self._until["joint"]: at}, "")
        if now_s - self._sent_s > self._timeout_s:
            told = f"{self._until['joint']} is at {at}, not within the bounds, after {self._timeout_s:g} s."
            return Ended("failed", {}, told)
        return None
