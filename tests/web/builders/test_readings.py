"""What telemetry measured, in the words of the strip under the map."""

from __future__ import annotations

from typing import Any

import pytest

from backend.web.builders.readings import told

HAND = {
    "joints_rad": [0.0, -0.3, 1.9, 1.5],
    "opening_m": 0.058,
    "height_m": 0.297,
    "touches": ["left on can_01"],
}


def test_an_arm_is_told_where_the_bridge_measures_one() -> None:
    assert told({"arm": HAND}) == {"fingers": "58 mm apart, 0.30 m up", "touch": "left on can_01"}
    assert told({"arm": {**HAND, "touches": []}})["touch"] == "Nothing"


@pytest.mark.parametrize("arm", [None, "arm", {}, {**HAND, "opening_m": None}, {**HAND, "height_m": "high"}])
def test_what_is_no_measured_arm_is_not_told(arm: Any) -> None:
    assert told({"arm": arm, "speed_m_s": 0.25}) == {"speed": "0.25 m/s"}


@pytest.mark.parametrize(
    "trouble", ["Nothing on /odom for 2.1 s.", ""], ids=["something is wrong", "and then no more"]
)
def test_what_is_wrong_is_told_where_the_bridge_says_it(trouble: str) -> None:
    assert told({"trouble": trouble, "progress": trouble}) == {"trouble": trouble, "progress": trouble}
    assert told({"trouble": None, "progress": None}) == {}
