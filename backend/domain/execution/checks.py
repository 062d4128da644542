"""Checks on what is measured right after a step of a sequence (LogLook, section 3.3).

A sequence stops at its first failed check. Text and meaning of a check lie here alone; `plans.signature`
refuses a text that is none.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from backend.domain.execution.outcome import Measured

_CHECK = re.compile(
    r"(?P<quantity>gripper_opening_m|height_m) (?P<relation><=|>=) (?P<bound_m>-?\d+(\.\d+)?)"
)


class Check(Struct, frozen=True):
    """`quantity` must stand in `relation` to `bound_m`."""

    quantity: Literal["gripper_opening_m", "height_m"]
    relation: Literal["<=", ">="]
    bound_m: float


class Checked(Struct, frozen=True):
    """`passed` is None where the quantity was not measured, which stops a sequence as a failure does."""

    check: str
    measured_m: float | None
    passed: bool | None

    def __str__(self) -> str:
        if self.measured_m is None:
            return f"check {self.check} failed: that was not measured"
        return f"check {self.check} {'held' if self.passed else 'failed'}: {self.measured_m:.4g} m measured"


def is_check(text: str) -> bool:
    return _CHECK.fullmatch(text) is not None


def check_of(text: str) -> Check:
    """Raises ValueError, in the planner's words, where `text` is no check."""
    found = _CHECK.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:60]!r} is no check. Write one such as height_m >= 0.05.")
    return Check(
        "height_m" if found["quantity"] == "height_m" else "gripper_opening_m",
        "<=" if found["relation"] == "<=" else ">=",
        float(found["bound_m"]),
    )


def checked(text: str, measured: Measured) -> Checked:
    """`text` against what was measured right after its step; at the bound it holds."""
    check = check_of(text)
    value_m = measured.opening_m if check.quantity == "gripper_opening_m" else measured.height_m
    if value_m is None:
        return Checked(text, None, None)
    held = value_m <= check.bound_m if check.relation == "<=" else value_m >= check.bound_m
    return Checked(text, value_m, held)
