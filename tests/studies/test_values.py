"""How figures are written: with their interval, beside the paper's, and whether the two agree."""

from __future__ import annotations

import pytest

from backend.evaluation.statistics import Estimate
from backend.evaluation.summary import Cell, Difference
from backend.studies.values import difference_of, number, signed, value_of


def cell(method: str, metric: str, low: float, value: float, high: float, variant: str = "") -> Cell:
    estimate = Estimate(value, low, high)
    share = estimate if metric == "success" else Estimate(1.0, 0.9, 1.0)
    return Cell(
        arm=0,
        scenario="dn-14",
        method=method,
        variant=variant,
        n=100,
        successes=100,
        success=share,
        means={} if metric == "success" else {metric: estimate},
        successful={},
        replans={},
    )


@pytest.mark.parametrize(
    ("of", "metric", "text", "interval", "printed", "flags"),
    [
        (
            cell("attention", "steps", 192, 194.9, 197.9), "steps",
            "194.9", "192.0 to 197.9", "paper 201.3, here −3.2 %", (True, False),
        ),
        (
            cell("static", "success", 0.54, 0.64, 0.73), "success",
            "64.0", "54.0 to 73.0", "paper 62.0, here +2.0 points", (False, False),
        ),
        (
            cell("static", "success", 0.30, 0.40, 0.50), "success",
            "40.0", "30.0 to 50.0", "paper 62.0, here −22.0 points", (False, True),
        ),
        (cell("none", "steps", 1, 2, 3), "steps", "2.0", "1.0 to 3.0", "", (False, False)),
        (
            cell("attention", "steps", 192, 194.9, 197.9, "K 2"), "steps",
            "194.9", "192.0 to 197.9", "", (False, False),
        ),
        (cell("none", "steps", 1, 2, 3), "context", "–", "", "", (False, False)),
        (
            cell("attention", "steps", 198, 200.0, 204), "steps",
            "200.0", "198.0 to 204.0", "paper 201.3, here −0.6 %", (False, False),
        ),
        (
            cell("unfiltered", "context", 50_000, 50_000.0, 50_000), "context",
            "50,000", "–", "paper 53,049, here −5.7 %", (False, False),
        ),
    ],
    ids=[
        "known to fall short", "within", "unexplained", "not printed", "a variant", "not measured",
        "short elsewhere, met here", "all equal",
    ],
)  # fmt: skip
def test_a_figure_stands_beside_the_printed_one(
    of: Cell, metric: str, text: str, interval: str, printed: str, flags: tuple[bool, bool]
) -> None:
    made = value_of(of, metric)

    assert (made.text, made.interval, made.printed) == (text, interval, printed)
    assert (made.is_short, made.is_odd) == flags


@pytest.mark.parametrize(
    ("value", "low", "high", "printed", "is_odd"),
    [
        (-9.5, -12.1, -7.0, "paper −8.4, −10.7 to −6.4", False),
        (4.0, 2.0, 6.0, "paper −8.4, −10.7 to −6.4", True),
        (4.0, 4.0, 4.0, "paper −8.4, −10.7 to −6.4", False),
    ],
    ids=["the intervals meet", "they do not", "ours is none"],
)
def test_a_difference_has_its_sign(value: float, low: float, high: float, printed: str, is_odd: bool) -> None:
    each = Difference(
        scenario="dn-14",
        variant="",
        method="attention",
        minus="unfiltered",
        metric="steps",
        pairs=100,
        estimate=Estimate(value, low, high),
    )

    made = difference_of(each, their_mean=200.0)

    assert made.text == f"{signed(value, 1)}, {signed(value / 2, 1)} %"
    assert (made.printed, made.is_odd) == (printed, is_odd)


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [(-0.04, 1, "0.0"), (0.0, 0, "0"), (-1234.5, 1, "−1,234.5"), (2.0, 2, "+2.00")],
)
def test_a_rounded_zero_has_no_sign(value: float, digits: int, written: str) -> None:
    assert signed(value, digits) == written


def test_numbers_have_a_real_minus() -> None:
    assert number(-3.25, 2) == "−3.25"
