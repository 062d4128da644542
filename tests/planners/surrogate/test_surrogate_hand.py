"""The hand in a picture: where its fingertips are, how wide it looks, and what of the table it is over."""

from __future__ import annotations

import numpy as np
import pytest

from backend.planners.surrogate.seeing.hand import FINGER_THICK_M, Hand, Ruler, hand_of
from backend.planners.surrogate.seeing.palette import PALETTE
from backend.planners.surrogate.seeing.sight import Sight, sight_of


def picture(*boxes: tuple[str, int, int, int, int]) -> Sight:
    """Colour, left, top, right and bottom of each box."""
    drawn = np.full((512, 512, 3), (214, 200, 172), dtype=np.uint8)
    for colour, left, top, right, bottom in boxes:
        drawn[top:bottom, left:right] = PALETTE[colour]
    return sight_of(drawn)


def test_the_fingertips_are_between_the_fingers_and_the_hand_above_them() -> None:
    hand = hand_of(
        picture(("arm", 220, 100, 280, 130), ("finger", 240, 130, 246, 150), ("finger", 254, 130, 260, 152))
    )

    assert hand is not None
    assert hand.tip == (pytest.approx(250.4, abs=0.1), 152.0)
    assert hand.wide_px == pytest.approx(60.0, abs=1.0)


def test_fingers_that_are_hidden_tell_nothing() -> None:
    assert hand_of(picture(("arm", 220, 100, 280, 130))) is None


def test_a_higher_hand_is_over_what_is_lower_in_the_picture() -> None:
    """At 300 px a metre across and 180 along the line of sight, what stands upright has 240."""
    ruler = Ruler(300.0, 180.0)
    thick_px = FINGER_THICK_M / 2 * 180.0

    assert ruler.upright == pytest.approx(240.0)
    assert Hand((100.0, 200.0), 54.0).over(0.1, ruler) == (100.0, pytest.approx(224.0 - thick_px))
    assert Hand((100.0, 200.0), 54.0).nearer(ruler) == pytest.approx(1.0)
