"""What the gate would have returned, had it been set otherwise: the same gating over the kept frames."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backend.bridge.pictures import pixels_of
from backend.domain.execution.frames import WatchedFrames
from backend.domain.execution.gating import Gated, GatingSettings
from backend.domain.plans.plan import Watch
from backend.usecases.framing import FrameKeeper
from backend.usecases.regating import Unwatched, regated, told
from tests.usecases.test_framing import HERE, Store, png, recorded

STORE = Store()
MOMENT = recorded(png(), png(), png(HERE), png(HERE), png())


def kept(watch: Watch | None, gate: GatingSettings | None = None) -> WatchedFrames:
    film = FrameKeeper(STORE.put, pixels_of, gate)(MOMENT, watch, "gated")
    assert film is not None
    return film


def load(sha256: str) -> NDArray[np.uint8]:
    return pixels_of(STORE[sha256])


WATCHED = kept(Watch(points=(HERE,)))


@pytest.mark.parametrize(
    ("gate", "returned"),
    [
        pytest.param(GatingSettings(), (False, True, True, True, True), id="as it was"),
        pytest.param(GatingSettings(share=0.5), (False,) * 5, id="a higher share returns none"),
        pytest.param(GatingSettings(level=200), (False,) * 5, id="a higher level sees no change"),
        pytest.param(GatingSettings(radius_px=200), (False,) * 5, id="a wider circle dilutes it"),
    ],
)
def test_other_settings_return_other_frames(gate: GatingSettings, returned: tuple[bool, ...]) -> None:
    found = regated(WATCHED, gate, load)

    assert isinstance(found, Gated)
    assert found.returned == returned
    assert found.withheld == returned.count(False)


@given(
    radius_px=st.floats(1, 256), level=st.integers(0, 255), share=st.floats(0, 1), watched_x=st.floats(0, 511)
)
@settings(max_examples=25, deadline=None)
def test_it_says_what_recording_under_those_settings_would_have_kept(
    radius_px: float, level: int, share: float, watched_x: float
) -> None:
    watch = Watch(points=((watched_x, 100.0),))
    gate = GatingSettings(radius_px=radius_px, level=level, share=share)
    found = regated(kept(watch), gate, load)

    assert isinstance(found, Gated)
    assert told(kept(watch), found) == kept(watch, gate)


@pytest.mark.parametrize(
    ("watch", "why"),
    [(None, "watched nothing"), (Watch(points="all"), "asked for every frame")],
    ids=["nothing watched", "everything asked for"],
)
def test_without_points_there_is_nothing_to_gate_otherwise(watch: Watch | None, why: str) -> None:
    found = regated(kept(watch), GatingSettings(), load)

    assert isinstance(found, Unwatched)
    assert why in found.reason
