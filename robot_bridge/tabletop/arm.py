"""The arm as its skills know it: what they command, what they measure, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Generator

from robot_bridge.tabletop.kinematics import Kinematics
from robot_bridge.tabletop.physics import OPENING_M, Physics
from robot_bridge.tabletop.planning import NoWay, Way, plan
from robot_bridge.world import Tool, Traced

SETTLED_RAD = 0.002
SETTLE_STEPS = 8
FINGERS_STEPS = 10


class Arm:
    """`step` reads the world's control step. `trace` is what a skill of several parts noted of each."""

    def __init__(self, physics: Physics, kinematics: Kinematics, step: Callable[[], int]) -> None:
        self.physics, self.kinematics, self.step = physics, kinematics, step
        self.trace: list[Traced] = []

    def plan(self, goal: Tool, least_steps: int = 1) -> Way | NoWay:
        return plan(self.kinematics, self.physics.joints(), goal, least_steps)

    def follow(self, way: Way) -> Generator[None, None, None]:
        """Along the way, then until the joints have come to rest where it ends, or something keeps them."""
        for posture in way.postures:
            self.physics.bend(posture)
            yield
        for _ in range(SETTLE_STEPS):
            if self.physics.off_rad() < SETTLED_RAD:
                return
            yield

    def work_gripper(self, command: str) -> Generator[None, None, None]:
        """`open`, `close`, or `keep`, which does nothing. Until the fingers rest."""
        if command == "keep":
            return
        self.physics.set_fingers(OPENING_M if command == "open" else 0.0)
        for number in range(FINGERS_STEPS):
            yield
            if number > 0 and self.physics.fingers_rest():
                return

    def note(
        self, what: str, check: str = "", passed: bool | None = None, lowest_m: float | None = None
    ) -> None:
        height_m = self.physics.tool().z_m if lowest_m is None else lowest_m
        opening_m = self.physics.opening_m()
        self.trace.append(Traced(what, self.step(), round(opening_m, 4), round(height_m, 4), check, passed))


def words(tool: Tool) -> str:
    return f"x {tool.x_m:.3f}, y {tool.y_m:.3f}, z {tool.z_m:.3f} m"
