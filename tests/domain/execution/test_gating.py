"""Frame gating: exact against a loop over pixels, and what an operator would expect of it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backend.domain.execution.gating import (
    Gated,
    GatingSettings,
    Points,
    changed_pixels,
    gate,
    watched_pixels,
)
from backend.domain.plans.plan import PICTURE_PX

Picture = NDArray[np.uint8]


def blank(size_px: int = 512) -> Picture:
    return np.zeros((size_px, size_px, 3), dtype=np.uint8)


def with_square(x_px: int, y_px: int, side_px: int = 30, colour: int = 200) -> Picture:
    picture = blank()
    picture[y_px : y_px + side_px, x_px : x_px + side_px] = colour
    return picture


def slowly(frames: list[Picture], points: Points, settings: GatingSettings) -> list[float | None]:
    """The definition, pixel by pixel."""
    shares: list[float | None] = []
    for before, now in zip([None, *frames], frames, strict=False):
        if before is None:
            shares.append(None)
        elif before.shape != now.shape:
            shares.append(1.0)
        else:
            shares.append(slow_share(before, now, points, settings))
    return shares


def slow_share(before: Picture, now: Picture, points: Points, settings: GatingSettings) -> float:
    height, width, _ = now.shape
    scale = max(height, width) / PICTURE_PX
    radius = settings.radius_px * scale
    at = [(px * scale, py * scale) for px, py in points]
    watched = changed = 0
    for y in range(height):
        for x in range(width):
            if any((x - px) ** 2 + (y - py) ** 2 <= radius**2 for px, py in at):
                watched += 1
                changed += any(
                    abs(int(before[y, x, c]) - int(now[y, x, c])) > settings.level for c in range(3)
                )
    return changed / watched if watched else 0.0


@st.composite
def recordings(draw: st.DrawFn) -> tuple[list[Picture], Points, GatingSettings]:
    """Few small pictures with few grey levels, so that the level and the share are often met exactly."""
    height, width = draw(st.integers(1, 14)), draw(st.integers(1, 14))
    level = draw(st.integers(0, 254))
    values = st.sampled_from(sorted({0, level, level + 1, 255, draw(st.integers(0, 255))}))
    frames = [
        np.array(draw(st.lists(values, min_size=height * width * 3, max_size=height * width * 3)))
        .astype(np.uint8)
        .reshape(height, width, 3)
        for _ in range(draw(st.integers(1, 3)))
    ]
    place = st.floats(-128, 640, allow_nan=False)
    points = tuple(draw(st.lists(st.tuples(place, place), max_size=8)))
    radius_px = draw(st.floats(0, 1200))
    return frames, points, GatingSettings(radius_px=radius_px, level=level, share=draw(st.floats(0, 1)))


@given(recordings())
def test_shares_are_exactly_those_of_a_loop_over_pixels(
    recorded: tuple[list[Picture], Points, GatingSettings],
) -> None:
    frames, points, settings = recorded

    gated = gate(frames, points, settings)

    assert list(gated.shares) == slowly(frames, points, settings)


@given(recordings())
def test_returned_are_those_past_the_share_and_their_predecessors(
    recorded: tuple[list[Picture], Points, GatingSettings],
) -> None:
    frames, points, settings = recorded

    gated = gate(frames, points, settings)

    past = {n for n, share in enumerate(gated.shares) if share is not None and share > settings.share}
    assert {number for number, back in enumerate(gated.returned) if back} == past | {n - 1 for n in past}
    assert gated.withheld + sum(gated.returned) == len(frames)


@pytest.mark.parametrize(
    ("watch", "returned"),
    [("all", (True, True, True)), (None, (False, False, False))],
    ids=["all returns every frame", "no watch returns none"],
)
def test_without_points_nothing_is_compared(watch: str | None, returned: tuple[bool, ...]) -> None:
    frames = [blank(), with_square(0, 0), blank()]

    assert gate(frames, watch, GatingSettings()) == Gated((None, None, None), returned)  # type: ignore[arg-type]


CENTRE: Points = ((256.0, 256.0),)
DISC_PX = sum((x - 256) ** 2 + (y - 256) ** 2 <= 28**2 for x in range(200, 312) for y in range(200, 312))
LIMIT_PX = int(DISC_PX * 0.05)
"""The most pixels that may change without a frame being returned; 5 % of the disc is no whole number."""


def speckled(count: int, level: int, channel: int = 1) -> Picture:
    """`count` pixels around the picture's middle at `level` in one channel."""
    picture = blank()
    near = sorted((math.hypot(x - 256, y - 256), y, x) for x in range(228, 285) for y in range(228, 285))
    for _, y, x in near[:count]:
        picture[y, x, channel] = level
    return picture


@pytest.mark.parametrize(
    ("after", "is_returned"),
    [
        (speckled(LIMIT_PX, 255), False),
        (speckled(LIMIT_PX + 1, 255), True),
        (speckled(DISC_PX, 30), False),
        (speckled(DISC_PX, 31), True),
        (speckled(LIMIT_PX + 1, 31, channel=0), True),
        (speckled(LIMIT_PX + 1, 31, channel=2), True),
        (with_square(300, 256), False),
    ],
    ids=[
        "no more than 5 %",
        "one pixel more than 5 %",
        "all of it by 30 levels",
        "all of it by 31 levels",
        "in red alone",
        "in blue alone",
        "outside the circle",
    ],
)
def test_a_frame_is_returned_past_the_paper_s_bounds(after: Picture, is_returned: bool) -> None:
    assert gate([blank(), after], CENTRE).returned == (is_returned, is_returned)


def test_a_pixel_in_two_circles_counts_once() -> None:
    twice: Points = ((256.0, 256.0), (256.0, 256.0))
    after = speckled(LIMIT_PX + 1, 255)

    assert gate([blank(), after], twice).shares == gate([blank(), after], CENTRE).shares


def test_a_change_that_comes_and_goes_returns_the_frames_around_it() -> None:
    """A swap seen for a moment: its frame, the one before it, and the one in which it is over."""
    shown = with_square(246, 246)
    frames = [blank(), blank(), blank(), shown, blank(), blank()]

    assert gate(frames, CENTRE).returned == (False, False, True, True, True, False)


@pytest.mark.parametrize(("width_px", "height_px"), [(512, 512), (256, 256), (1280, 960), (480, 640)])
def test_points_and_radius_go_with_the_size_of_the_picture(width_px: int, height_px: int) -> None:
    """The point is named as if the longer side were 512 px, and lies a quarter of it from the corner."""
    longer_px = max(width_px, height_px)

    pixels = watched_pixels(((128.0, 128.0),), width_px, height_px, 28.0)

    y_px, x_px = np.divmod(pixels, width_px)
    radius_px = 28 * longer_px / 512
    assert (x_px.mean(), y_px.mean()) == (longer_px / 4, longer_px / 4)
    assert (x_px.max() - x_px.min()) // 2 == math.floor(radius_px)


def test_a_change_at_a_point_is_seen_in_a_larger_picture() -> None:
    before = np.zeros((1024, 1024, 3), dtype=np.uint8)
    after = before.copy()
    after[770:830, 770:830] = 200

    assert gate([before, after], ((400.0, 400.0),)).returned == (True, True)
    assert gate([before, after], ((800.0, 800.0),)).returned == (False, False)


def test_a_point_outside_the_picture_watches_nothing() -> None:
    assert watched_pixels(((900.0, 900.0),), 512, 512, 28.0).size == 0
    assert gate([blank(), with_square(0, 0)], ((900.0, 900.0),)).shares == (None, 0.0)


def test_a_frame_of_another_size_has_changed_throughout() -> None:
    assert gate([blank(512), blank(256), blank(256)], CENTRE).shares == (None, 1.0, 0.0)


def test_nothing_recorded_gives_nothing() -> None:
    assert gate([], CENTRE) == Gated((), ())


@pytest.mark.parametrize(
    "frame",
    [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4), np.uint8), np.zeros((4, 4, 3), np.float64)],
    ids=["grey", "four channels", "floats"],
)
def test_what_is_no_colour_picture_is_refused_by_its_shape(frame: Picture) -> None:
    with pytest.raises(ValueError, match="not uint8 of height × width × 3"):
        gate([frame, frame], CENTRE)


@given(seed=st.integers(0, 10_000), level=st.integers(0, 255), radius_px=st.floats(1, 300))
@settings(max_examples=40, deadline=None)
def test_the_share_is_that_of_the_changed_pixels_in_the_circles(
    seed: int, level: int, radius_px: float
) -> None:
    """What the difference picture shows is what the gate counts."""
    random = np.random.default_rng(seed)
    before, after = random.integers(0, 256, (2, 48, 64, 3), dtype=np.uint8)
    points: Points = ((100.0, 90.0), (400.0, 250.0))

    counted = gate([before, after], points, GatingSettings(radius_px=radius_px, level=level)).shares[1]

    inside = changed_pixels(before, after, level).reshape(-1)[watched_pixels(points, 64, 48, radius_px)]
    assert counted == (inside.mean() if inside.size else 0.0)


def test_against_a_picture_of_another_size_every_pixel_has_changed() -> None:
    assert changed_pixels(blank(256), blank(512), 255).all()
