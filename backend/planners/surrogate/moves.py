"""Moves that every task shares: parts of a sequence, made of points that were located.

Sizes and thresholds are those that the task notes tell every planner.
"""

from __future__ import annotations

from typing import Literal

from backend.domain.plans.motion import Motion, Scalar
from backend.domain.plans.plan import Step, Watch

Point = tuple[float, float, float]
"""x, y, z in metres of frame map; z over the table top."""

OVER_M = 0.12
"""Where the tool travels empty, over whatever stands on the table."""
CARRY_M = 0.16
CUBE_M = 0.02
"""Of a cube's middle over the table: where it is grasped, and looked for."""
RELEASE_M = 0.024
GRASPED = "gripper_opening_m >= 0.02"
"""The fingers closed on something."""
BUTTON_M = 0.03
"""Of the middle of a button's cap."""
PRESSED_M = 0.039
"""The cap's top is at 0.04, and a press counts from 5 mm on."""
CONTAINER_M, LIFT_M = 0.035, 0.24
CONTAINER_GRASP_M = 0.06
"""By the lid: further down the walls give way to the fingers, which then take the container along."""
SETTLE_STEPS = 8
"""Until the fingers are off a container."""
REST: Point = (-0.15, 0.0, 0.35)
"""From where the arm hides as little as it can."""


def move(
    to: Point,
    gripper: Literal["open", "close", "keep"] = "keep",
    *,
    check: str = "",
    yaw_rad: float = 0.0,
    start_step: int | None = None,
    arrive_step: int | None = None,
) -> Motion:
    """To go `to`, then to work the gripper there, then to `check`."""
    named: dict[str, Scalar | None] = {
        **dict(zip(("x_m", "y_m", "z_m"), (round(metres, 4) for metres in to), strict=True)),
        "yaw_rad": round(yaw_rad, 4) or None,
        "gripper": gripper if gripper != "keep" else None,
        "start_step": start_step,
        "arrive_step": arrive_step,
    }
    return Motion("move", {name: value for name, value in named.items() if value is not None}, check)


def sequence(*parts: Motion, watch: Watch | None = None) -> Step:
    return Step("sequence", {"moves": parts}, watch)


def rest(steps: int) -> Motion:
    return Motion("wait", {"steps": steps})


def wait(steps: int, watch: Watch | None = None) -> Step:
    return Step("wait", {"steps": steps}, watch)


def over(point: Point, height_m: float = OVER_M) -> Point:
    return point[0], point[1], height_m


def pick(at: Point, *, grasp_m: float = CUBE_M, lift_m: float = CARRY_M) -> tuple[Motion, ...]:
    return (move(over(at), "open"), move(over(at, grasp_m), "close", check=GRASPED), move(over(at, lift_m)))


def place(at: Point, *, release_m: float = RELEASE_M) -> tuple[Motion, ...]:
    return move(over(at, CARRY_M)), move(over(at, release_m), "open"), move(over(at, CARRY_M))


def put_down(at: Point) -> tuple[Motion, ...]:
    """Straight down from where it is held, and away."""
    return move(over(at, RELEASE_M), "open"), move(over(at, CARRY_M))


def press(at: Point) -> tuple[Motion, ...]:
    return move(over(at), "close"), move(over(at, PRESSED_M)), move(over(at))


def lift(at: Point) -> tuple[Motion, ...]:
    """A container, high enough to count."""
    return (
        move(over(at, CARRY_M), "open"),
        move(over(at, CONTAINER_GRASP_M), "close", check=GRASPED),
        move(over(at, LIFT_M)),
    )


def put_back(at: Point) -> tuple[Motion, ...]:
    return move(over(at, CONTAINER_GRASP_M), "open"), rest(SETTLE_STEPS), move(over(at, CARRY_M))
