"""Counts by what they are made of: a bar a row, a stretch a part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from backend.evaluation.charts import svg
from backend.evaluation.charts.axes import number, scale
from backend.evaluation.charts.rows import BOTTOM, LEFT, RIGHT, ROW, TOP, WIDTH, grid, places

THICK = 14


class BarRow(Struct, frozen=True):
    """`parts`: name -> length. `group` is written once above its rows."""

    name: str
    parts: Mapping[str, float]
    group: str = ""


def stacked_chart(title: str, x_label: str, rows: Sequence[BarRow]) -> str:
    names = sorted({name for row in rows for name in row.parts})
    across = scale([sum(row.parts.values()) for row in rows], LEFT, WIDTH - RIGHT, holds=(0.0,))
    found = places([row.group for row in rows])
    height = int(found[-1][1] + ROW / 2 + BOTTOM + ROW) if found else TOP + BOTTOM + ROW
    body = [svg.text(12, 16, title, role="name"), *grid(across, height - ROW, x_label)]
    for row, (heading, y) in zip(rows, found, strict=True):
        if heading is not None:
            body.append(svg.text(12, heading, row.group, role="name"))
        body.append(svg.text(LEFT - 12, y + 4, row.name, anchor="end"))
        at = 0.0
        for index, name in enumerate(names):
            length = row.parts.get(name, 0.0)
            if length:
                start, end = across.px(at), across.px(at + length)
                note = f"{row.name}, {name}: {number(round(length, 2))}"
                body.append(svg.bar(start, y - THICK / 2, round(end - start, 2), THICK, index, note))
            at += length
    return svg.picture(WIDTH, height, title, body + _legend(names, height - ROW + 8))


def _legend(names: Sequence[str], y: float) -> list[str]:
    drawn, x = [], float(LEFT)
    for index, name in enumerate(names):
        drawn += [svg.bar(x, y - 10, 12, 10, index), svg.text(x + 18, y, name)]
        x += 42 + 6.6 * len(name)
    return drawn
