"""Pixels as points in space: by depth, by a height, and why not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.execution.deprojection import (
    Calibration,
    Depth,
    Point,
    Unseen,
    named_pixel,
    point_at_height,
    point_by_depth,
)

DOWN = Calibration(  # one metre over the middle of the table, looking straight down, 90 degrees wide
    fx_px=128.0, fy_px=128.0, cx_px=128.0, cy_px=128.0,
    map_from_camera=(1, 0, 0, 0.0, 0, -1, 0, 0.0, 0, 0, -1, 1.0, 0, 0, 0, 1),
)  # fmt: skip


def flat(depth_mm: int = 1000, size_px: int = 256) -> Depth:
    return np.full((size_px, size_px), depth_mm, dtype=np.uint16)


@pytest.mark.parametrize(
    ("pixel", "depth_mm", "expected"),
    [
        ((256, 256), 1000, (0.0, 0.0, 0.0)),
        ((256, 256), 600, (0.0, 0.0, 0.4)),
        ((384, 256), 1000, (0.5, 0.0, 0.0)),
        ((256, 128), 1000, (0.0, 0.5, 0.0)),
        ((384, 256), 500, (0.25, 0.0, 0.5)),
    ],
    ids=["centre", "nearer", "right", "up in the picture", "nearer and right"],
)
def test_depth_and_calibration_give_the_point(
    pixel: tuple[float, float], depth_mm: int, expected: Point
) -> None:
    assert point_by_depth(pixel, flat(depth_mm), DOWN) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("pixel", "depth_mm", "code"),
    [((256, 256), 0, "no_depth"), ((512, 256), 1000, "off_image"), ((256, -1), 1000, "off_image")],
)
def test_why_a_pixel_shows_no_point(pixel: tuple[float, float], depth_mm: int, code: str) -> None:
    found = point_by_depth(pixel, flat(depth_mm), DOWN)

    assert isinstance(found, Unseen)
    assert found.code == code


def test_a_ray_is_cut_at_a_height_ahead_of_the_camera_alone() -> None:
    behind = point_at_height((384, 256), 256, 256, 1.5, DOWN)

    assert point_at_height((384, 256), 256, 256, 0.5, DOWN) == pytest.approx((0.25, 0.0, 0.5))
    assert isinstance(behind, Unseen)
    assert behind.code == "no_crossing"


@given(
    x=st.floats(0, 511.9),
    y=st.floats(0, 511.9),
    depth_mm=st.integers(1, 60_000),
    size_px=st.sampled_from([256, 512]),
)
def test_both_ways_agree_on_the_same_point(x: float, y: float, depth_mm: int, size_px: int) -> None:
    camera = Calibration(
        fx_px=size_px / 2, fy_px=size_px / 2, cx_px=size_px / 2, cy_px=size_px / 2,
        map_from_camera=DOWN.map_from_camera,
    )  # fmt: skip
    by_depth = point_by_depth((x, y), flat(depth_mm, size_px), camera)
    assert not isinstance(by_depth, Unseen)

    assert point_at_height((x, y), size_px, size_px, by_depth[2], camera) == pytest.approx(by_depth, abs=1e-6)


def test_pixels_are_named_in_the_picture_of_512() -> None:
    assert named_pixel((511.9, 0), 256, 192) == (255, 0)
    assert named_pixel((100, 50), 512, 512) == (100, 50)
