"""Scales and ticks: from a value to a place in the picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct


class Scale(Struct, frozen=True):
    """Maps `low` to `start` px and `high` to `end` px; `is_log`: by powers of ten."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def px(self, value: float) -> float:
        low, high = self._bend(self.low), self._bend(self.high)
        share = (self._bend(value) - low) / (high - low) if high > low else 0.5
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self) -> list[float]:
        return _decades(self.low, self.high) if self.is_log else _even(self.low, self.high)

    def _bend(self, value: float) -> float:
        return math.log10(max(value, 1e-12)) if self.is_log else value


def scale(
    values: Iterable[float], start: float, end: float, *, is_log: bool = False, holds: Sequence[float] = ()
) -> Scale:
    """One that holds all `values`, and `holds`, with round ends."""
    known = [value for value in (*values, *holds) if math.isfinite(value) and (value > 0 or not is_log)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if is_log:
        first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
        return Scale(10.0**first, 10.0 ** max(last, first + 1), start, end, True)
    if low == high:
        low, high = min(low, 0.0), max(high, 1.0)
    step = _step(low, high)
    return Scale(math.floor(low / step) * step, math.ceil(high / step - 1e-9) * step, start, end)


def number(value: float) -> str:
    """A tick's label: 12,000 and 0.25, never 1.2e+04."""
    if value == 0:
        return "0"
    if abs(value) >= 1e6:
        return f"{value / 1e6:,g} M"
    return f"{value:,.0f}" if abs(value) >= 10 or value == round(value) else f"{value:g}"


def _even(low: float, high: float) -> list[float]:
    step = _step(low, high)
    first = math.ceil(low / step - 1e-9)
    return [round(n * step, 10) for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _step(low: float, high: float) -> float:
    """Round, and giving about five ticks."""
    raw = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(raw))
    return float(power * next((round_ for round_ in (1, 2, 2.5, 5) if raw <= round_ * power), 10))


def _decades(low: float, high: float) -> list[float]:
    first, last = round(math.log10(low)), round(math.log10(high))
    step = max(1, (last - first) // 5)
    return [10.0**power for power in range(first, last + 1, step)]
