"""Stamps against ROS's clock: how old a message is, and whether it may be believed.

Refused are stamps from the future, too old ones, and all for a second after the clock jumped. The limits are
real seconds: where ROS's clock hurries, so do they.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from robot_bridge.ros.child.troubles import Troubles

SETTLES_S = 1.0
BACKWARD_S = 0.05


class Unfit(Exception):
    """A message that is not used; the text says why."""


class Aged(NamedTuple):
    age_s: float
    stamp_s: float


class Stamps:
    """`rate`: ROS seconds a second, more than 1 for a simulation that hurries. `ros_s` reads ROS's clock."""

    def __init__(
        self, times: dict[str, Any], rate: float, troubles: Troubles, ros_s: Callable[[], float]
    ) -> None:
        self._scale = max(1.0, rate)
        self._future_s: float = times["future_s"] * self._scale
        self._jump_s: float = times["jump_s"] * self._scale
        self._rate = rate
        self._troubles = troubles
        self._ros_s = ros_s
        self._last: tuple[float, float] | None = None
        self._moved_s = 0.0
        self._refuse_until_s = 0.0

    def tick(self, now_s: float) -> bool:
        """Called several times a second with the monotonic clock. True when ROS's jumped."""
        ros_s = self._ros_s()
        last, self._last = self._last, (ros_s, now_s)
        if last is None or last[0] == 0.0:  # simulated time is 0 until the first /clock
            self._moved_s = now_s
            return False
        passed_s, went_s = now_s - last[1], ros_s - last[0]
        if went_s != 0.0:
            self._moved_s = now_s
        elif now_s - self._moved_s > 1.0:
            self._troubles.say("clock", "ROS's clock stands still: nothing publishes /clock.", now_s)
        if -BACKWARD_S <= went_s <= passed_s * self._rate * 1.5 + self._jump_s:
            return False
        self._refuse_until_s = now_s + SETTLES_S
        self._troubles.say("clock", f"ROS's clock jumped by {went_s - passed_s * self._rate:+.1f} s.", now_s)
        return True

    def age_of(self, stamp_s: float, old_s: float | None) -> Aged:
        """Seconds of ROS time; a message without a stamp is as old as its arrival. Raises Unfit."""
        if self._last is not None and self._last[1] < self._refuse_until_s:
            raise Unfit("ROS's clock jumped a moment ago")
        if not math.isfinite(stamp_s):
            raise Unfit("its stamp is no time")
        ros_s = self._ros_s()
        if stamp_s == 0.0 or ros_s == 0.0:
            return Aged(0.0, ros_s)
        age_s = ros_s - stamp_s
        if age_s < -self._future_s:
            raise Unfit(f"its stamp is {-age_s / self._scale:.1f} s in the future; synchronise the clocks")
        if old_s is not None and age_s > old_s * self._scale:
            raise Unfit(f"its stamp is {age_s / self._scale:.1f} s old, more than {old_s:g} s")
        return Aged(max(age_s, 0.0), stamp_s)
