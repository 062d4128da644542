"""A surveyed floor: small as it is stored, whole as it is read, refused where it is damaged."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from msgspec.structs import replace

from backend.domain.mission.floor import FREE, OCCUPIED, UNKNOWN, FloorError, corners_m, floor_of, kinds_of

KINDS = arrays(
    np.uint8,
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
    elements=st.sampled_from([FREE, OCCUPIED, UNKNOWN]),
)
SMALL = floor_of(np.array([[FREE, OCCUPIED], [UNKNOWN, FREE]], np.uint8), 0.5)


@given(KINDS)
def test_what_is_stored_is_read_again(kinds: np.ndarray) -> None:
    assert kinds_of(floor_of(kinds, 0.05)).tolist() == kinds.tolist()


def test_a_hall_that_nobody_has_seen_takes_little() -> None:
    assert len(floor_of(np.full((2048, 2048), UNKNOWN, np.uint8), 0.05).cells) < 2_000


DAMAGED = [
    pytest.param({"width": 0}, "image has 0 × 2", id="no cells"),
    pytest.param({"width": 5_000, "height": 5_000}, "image has 5000 × 5000 cells", id="too many cells"),
    pytest.param({"width": 9}, "cells do not fill 9 × 2", id="another size"),
    pytest.param({"cells": "not base64"}, "cells cannot be read", id="no base64"),
    pytest.param({"cells": "AAAA"}, "cells cannot be read", id="nothing deflated"),
    pytest.param({"cells": floor_of(np.full((2, 2), 3, np.uint8), 1.0).cells}, "no", id="a fourth kind"),
    pytest.param(
        {"cells": floor_of(np.zeros((4000, 4000), np.uint8), 1.0).cells}, "do not fill", id="a bomb"
    ),
    pytest.param({"cell_m": 0.0}, "resolution is 0", id="no resolution"),
    pytest.param({"yaw_rad": math.nan}, "origin is no pose", id="no yaw"),
    pytest.param({"x_m": 1e9}, "origin is no pose", id="far away"),
]


@pytest.mark.parametrize(("change", "told"), DAMAGED)
def test_what_is_damaged_is_named(change: dict[str, object], told: str) -> None:
    with pytest.raises(FloorError, match=told):
        kinds_of(replace(SMALL, **change))


def test_what_is_too_full_of_detail_is_refused_before_it_is_stored() -> None:
    noise = np.random.default_rng(1).integers(0, 3, (2000, 2000), np.uint8)

    with pytest.raises(FloorError, match="too full of detail"):
        floor_of(noise, 0.05)


def test_its_corners_turn_with_it() -> None:
    turned = replace(SMALL, x_m=1.0, y_m=2.0, yaw_rad=math.pi / 2)

    assert [(round(x, 6), round(y, 6)) for x, y in corners_m(turned)] == [(1, 2), (1, 3), (0, 3), (0, 2)]
