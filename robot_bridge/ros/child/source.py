"""Where messages come from: rospy here; a bag that is played has a source of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Source(Protocol):
        def now_s(self) -> float:
            """ROS's clock; 0 where it has not begun."""

        def knows(self, type_name: str) -> bool:
            """Whether messages of that type come decoded."""

        def subscribe(
            self, topic: str, type_name: str, called: Callable[[Any], None], **options: Any
        ) -> None:
            """Raises TypeMissing."""


class RospySource:
    """For the process that has a node."""

    def now_s(self) -> float:
        import rospy

        return float(rospy.get_time())

    def knows(self, type_name: str) -> bool:
        from robot_bridge.ros.child.kinds import TypeMissing, message_class

        try:
            message_class(type_name)
        except TypeMissing:
            return False
        return True

    def subscribe(
        self,
        topic: str,
        type_name: str,
        called: Callable[[Any], None],
        raw: bool = False,
        queue_size: int = 10,
        **options: Any,
    ) -> None:
        import rospy

        from robot_bridge.ros.child.kinds import message_class

        kind = rospy.AnyMsg if raw else message_class(type_name)
        rospy.Subscriber(topic, kind, called, queue_size=queue_size, **options)
