"""Ways on the grid: shortest, deterministic, x before y."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_bridge.grid.obstacles import draw_obstacles
from robot_bridge.grid.paths import distances, route
from robot_bridge.grid.scenarios import Cell, custom

SIZE = 6
CELLS = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
WALL = frozenset({(2, 0), (2, 1), (2, 2)})


@pytest.mark.parametrize(
    ("start", "goal", "blocked", "way"),
    [
        pytest.param((0, 0), (2, 1), frozenset(), [(1, 0), (2, 0), (2, 1)], id="x before y"),
        pytest.param((3, 3), (1, 2), frozenset(), [(2, 3), (1, 3), (1, 2)], id="down and left"),
        pytest.param((1, 1), (1, 1), frozenset(), [], id="there already"),
        pytest.param((1, 1), (1, 1), WALL, [], id="there already, among obstacles"),
        pytest.param((1, 2), (3, 2), WALL, [(1, 3), (2, 3), (3, 3), (3, 2)], id="round a wall"),
        pytest.param((0, 0), (2, 1), WALL, None, id="into an obstacle"),
        pytest.param((0, 0), (5, 5), frozenset({(0, 1), (1, 0)}), None, id="walled in"),
    ],
)
def test_route(start: Cell, goal: Cell, blocked: frozenset[Cell], way: list[Cell] | None) -> None:
    assert route(start, goal, SIZE, blocked) == way


@given(start=CELLS, goal=CELLS, blocked=st.frozensets(CELLS, max_size=12))
def test_a_route_is_as_short_as_can_be_and_enters_free_neighbours_only(
    start: Cell, goal: Cell, blocked: frozenset[Cell]
) -> None:
    blocked -= {start}
    way = route(start, goal, SIZE, blocked)
    reach = distances(start, SIZE, blocked)

    if way is None:
        assert goal not in reach
        return
    assert len(way) == reach[goal]
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in zip([start, *way], way, strict=False))
    assert not blocked.intersection(way)
    assert (way or [start])[-1] == goal


@given(start=CELLS, goal=CELLS)
def test_obstacles_far_away_change_no_way(start: Cell, goal: Cell) -> None:
    """The way round nothing is the way through nothing."""
    beside = frozenset({(SIZE, SIZE)})

    assert route(start, goal, SIZE + 1, beside) == route(start, goal, SIZE + 1, frozenset())


@given(seed=st.integers(0, 2**32), obstacles=st.integers(0, 20))
def test_obstacles_cut_no_cell_off(seed: int, obstacles: int) -> None:
    scenario = custom({"size": 8, "containers": 5, "obstacles": obstacles})

    blocked = draw_obstacles(scenario, seed)

    assert len(distances((0, 0), 8, blocked)) == 64 - len(blocked)
    assert not blocked.intersection(scenario.station_cells)
