"""The floor that a robot publishes, followed while it drives: the latest is taken, every few seconds.

A map that cannot be used changes nothing; why stands in `problem`, in the operator's words.
"""

from __future__ import annotations

from typing import Any

from robot_bridge.ros.config import Robot
from robot_bridge.ros.sitemap import MapError, occupancy_of, site_map

EVERY_S = 5.0
"""A map that has changed is told so often at most,"""
CELLS_A_SECOND = 2_000
"""and a second later for each so many cells: the whole of it is sent, and kept in the journal."""


class Ground:
    """`floor`: the contract's MAP; given, it is the robot's own and nothing that is heard replaces it."""

    def __init__(self, robot: Robot, floor: dict[str, Any] | None) -> None:
        self.floor = floor
        self.problem = ""
        self._robot = robot
        self._is_given = floor is not None
        self._heard: tuple[dict[str, Any], bytes] | None = None
        self._finest_m: float | None = None
        self._told: dict[str, Any] | None = None
        self._next_s = -1e9

    def hear(self, message: dict[str, Any], blob: bytes) -> None:
        """A checked `map` message of the child's."""
        if not self._is_given:
            self._heard = message, blob

    def keep(self, now_s: float) -> None:
        """What was heard last becomes the floor, once it is time. Until the first is told, any is."""
        if self._heard is None or (self._told is not None and now_s < self._next_s):
            return
        (message, blob), self._heard = self._heard, None
        self._next_s = now_s + EVERY_S
        try:
            floor = self._floor_of(message, blob)
        except MapError as error:
            self.problem = str(error)
            return
        self.problem = ""
        self.floor = floor
        self._next_s += floor["width"] * floor["height"] / CELLS_A_SECOND

    def told(self) -> dict[str, Any]:
        """The floor, which whoever asks knows from then on."""
        assert self.floor is not None
        self._told = self._told or self.floor
        return self.floor

    def take(self) -> dict[str, Any] | None:
        """The floor, where it is another than was told."""
        if self._told is None or self.floor is self._told or self.floor == self._told:
            return None
        self._told = self.floor
        return self.floor

    def _floor_of(self, message: dict[str, Any], blob: bytes) -> dict[str, Any]:
        frame, ours = message["pose"]["frame_id"].strip("/"), self._robot.pose.map.strip("/")
        if frame != ours:
            raise MapError(f"The map is told in frame {frame}, and pose.map is {ours}. Publish it in {ours}.")
        cell_m = message["cell_m"]
        if self._finest_m is not None and cell_m != self._finest_m:
            raise MapError(
                f"The map has cells of {cell_m:g} m, and had {self._finest_m:g} m before."
                " Publish it as before, or begin another episode."
            )
        floor = site_map(occupancy_of(message, blob), self._robot.site.cell_m)
        self._finest_m = cell_m
        return floor
