"""Recorded messages as rospy's look: lists in place of arrays, stamps that say `to_sec`."""

from __future__ import annotations

from typing import Any

import numpy as np


class Stamp:
    """A time or duration, of ROS 1 or 2."""

    def __init__(self, sec: int, nanosec: int) -> None:
        self.secs, self.nsecs = sec, nanosec

    def to_sec(self) -> float:
        return self.secs + self.nsecs / 1e9


class View:
    """A message; its fields are viewed as they are asked for."""

    def __init__(self, of: Any) -> None:
        self._of = of

    def __getattr__(self, name: str) -> Any:
        return viewed(getattr(self._of, name))


def viewed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [viewed(each) for each in value]
    if hasattr(value, "sec") and hasattr(value, "nanosec"):
        return Stamp(value.sec, value.nanosec)
    return View(value) if hasattr(value, "__msgtype__") else value
