"""Patches of one colour: the same as a slow reference finds, at any size of picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import ndimage

from backend.planners.surrogate.seeing.patches import patches

PALETTE = {"red": (214, 30, 36), "green": (30, 160, 60), "blue": (30, 80, 216)}
COLOURS = np.array([(0, 0, 0), *PALETTE.values()], dtype=np.uint8)


@st.composite
def mosaics(draw: st.DrawFn) -> NDArray[np.int64]:
    height, width = draw(st.integers(1, 10)), draw(st.integers(1, 10))
    cells = draw(st.lists(st.integers(0, 3), min_size=height * width, max_size=height * width))
    return np.array(cells).reshape(height, width)


@given(mosaics())
def test_patches_are_those_of_a_slow_reference(mosaic: NDArray[np.int64]) -> None:
    scale = 512 / max(mosaic.shape)
    expected = []
    for index, colour in enumerate(PALETTE, start=1):
        labelled, count = ndimage.label(mosaic == index)
        for label in range(1, count + 1):
            rows, columns = np.nonzero(labelled == label)
            x_px, y_px = (columns.mean() + 0.5) * scale, (rows.mean() + 0.5) * scale
            expected.append((colour, round(x_px, 6), round(y_px, 6), round(len(rows) * scale**2, 6)))

    found = patches(COLOURS[mosaic], PALETTE, 0.0)

    assert sorted((p.colour, round(p.x_px, 6), round(p.y_px, 6), round(p.area_px, 6)) for p in found) == (
        sorted(expected)
    )


@pytest.mark.parametrize("side_px", [256, 512])
def test_a_cube_is_found_at_the_same_place_in_any_size(side_px: int) -> None:
    picture = np.zeros((side_px, side_px, 3), dtype=np.uint8)
    unit = side_px // 256
    picture[100 * unit : 120 * unit, 40 * unit : 50 * unit] = PALETTE["red"]

    (cube,) = patches(picture, PALETTE)

    assert cube.place == (90.0, 220.0)
    assert cube.box_px == (80.0, 200.0, 100.0, 240.0)
    assert (cube.wide_px, cube.high_px, cube.area_px) == (20.0, 40.0, 800.0)


def test_what_is_almost_of_a_colour_is_none_of_it() -> None:
    picture = np.full((64, 64, 3), (214, 30, 37), dtype=np.uint8)

    assert patches(picture, PALETTE) == ()


def test_specks_are_left_out() -> None:
    picture = np.zeros((512, 512, 3), dtype=np.uint8)
    picture[10, 10:15] = PALETTE["green"]

    assert patches(picture, PALETTE) == ()
    assert len(patches(picture, PALETTE, least_px=5.0)) == 1


def test_a_picture_of_no_colours_is_refused() -> None:
    with pytest.raises(ValueError, match="height × width × 3"):
        patches(np.zeros((8, 8), dtype=np.uint8), PALETTE)
