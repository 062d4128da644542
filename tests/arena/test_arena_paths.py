"""Ways round what stands in the way."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from robot_bridge.arena.paths import BASE_M, GRID_M, Box, Costmap, Disc, is_clear, way
from robot_bridge.arena.scenarios import CELL_M, LEAST_M, spot_of
from tests.arena.support import arena

OBSTACLE = Box((1.5, 1.5), 0.25)


def length_m(start: tuple[float, float], corners: tuple[tuple[float, float], ...]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise((start, *corners)))


def test_where_nothing_stands_it_goes_straight() -> None:
    assert way(Costmap([]), (0.5, 0.5), [(2.5, 1.0)]) == ((2.5, 1.0),)


def test_it_goes_round_an_obstacle_and_keeps_clear_of_it() -> None:
    costmap = Costmap([OBSTACLE])
    corners = way(costmap, (0.5, 1.5), [(2.5, 1.5)])

    assert corners is not None
    assert is_clear(costmap, (0.5, 1.5), corners)
    assert 2.0 < length_m((0.5, 1.5), corners) < 2.5
    assert all(abs(y_m - 1.5) >= 0.25 + BASE_M for x_m, y_m in corners[:-1])


def test_of_several_goals_it_takes_the_nearest_to_drive_to() -> None:
    corners = way(Costmap([OBSTACLE]), (0.5, 1.5), [(2.5, 1.5), (0.5, 0.3)])

    assert corners is not None
    assert corners[-1] == (0.5, 0.3)


def test_a_goal_inside_something_or_walled_off_has_no_way() -> None:
    ring = [
        Disc((2.0 + 0.5 * math.cos(a), 2.0 + 0.5 * math.sin(a)), 0.1) for a in (k * 0.5 for k in range(13))
    ]

    assert way(Costmap([OBSTACLE]), (0.5, 0.5), [(1.5, 1.5)]) is None
    assert way(Costmap([], ring), (0.5, 0.5), [(2.0, 2.0)]) is None
    assert way(Costmap([]), (0.5, 0.5), []) is None


def test_a_place_too_near_to_something_can_be_left() -> None:
    costmap = Costmap([OBSTACLE])

    assert not costmap.is_free((1.5, 1.12))
    assert way(costmap, (1.5, 1.12), [(1.5, 0.5)]) is not None


def test_no_way_leads_a_wheel_into_an_obstacle() -> None:
    """A straight way is checked by nodes, and passes as near as a node's corner."""
    rover = arena(6).rover
    edge_m = CELL_M / 2
    for cell in arena(6).tape.obstacles:
        x_m, y_m = spot_of(cell)
        for node in np.argwhere(rover.costmap().free):
            off_m = abs(LEAST_M + (node + 0.5) * GRID_M - np.array((x_m, y_m))) - edge_m
            away_m = math.hypot(*np.maximum(off_m, 0.0))
            assert away_m - GRID_M / math.sqrt(2) > BASE_M
