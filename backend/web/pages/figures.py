"""How figures are written, the same on every page.

`static/islands/figures.js` writes them alike while they tick.
"""

from __future__ import annotations

import math

NONE = "–"


def age(seconds: float) -> str:
    """12 s, then 1:04, then 1:02:03. Whole seconds, never rounded up: nothing looks older than it is."""
    whole = max(0, math.floor(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02d}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def link_age(seconds: float) -> str:
    """0.1 s below ten seconds, where tenths still mean something."""
    tenths = max(0, math.floor(seconds * 10))
    return f"{tenths // 10}.{tenths % 10} s" if tenths < 100 else age(seconds)


def countdown(seconds: float) -> str:
    """0:52. Rounded up, so that 0:00 is shown only when it is over."""
    whole = max(0, math.ceil(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


def met(seconds: float) -> str:
    """Mission elapsed time: 00:14:32."""
    whole = max(0, math.floor(seconds))
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def count(number: int) -> str:
    return f"{number:,}"


def change(number: int) -> str:
    """+46, −12, or a dash for none."""
    return NONE if number == 0 else f"{'+' if number > 0 else '−'}{abs(number):,}"


def percent(share: float, digits: int = 0) -> str:
    return f"{share * 100:.{digits}f} %"


def share(value: float) -> str:
    """A factor or confidence between 0 and 1: 0.71."""
    return f"{value:.2f}"


def place(x_m: float, y_m: float) -> str:
    return f"{x_m:.2f}, {y_m:.2f} m"


def digest(value: str) -> str:
    """9f3a…c41e: enough to compare by eye; the full value is in the form."""
    return value if len(value) <= 9 else f"{value[:4]}…{value[-4:]}"


def cost(usd: float) -> str:
    return f"${usd:.4f}" if usd < 1 else f"${usd:,.2f}"
