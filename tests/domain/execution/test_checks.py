"""Checks of a sequence: which texts are one, and what a measurement makes of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.execution.checks import Check, check_of, checked, is_check
from backend.domain.execution.outcome import Measured

GRASPED = Measured(opening_m=0.039, height_m=0.12)


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("height_m >= 0.05", Check("height_m", ">=", 0.05)),
        ("gripper_opening_m <= 0.01", Check("gripper_opening_m", "<=", 0.01)),
        ("height_m <= -1", Check("height_m", "<=", -1.0)),
    ],
)
def test_a_check_is_read(text: str, check: Check) -> None:
    assert is_check(text)
    assert check_of(text) == check


@pytest.mark.parametrize(
    "text",
    [
        "",
        "height_m",
        "height_m > 0.05",
        "height_m >= 5 cm",
        "speed >= 1",
        "height_m >= 1e3",
        "height_m >= 1\n",
    ],
)
def test_anything_else_is_none_and_says_what_one_is(text: str) -> None:
    assert not is_check(text)
    with pytest.raises(ValueError, match=r"is no check\. Write one such as height_m >= 0.05"):
        check_of(text)


@pytest.mark.parametrize(
    ("text", "measured", "passed", "said"),
    [
        (
            "gripper_opening_m >= 0.02",
            GRASPED,
            True,
            "check gripper_opening_m >= 0.02 held: 0.039 m measured",
        ),
        (
            "gripper_opening_m >= 0.05",
            GRASPED,
            False,
            "check gripper_opening_m >= 0.05 failed: 0.039 m measured",
        ),
        ("height_m <= 0.12", GRASPED, True, "check height_m <= 0.12 held: 0.12 m measured"),
        ("height_m >= 0.12", GRASPED, True, "check height_m >= 0.12 held: 0.12 m measured"),
        ("height_m >= 0.13", GRASPED, False, "check height_m >= 0.13 failed: 0.12 m measured"),
        (
            "height_m >= 0.05",
            Measured(opening_m=0.0),
            None,
            "check height_m >= 0.05 failed: that was not measured",
        ),
    ],
    ids=["holds", "closed on nothing", "at the bound below", "at the bound above", "too low", "not measured"],
)
def test_a_check_is_judged_by_what_was_measured(
    text: str, measured: Measured, passed: bool | None, said: str
) -> None:
    outcome = checked(text, measured)

    assert outcome.passed is passed
    assert str(outcome) == said


@given(st.decimals(-2, 2, places=4), st.floats(-2, 2))
def test_one_of_two_opposite_checks_holds(bound: object, height_m: float) -> None:
    measured = Measured(height_m=height_m)

    assert (
        checked(f"height_m <= {bound:f}", measured).passed
        or checked(f"height_m >= {bound:f}", measured).passed
    )
