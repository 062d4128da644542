"""What the executor is doing: the same phrase again goes on with it, another begins something else."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from random import Random
from typing import Any

from robot_bridge.tabletop.arm import Arm
from robot_bridge.tabletop.demonstrating import through
from robot_bridge.tabletop.executor import Order, is_same
from robot_bridge.tabletop.values import Waypoint

Draw = Callable[[Random], tuple[Waypoint, ...]]
"""What an order comes to, and what goes wrong with it."""


class Executing:
    """One at a time. Which faults it has is drawn from `seed` and how many orders it began before."""

    def __init__(self, arm: Arm, seed: int) -> None:
        self._arm, self._seed = arm, seed
        self._begun = 0
        self._order: Order | None = None
        self._left: tuple[Waypoint, ...] = ()
        self._motion: Generator[None, None, None] | None = None

    def take(self, order: Order, draw: Draw) -> None:
        """Begin it, unless that is what is under way."""
        if self._order is None or not self._left or not self._is_under_way(order, self._order):
            self._begun += 1
            self._left = draw(Random(f"{self._seed}/{self._begun}"))
            self._motion = None
        self._order = order

    def step(self) -> None:
        """Command the next control step; nothing once it is done."""
        if self._motion is None:
            self._motion = self._go()
        next(self._motion, None)

    def save(self) -> dict[str, Any]:
        """Where it was on the way to its next waypoint is not kept: it sets out for it anew."""
        order = None if self._order is None else list(self._order)
        return {"begun": self._begun, "order": order, "left": [list(each) for each in self._left]}

    def restore(self, saved: Mapping[str, Any]) -> None:
        self._begun, self._motion = saved["begun"], None
        self._order = None
        if saved["order"] is not None:
            phrase, (x_m, y_m, z_m), meant = saved["order"]
            self._order = Order(phrase, (x_m, y_m, z_m), meant)
        self._left = tuple(Waypoint(*each) for each in saved["left"])

    def _is_under_way(self, order: Order, before: Order) -> bool:
        """What it has taken hold of it goes on to lift, wherever that is seen by now."""
        is_held = before.meant != "" and before.meant == self._arm.physics.grasped
        return is_same(order, before) or (is_held and order.phrase == before.phrase)

    def _go(self) -> Generator[None, None, None]:
        """A waypoint that it does not reach it leaves out."""
        while self._left:
            yield from through(self._arm, self._left[0])
            self._left = self._left[1:]
