"""How two maps of one site differ, cell by cell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.mission.site import GridMap, changed_cells

SQUARE = GridMap(width=2, height=2, cell_m=0.5)
CASES = {
    "nothing": (SQUARE, 0),
    "another order": (GridMap(width=2, height=2, cell_m=0.5, first=(0, 0)), 0),
    "a wall": (GridMap(width=2, height=2, cell_m=0.5, occupied=((1, 1),)), 1),
    "one unknown": (GridMap(width=2, height=2, cell_m=0.5, unknown=((1, 1),)), 1),
    "a row more": (GridMap(width=2, height=3, cell_m=0.5, occupied=((0, 2),)), 2),
    "a column less": (GridMap(width=1, height=2, cell_m=0.5), 2),
    "elsewhere": (GridMap(width=2, height=2, cell_m=0.5, first=(5, 5)), 8),
    "half elsewhere": (GridMap(width=2, height=2, cell_m=0.5, first=(-1, 0)), 4),
    "a wall outside": (GridMap(width=2, height=2, cell_m=0.5, occupied=((7, 7),)), 0),
}


@pytest.mark.parametrize(("other", "cells"), CASES.values(), ids=CASES)
def test_so_many_cells_changed(other: GridMap, cells: int) -> None:
    assert changed_cells(SQUARE, other) == changed_cells(other, SQUARE) == cells


CELLS = st.lists(st.tuples(st.integers(-2, 4), st.integers(-2, 4)), max_size=6)
GRIDS = st.builds(
    lambda width, height, first, occupied, unknown: GridMap(
        width=width,
        height=height,
        cell_m=1.0,
        first=first,
        occupied=tuple(occupied),
        unknown=tuple([cell for cell in unknown if cell not in occupied]),
    ),
    st.integers(0, 4),
    st.integers(0, 4),
    st.tuples(st.integers(-2, 2), st.integers(-2, 2)),
    CELLS,
    CELLS,
)


def kind(grid: GridMap, cell: tuple[int, int]) -> str:
    if not grid.holds(cell):
        return "outside"
    return "blocked" if cell in grid.occupied else "unknown" if cell in grid.unknown else "free"


@given(GRIDS, GRIDS)
def test_they_are_counted_as_one_by_one(one: GridMap, other: GridMap) -> None:
    cells = [(i, j) for i in range(-3, 9) for j in range(-3, 9)]

    assert changed_cells(one, other) == sum(kind(one, cell) != kind(other, cell) for cell in cells)
