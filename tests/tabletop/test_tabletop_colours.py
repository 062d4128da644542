"""The colours: far enough apart for a detector that compares levels."""

from itertools import combinations

from robot_bridge.tabletop.colours import LEAST_APART, RGB, rgba


def test_any_two_colours_differ_by_more_than_noise() -> None:
    near = [
        (one, other)
        for one, other in combinations(RGB, 2)
        if max(abs(a - b) for a, b in zip(RGB[one], RGB[other], strict=True)) <= LEAST_APART
    ]

    assert near == []


def test_a_colour_is_told_to_the_renderer_as_shares() -> None:
    assert rgba("white") == (1.0, 1.0, 1.0, 1.0)
