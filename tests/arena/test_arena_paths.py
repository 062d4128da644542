"""Ways round what stands in the way."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np

from robot_bridge.arena.paths import BASE_M, MARGIN_M, Box, Costmap, Disc, is_clear, way

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
    assert all(max(abs(x_m - 1.5), abs(y_m - 1.5)) >= 0.25 + BASE_M / 2 for x_m, y_m in corners[:-1])


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


def test_a_way_that_is_pulled_straight_keeps_every_wheel_off_the_obstacles() -> None:
    """A straight way passes as near to one as a node's corner."""
    costmap = Costmap([OBSTACLE])
    near = 0
    for x_m, y_m in product(np.arange(0.3, 1.0, 0.07), np.arange(0.9, 2.1, 0.07)):
        corners = way(costmap, (x_m, y_m), [(2.5, 1.5), (1.5, 2.6)])
        assert corners is not None
        for start, goal in pairwise(((x_m, y_m), *corners)):
            spots = start + np.linspace(0.0, 1.0, 60)[:, None] * (np.array(goal) - start)
            off_m = np.maximum(abs(spots - OBSTACLE.middle) - OBSTACLE.half_m, 0.0)
            near += bool(np.hypot(off_m[:, 0], off_m[:, 1]).min() < BASE_M + MARGIN_M + 0.01)
    assert near == 0
