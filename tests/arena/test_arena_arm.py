"""The arm's joints for a grip, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_bridge.arena.arm import STOWED, Grip, grip_of, joints_for

NEAR = st.builds(
    Grip, waist_rad=st.floats(-1.1, 1.1), ahead_m=st.floats(0.12, 0.32), height_m=st.floats(0.08, 0.30)
)


@given(NEAR)
def test_the_joints_for_a_grip_bring_it_there(grip: Grip) -> None:
    joints = joints_for(grip)

    assert joints is not None
    assert grip_of(joints) == pytest.approx(grip, abs=1e-9)
    assert sum(joints[1:]) == pytest.approx(3.141592653589793)


@pytest.mark.parametrize(
    "grip",
    [Grip(0.0, 0.50, 0.20), Grip(1.4, 0.20, 0.20), Grip(0.0, 0.001, 0.116)],
    ids=["too far", "past the waist's limit", "into itself"],
)
def test_what_the_arm_does_not_reach_has_no_joints(grip: Grip) -> None:
    assert joints_for(grip) is None


def test_the_folded_arm_is_within_its_joints() -> None:
    assert joints_for(STOWED) is not None
