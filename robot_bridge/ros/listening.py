"""What the child last said of its robot, judged: where it is, what its gripper does, what is wrong. No IO."""

from __future__ import annotations

from typing import Any

from robot_bridge.ros.config import Robot
from robot_bridge.world import Pose, Sighting

NOWHERE = Pose(0.0, 0.0, 0.0, "unknown")
STATE_FRESH_S = 1.0
"""The child speaks 20 times a second: older than that, nothing is known of now."""
TOO_FAST = 1.1
"""A measured speed counts as too fast from so many times the limit on: measuring is not exact."""


class Listening:
    """Times are monotonic; `rate` is mission seconds a second."""

    def __init__(self, robot: Robot, rate: float) -> None:
        self._robot = robot
        self._rate = rate
        self._state: dict[str, Any] | None = None
        self._state_s = -1e9
        self.pose = NOWHERE

    def state(self, message: dict[str, Any], now_s: float) -> None:
        self._state, self._state_s = message, now_s
        pose = message["pose"]
        if pose is not None:
            self.pose = pose_of(pose)

    def forget(self) -> None:
        """The child is gone: nothing that it said is known of now, but where the robot was last."""
        self._state_s = -1e9

    def is_fresh(self, now_s: float) -> bool:
        return self._state is not None and now_s - self._state_s <= STATE_FRESH_S

    def pose_age_s(self, now_s: float) -> float | None:
        """None where no pose is known."""
        if self._state is None or self._state["pose_age_s"] is None:
            return None
        return float(self._state["pose_age_s"]) + now_s - self._state_s

    def is_silent(self, now_s: float) -> bool:
        age_s = self.pose_age_s(now_s)
        return not self.is_fresh(now_s) or age_s is None or age_s > self._robot.times.silent_s

    def is_still(self, now_s: float) -> bool:
        """Measured, not assumed."""
        return (
            self._state is not None
            and self.is_fresh(now_s)
            and self._state["still"]
            and not self._state["halting"]
        )

    def speed_m_s(self, now_s: float) -> float:
        if self._state is None or not self.is_fresh(now_s):
            return 0.0
        return round(float(self._state["speed_m_s"] or 0.0), 3)

    def progress(self, now_s: float) -> str:
        """What the running skill's server says of it."""
        return "" if self._state is None or not self.is_fresh(now_s) else str(self._state["progress"])

    def battery(self) -> float | None:
        return None if self._state is None else self._state["battery"]

    def gripper(self, now_s: float, since_s: float) -> str | None:
        """open, holds or empty by a position measured after `since_s`; None where there is none."""
        gripper, state = self._robot.gripper, self._state
        if gripper is None or state is None or state["joints_age_s"] is None:
            return None
        measured_s = self._state_s - state["joints_age_s"]
        at = state["joints"].get(gripper.joint)
        if at is None or measured_s < since_s or not self.is_fresh(now_s):
            return None
        return "open" if at >= gripper.open_from else "holds" if at >= gripper.holds_from else "empty"

    def others(self) -> list[tuple[str, Pose]]:
        """The other robots that were ever heard."""
        if self._state is None:
            return []
        return [(each["name"], pose_of(each["pose"])) for each in self._state["robots"]]

    def troubles(self, now_s: float) -> list[str]:
        if self._state is None or not self.is_fresh(now_s):
            return []
        most, speed_m_s = self._robot.limits.speed_m_s, self.speed_m_s(now_s)
        fast = most is not None and speed_m_s > most * TOO_FAST
        told = [f"It drives at {speed_m_s:g} m/s, more than limits.speed_m_s, {most:g}."] if fast else []
        return [*told, *self._state["troubles"]]

    def sightings(self, message: dict[str, Any], met_s: float) -> list[Sighting]:
        """Of a checked `detections` message, at the moment it came."""
        name = message["source"]
        source = self._robot.detections.get(name)
        if source is None:
            return []
        return [self._sighting(each, name, source.source, met_s) for each in message["detections"]]

    def _sighting(self, each: dict[str, Any], name: str, source: str, met_s: float) -> Sighting:
        age_s = each["age_s"]
        stamp_s = round(max(0.0, met_s - age_s), 3)
        return Sighting(
            each["entity"],
            each["cls"],
            pose_of(each["pose"]),
            each["confidence"],
            source,
            stamp_s,
            name,
            self._clocks(age_s),
        )

    def _clocks(self, age_s: float) -> tuple[float, float] | None:
        """ROS's time and UTC of what is `age_s` of ROS's time old, by the state that came before it."""
        if self._state is None:
            return None
        utc_s = self._state["utc_s"] - age_s / self._rate
        return round(self._state["ros_s"] - age_s, 3), round(utc_s, 3)


def pose_of(message: dict[str, Any]) -> Pose:
    return Pose(message["x_m"], message["y_m"], message["yaw_rad"], message["frame_id"])
