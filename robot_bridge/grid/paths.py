"""Shortest ways on the grid, deterministic: of equally short ones the way that moves in x first."""

from __future__ import annotations

from collections import deque

from robot_bridge.grid.scenarios import Cell

NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def distances(goal: Cell, size: int, blocked: frozenset[Cell]) -> dict[Cell, int]:
    """Steps to `goal` from every cell that can reach it."""
    steps = {goal: 0}
    waiting = deque([goal])
    while waiting:
        cell = waiting.popleft()
        for dx, dy in NEIGHBOURS:
            beside = (cell[0] + dx, cell[1] + dy)
            if (
                0 <= beside[0] < size
                and 0 <= beside[1] < size
                and beside not in blocked
                and beside not in steps
            ):
                steps[beside] = steps[cell] + 1
                waiting.append(beside)
    return steps


def route(start: Cell, goal: Cell, size: int, blocked: frozenset[Cell]) -> list[Cell] | None:
    """The cells to enter, `goal` last; empty when there already, None when no way leads there."""
    if not blocked:
        return straight(start, goal)
    if goal in blocked:
        return None
    steps = distances(goal, size, blocked)
    if start not in steps:
        return None
    way, cell = [], start
    while cell != goal:
        x, y = cell
        cell = next(
            beside
            for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            if steps.get(beside) == steps[cell] - 1
        )
        way.append(cell)
    return way


def straight(start: Cell, goal: Cell) -> list[Cell]:
    """x before y, on a floor without obstacles."""
    (x, y), (goal_x, goal_y) = start, goal
    right, up = (1 if goal_x > x else -1), (1 if goal_y > y else -1)
    across = [(x + right * each, y) for each in range(1, abs(goal_x - x) + 1)]
    return across + [(goal_x, y + up * each) for each in range(1, abs(goal_y - y) + 1)]
