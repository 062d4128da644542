"""Ways round what stands in the way: shortest on a 5 cm grid, then pulled straight."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robot_bridge.arena.scenarios import LEAST_M, MOST_M, Spot

GRID_M = 0.05
WIDTH = round((MOST_M - LEAST_M) / GRID_M)
BASE_M = 0.14
MARGIN_M = 0.03
FROM_WALL_M = 0.22
"""The folded arm with what it holds reaches further than the base, and walls are higher than it carries."""

Node = tuple[int, int]
_NEIGHBOURS = [(x, y, math.hypot(x, y)) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


class Box(NamedTuple):
    """Something square that the base must keep out of."""

    middle: Spot
    half_m: float


class Disc(NamedTuple):
    middle: Spot
    radius_m: float


class Costmap:
    """Where the base's middle may be. `free`: (WIDTH, WIDTH) by column and row of 5 cm nodes.

    `wide`: where a straight way may lead however it crosses the node. It passes as near as a node's corner,
    and a wheel that grazes an obstacle climbs it.
    """

    def __init__(self, boxes: Iterable[Box], discs: Iterable[Disc] = ()) -> None:
        axis_m = LEAST_M + (np.arange(WIDTH) + 0.5) * GRID_M
        x_m, y_m = np.meshgrid(axis_m, axis_m, indexing="ij")
        inside = (axis_m > LEAST_M + FROM_WALL_M) & (axis_m < MOST_M - FROM_WALL_M)
        free: NDArray[np.bool_] = inside[:, None] & inside[None, :]
        wide = free.copy()
        for (bx_m, by_m), half_m in boxes:
            off_m = np.hypot(np.maximum(abs(x_m - bx_m) - half_m, 0), np.maximum(abs(y_m - by_m) - half_m, 0))
            free &= off_m > BASE_M + MARGIN_M
            wide &= off_m > BASE_M + MARGIN_M + GRID_M / math.sqrt(2)
        for (dx_m, dy_m), radius_m in discs:
            free &= np.hypot(x_m - dx_m, y_m - dy_m) > BASE_M + MARGIN_M + radius_m
        self.free, self.wide = free, wide & free

    def is_free(self, spot: Spot) -> bool:
        x, y = node_of(spot)
        return 0 <= x < WIDTH and 0 <= y < WIDTH and bool(self.free[x, y])

    def sees(self, start: Spot, goal: Spot, *, widely: bool = False) -> bool:
        """Whether the base may go straight from one to the other; `widely`: with a node's corner to spare."""
        length_m = math.dist(start, goal)
        count = max(1, math.ceil(length_m / (GRID_M / 2)))
        shares = np.linspace(0.0, 1.0, count + 1)
        x = np.floor((start[0] + shares * (goal[0] - start[0]) - LEAST_M) / GRID_M).astype(int)
        y = np.floor((start[1] + shares * (goal[1] - start[1]) - LEAST_M) / GRID_M).astype(int)
        if min(x.min(), y.min()) < 0 or max(x.max(), y.max()) >= WIDTH:
            return False
        return bool((self.wide if widely else self.free)[x, y].all())


def node_of(spot: Spot) -> Node:
    return math.floor((spot[0] - LEAST_M) / GRID_M), math.floor((spot[1] - LEAST_M) / GRID_M)


def way(costmap: Costmap, start: Spot, goals: Sequence[Spot]) -> tuple[Spot, ...] | None:
    """Corners of the shortest way to any of `goals`, that goal last; None where no way leads.

    A start that is not free itself, such as beside a bin, is left by the nearest free node.
    """
    wanted = {node_of(goal): goal for goal in goals if costmap.is_free(goal)}
    found = _shortest(costmap, node_of(start), frozenset(wanted)) if wanted else None
    if found is None:
        return None
    spots = [*map(_middle, found[1:-1]), wanted[found[-1]]]
    return tuple(_pulled_straight(costmap, start, spots))


def is_clear(costmap: Costmap, start: Spot, corners: Sequence[Spot]) -> bool:
    return all(costmap.sees(a, b) for a, b in pairwise((start, *corners)))


def _shortest(costmap: Costmap, start: Node, goals: frozenset[Node]) -> list[Node] | None:
    """Dijkstra. Nodes that are not free may be crossed only while none that is has been entered."""
    free = costmap.free
    came: dict[Node, Node | None] = {}
    queue: list[tuple[float, Node, Node | None]] = [(0.0, start, None)]
    while queue:
        cost, node, previous = heapq.heappop(queue)
        if node in came:
            continue
        came[node] = previous
        if node in goals:
            return _back(came, node)
        x, y = node
        leaving = not free[x, y]
        for dx, dy, length in _NEIGHBOURS:
            nx, ny = x + dx, y + dy
            if not (0 <= nx < WIDTH and 0 <= ny < WIDTH) or (nx, ny) in came:
                continue
            if free[nx, ny]:
                heapq.heappush(queue, (cost + length, (nx, ny), node))
            elif leaving and math.dist((nx, ny), start) < 0.3 / GRID_M:
                heapq.heappush(queue, (cost + 3 * length, (nx, ny), node))
    return None


def _back(came: dict[Node, Node | None], node: Node) -> list[Node]:
    nodes = [node]
    while (previous := came[nodes[-1]]) is not None:
        nodes.append(previous)
    return nodes[::-1]


def _pulled_straight(costmap: Costmap, start: Spot, spots: list[Spot]) -> list[Spot]:
    corners: list[Spot] = []
    here, at = start, 0
    while at < len(spots):
        far = next(
            (k for k in range(len(spots) - 1, at, -1) if costmap.sees(here, spots[k], widely=True)), at
        )
        here = spots[far]
        corners.append(here)
        at = far + 1
    return corners


def _middle(node: Node) -> Spot:
    return LEAST_M + (node[0] + 0.5) * GRID_M, LEAST_M + (node[1] + 0.5) * GRID_M
