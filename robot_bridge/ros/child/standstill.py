"""Whether the robot is measured to stand still: all fresh readings of the last moments say so."""

from __future__ import annotations

STILL_FOR_S = 0.3
FRESH_S = 0.5
"""A reading older than that says nothing of now."""
GONE_S = 1.5
"""Without a reading for so long, none is waited for when the process has to end."""


class Standstill:
    """Times are monotonic. Without readings nothing is known, and the robot is not said to stand."""

    def __init__(self, still_m_s: float, still_rad_s: float) -> None:
        self._still_m_s = still_m_s
        self._still_rad_s = still_rad_s
        self._since_s: float | None = None
        self._heard_s: float | None = None
        self._last: tuple[float, float, float, float] | None = None
        self.speed_m_s: float | None = None

    def hear(self, speed_m_s: float, turn_rad_s: float, now_s: float) -> None:
        gap = self._heard_s is None or now_s - self._heard_s > FRESH_S
        self._heard_s = now_s
        self.speed_m_s = speed_m_s
        if abs(speed_m_s) > self._still_m_s or abs(turn_rad_s) > self._still_rad_s:
            self._since_s = None
        elif self._since_s is None or gap:
            self._since_s = now_s

    def hear_pose(self, x_m: float, y_m: float, yaw_rad: float, now_s: float) -> None:
        """Where the robot tells no speed, it is what its pose says."""
        if self._last is not None:
            last_x, last_y, last_yaw, last_s = self._last
            if now_s - last_s < 0.02:
                return
            span_s = now_s - last_s
            moved_m = ((x_m - last_x) ** 2 + (y_m - last_y) ** 2) ** 0.5
            self.hear(moved_m / span_s, (yaw_rad - last_yaw) / span_s, now_s)
        self._last = (x_m, y_m, yaw_rad, now_s)

    def is_heard(self, now_s: float) -> bool:
        """Whether anything can be measured at all."""
        return self._heard_s is not None and now_s - self._heard_s <= GONE_S

    def is_still(self, now_s: float) -> bool:
        fresh = self._heard_s is not None and now_s - self._heard_s <= FRESH_S
        return fresh and self._since_s is not None and now_s - self._since_s >= STILL_FOR_S
