"""The gripper's servo: 1 open, 0 shut; it stops at what is between its fingers. Pure."""

from __future__ import annotations

OPEN, SHUT, SHUT_ON_SOMETHING = 1.0, 0.02, 0.35
SPEED_PER_S = 4.0


class Gripper:
    def __init__(self) -> None:
        self.at = self.goal = OPEN

    def command(self, goal: float) -> None:
        self.goal = min(max(goal, SHUT), OPEN)

    def move(self, span_s: float, has_something: bool) -> None:
        goal = max(self.goal, SHUT_ON_SOMETHING) if has_something else self.goal
        step = SPEED_PER_S * span_s
        self.at += max(-step, min(step, goal - self.at))
