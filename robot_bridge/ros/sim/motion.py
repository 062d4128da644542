"""How an omnidirectional base follows a path: straight to each point, turning on the way. Pure."""

from __future__ import annotations

import math
from typing import NamedTuple

from robot_bridge.grid.paths import route
from robot_bridge.grid.scenarios import Cell
from robot_bridge.ros.sim.scene import SPEED_M_S, STAND_OFF_M, Scene

TURN_RAD_S = 3.0
NEAR_M = 0.004
NEAR_RAD = 0.01


class Point(NamedTuple):
    """Where to be, and which way to look there."""

    x_m: float
    y_m: float
    yaw_rad: float


def follow(at: Point, path: list[Point], span_s: float) -> tuple[Point, list[Point]]:
    """Where the base is after `span_s`, and what of the path is left; it stands at the last point."""
    path = list(path)
    while path and span_s > 1e-9:
        goal = path[0]
        away_m = math.hypot(goal.x_m - at.x_m, goal.y_m - at.y_m)
        turn = wrapped(goal.yaw_rad - at.yaw_rad)
        if away_m <= NEAR_M and (abs(turn) <= NEAR_RAD or len(path) > 1):
            path.pop(0)
            continue
        needed_s = max(away_m / SPEED_M_S, 0.0 if len(path) > 1 else abs(turn) / TURN_RAD_S)
        step_s = min(span_s, needed_s)
        share = min(1.0, step_s * SPEED_M_S / away_m) if away_m > NEAR_M else 1.0
        turned = max(-step_s * TURN_RAD_S, min(step_s * TURN_RAD_S, turn))
        at = Point(
            at.x_m + (goal.x_m - at.x_m) * share,
            at.y_m + (goal.y_m - at.y_m) * share,
            wrapped(at.yaw_rad + turned),
        )
        span_s -= step_s
    return at, path


def way(scene: Scene, at: Point, goal_x_m: float, goal_y_m: float, onto: bool) -> list[Point] | None:
    """Cell by cell to the goal, `onto` it or to the stand-off before it; None where no way leads there."""
    start, end = scene.cell_at(at.x_m, at.y_m), scene.cell_at(goal_x_m, goal_y_m)
    if not scene.is_free(end):
        return None
    cells = route(start, end, scene.size, scene.obstacles)
    if cells is None:
        return None
    if not cells:
        return [] if onto else _beside(scene, at, goal_x_m, goal_y_m)
    points: list[Point] = []
    last, yaw_rad = start, at.yaw_rad
    x_m, y_m = scene.centre(start)
    if math.hypot(x_m - at.x_m, y_m - at.y_m) > 0.05:
        points.append(Point(x_m, y_m, yaw_rad))
    for cell in cells:
        yaw_rad = math.atan2(cell[1] - last[1], cell[0] - last[0])
        points.append(Point(*scene.centre(cell), yaw_rad))
        last = cell
    if not onto:
        points[-1] = stand_off(goal_x_m, goal_y_m, yaw_rad)
    return points


def stand_off(x_m: float, y_m: float, yaw_rad: float) -> Point:
    """Where the robot stands so that the place is STAND_OFF_M ahead."""
    return Point(x_m - STAND_OFF_M * math.cos(yaw_rad), y_m - STAND_OFF_M * math.sin(yaw_rad), yaw_rad)


def ahead(at: Point) -> tuple[float, float]:
    """The place under the gripper."""
    return at.x_m + STAND_OFF_M * math.cos(at.yaw_rad), at.y_m + STAND_OFF_M * math.sin(at.yaw_rad)


def _beside(scene: Scene, at: Point, x_m: float, y_m: float) -> list[Point]:
    """The goal is in the robot's own cell: keep looking at it if it does, else back off to a free side."""
    away_m = math.hypot(x_m - at.x_m, y_m - at.y_m)
    facing = abs(wrapped(math.atan2(y_m - at.y_m, x_m - at.x_m) - at.yaw_rad)) < 0.3
    if away_m <= STAND_OFF_M + 0.1 and away_m >= 0.15 and facing:
        return []
    cell = scene.cell_at(x_m, y_m)
    for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        behind: Cell = (cell[0] - dx, cell[1] - dy)
        if scene.is_free(behind):
            return [stand_off(x_m, y_m, math.atan2(dy, dx))]
    return []


def wrapped(angle_rad: float) -> float:
    return (angle_rad + math.pi) % (2 * math.pi) - math.pi
