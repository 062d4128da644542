"""Safety rules before anything is sent to a ROS robot: a refusal, or None. docs/safety.md numbers them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from robot_bridge.world import Pose, Refusal


def refuse_watched(shadow: bool) -> Refusal | None:
    """A robot that is only watched is sent nothing whatever."""
    if shadow:
        return Refusal("shadow", "step", "cannot be sent: this robot is only watched", "Set shadow: false.")
    return None


def refuse_out_of_workspace(
    workspace_m: tuple[float, float, float, float] | None, place: Pose | None, field: str
) -> Refusal | None:
    """No goal lies outside the workspace of the robot's file: (x, y, x, y) in the map."""
    if workspace_m is None or place is None:
        return None
    x0, y0, x1, y1 = workspace_m
    if x0 <= place.x_m <= x1 and y0 <= place.y_m <= y1:
        return None
    return Refusal(
        "out_of_workspace",
        field,
        f"lies at ({place.x_m:.2f}, {place.y_m:.2f}) m, outside the robot's workspace",
        f"Choose a place within x {x0:g} to {x1:g} m, y {y0:g} to {y1:g} m.",
    )


def refuse_too_fast(speed_m_s: float | None, asked: Mapping[str, Any]) -> Refusal | None:
    """No goal asks for more speed than the robot's file allows. `asked`: the goal's fields of speed, m/s."""
    for field, value in asked.items() if speed_m_s is not None else ():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not abs(value) <= (speed_m_s or 0.0):
            shown = f"{value:g} m/s" if is_number else repr(value)[:60]
            remedy = f"Ask for {speed_m_s:g} m/s at most."
            return Refusal("too_fast", f"step.goal.{field}", f"is {shown}, more than the robot may", remedy)
    return None
