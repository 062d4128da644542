"""Figures with their intervals, and beside them what the paper prints and how far that is from here."""

from __future__ import annotations

from backend.evaluation.published import Figure, PrintedDifference, published
from backend.evaluation.report import NO_INTERVAL, unmet
from backend.evaluation.statistics import Estimate
from backend.evaluation.summary import Cell, Difference
from backend.web.pages.evaluation import Value

DIGITS = {
    "context": 0,
    "stale_visits": 2,
    "input_tokens": 0,
    "cached_tokens": 0,
    "output_tokens": 0,
    "reasoning_tokens": 0,
    "total_tokens": 0,
    "query_size": 0,
    "latency_s": 2,
    "cost_usd": 4,
}
"""Decimals by metric, else one; shares of success are told in per cent, with one."""


def value_of(cell: Cell, metric: str, *, href: str = "") -> Value:
    """The cell's mean, or share of successes in per cent."""
    estimate = cell.estimate(metric)
    if estimate is None:
        return Value(text="–")
    factor, digits = scale_of(metric)
    printed = None if cell.variant else published().figure(cell.scenario, cell.method, metric)
    is_short = unmet(cell, metric) is not None
    return Value(
        text=number(factor * estimate.value, digits),
        interval=interval(estimate, factor, digits),
        printed="" if printed is None else beside(printed, estimate, metric),
        is_short=is_short,
        is_odd=printed is not None and not is_short and cell.n > 1 and estimate.leaves_out(printed.value),
        href=href,
    )


def difference_of(each: Difference, *, their_mean: float | None = None) -> Value:
    """With its sign; with `their_mean` in per cent of it as well. The paper is told as it prints it."""
    factor, digits = scale_of(each.metric)
    printed = (
        None if each.variant else published().difference(each.scenario, each.method, each.minus, each.metric)
    )
    relative = ""
    if their_mean:
        relative = f", {signed(100 * each.estimate.value / their_mean, 1)} %"
    return Value(
        text=f"{signed(factor * each.estimate.value, digits)}{relative}",
        interval=signed_interval(each.estimate, factor, digits),
        printed="" if printed is None else _printed_difference(printed, factor, digits),
        is_odd=printed is not None and each.estimate.has_interval and not _overlap(each.estimate, printed),
    )


def beside(printed: Figure, ours: Estimate, metric: str) -> str:
    """ "paper 209.7, here −2.5 %"; a share of success in points."""
    factor, digits = scale_of(metric)
    if metric == "success":
        difference = f"{signed(100 * (ours.value - printed.value), 1)} points"
    else:
        difference = f"{signed(100 * (ours.value / printed.value - 1), 1)} %"
    return f"paper {number(factor * printed.value, digits)}, here {difference}"


def scale_of(metric: str) -> tuple[float, int]:
    return (100.0, 1) if metric == "success" else (1.0, DIGITS.get(metric, 1))


def number(value: float, digits: int) -> str:
    return f"{value:,.{digits}f}".replace("-", "−")


def signed(value: float, digits: int) -> str:
    """Zero has no sign, whatever it was rounded from."""
    text = f"{value:+,.{digits}f}"
    return f"{0:.{digits}f}" if not text.strip("+-0.,") else text.replace("-", "−")


def interval(estimate: Estimate, factor: float, digits: int) -> str:
    if not estimate.has_interval:
        return NO_INTERVAL
    return f"{number(factor * estimate.low, digits)} to {number(factor * estimate.high, digits)}"


def signed_interval(estimate: Estimate, factor: float, digits: int) -> str:
    if not estimate.has_interval:
        return NO_INTERVAL
    return f"{signed(factor * estimate.low, digits)} to {signed(factor * estimate.high, digits)}"


def _printed_difference(printed: PrintedDifference, factor: float, digits: int) -> str:
    if printed.relative is not None:
        return f"paper {signed(100 * printed.relative, 1)} %"
    bounds = ""
    if printed.low is not None and printed.high is not None:
        bounds = f", {signed(factor * printed.low, digits)} to {signed(factor * printed.high, digits)}"
    return f"paper {signed(factor * printed.value, digits)}{bounds}"


def _overlap(ours: Estimate, printed: PrintedDifference) -> bool:
    low = printed.value if printed.low is None else printed.low
    high = printed.value if printed.high is None else printed.high
    return ours.low <= high and low <= ours.high
