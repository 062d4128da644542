"""Figures one below the other: a name, a value, its interval; and the dots of single seeds."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.evaluation.charts import svg
from backend.evaluation.charts.axes import Scale, number, scale

WIDTH = 560
LEFT, RIGHT, TOP, BOTTOM = 180, 24, 34, 46
ROW = 24


class Row(Struct, frozen=True):
    """`group` is written once above its rows. `published`: what the paper prints, drawn as a ring."""

    name: str
    value: float
    low: float
    high: float
    group: str = ""
    series: int = 0
    published: float | None = None


class DotRow(Struct, frozen=True):
    """One value a seed; failures stand out by their mark."""

    name: str
    values: tuple[float, ...]
    failed: tuple[bool, ...]


def interval_chart(
    title: str,
    x_label: str,
    rows: Sequence[Row],
    *,
    holds: Sequence[float] = (),
    is_log: bool = False,
    zero: bool = False,
) -> str:
    """`holds`: values that the axis shows in any case; `zero`: a line there, for differences."""
    known = [v for row in rows for v in (row.value, row.low, row.high, row.published) if v is not None]
    across = scale(known, LEFT, WIDTH - RIGHT, holds=[*holds, *([0.0] if zero else [])], is_log=is_log)
    found = places([row.group for row in rows])
    height = int(found[-1][1] + ROW / 2 + BOTTOM) if found else TOP + BOTTOM
    body = [svg.text(12, 16, title, role="name"), *grid(across, height, x_label)]
    if zero:
        body.append(svg.line(across.px(0.0), TOP, across.px(0.0), height - BOTTOM, "axis"))
    for row, (heading, y) in zip(rows, found, strict=True):
        if heading is not None:
            body.append(svg.text(12, heading, row.group, role="name"))
        body.append(svg.text(LEFT - 12, y + 4, row.name, anchor="end"))
        body.append(svg.whisker(across.px(row.low), y, across.px(row.high), y, row.series))
        note = f"{row.name}: {number(row.value)} ({number(row.low)} to {number(row.high)})"
        body.append(svg.mark(across.px(row.value), y, row.series, note))
        if row.published is not None:
            body.append(svg.mark(across.px(row.published), y, 4, f"the paper prints {number(row.published)}"))
    return svg.picture(WIDTH, height, title, body)


def dot_chart(title: str, x_label: str, rows: Sequence[DotRow]) -> str:
    """Each seed a dot, spread a little so that equal ones show; a failed episode is a diamond."""
    across = scale([value for row in rows for value in row.values], LEFT, WIDTH - RIGHT)
    found = places(["" for _ in rows], step=2 * ROW)
    height = int(found[-1][1] + ROW + BOTTOM) if found else TOP + BOTTOM
    body = [svg.text(12, 16, title, role="name"), *grid(across, height, x_label)]
    for row, (_, y) in zip(rows, found, strict=True):
        body.append(svg.text(LEFT - 12, y + 4, row.name, anchor="end"))
        for seed, (value, failed) in enumerate(zip(row.values, row.failed, strict=True)):
            at = y + (seed * 7 % 17 - 8)
            body.append(svg.mark(across.px(value), at, 3) if failed else svg.dot(across.px(value), at))
    return svg.picture(WIDTH, height, title, body)


def places(groups: Sequence[str], step: float = ROW) -> list[tuple[float | None, float]]:
    """For each row where its group's heading stands, if it is the first of it, and where the row does."""
    y, last, found = TOP + step / 2, None, []
    for group in groups:
        heading = None
        if group and group != last:
            heading, y = y + 4, y + ROW
        found.append((heading, y))
        y, last = y + step, group
    return found


def grid(across: Scale, height: int, x_label: str) -> list[str]:
    bottom = height - BOTTOM
    drawn = []
    for tick in across.ticks():
        x = across.px(tick)
        drawn += [svg.line(x, TOP, x, bottom), svg.text(x, bottom + 16, number(tick), anchor="middle")]
    drawn.append(svg.line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis"))
    return [*drawn, svg.text((LEFT + WIDTH - RIGHT) / 2, height - 10, x_label, anchor="middle")]
