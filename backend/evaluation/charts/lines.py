"""How a figure depends on what an ablation varies: a line a series, a whisker a value."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.evaluation.charts import svg
from backend.evaluation.charts.axes import Scale, number, scale

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 78, 18, 44, 52


class Point(Struct, frozen=True):
    x: float
    y: float
    low: float
    high: float


class Series(Struct, frozen=True):
    name: str
    points: tuple[Point, ...]


def line_chart(
    title: str, x_label: str, y_label: str, series: Sequence[Series], *, is_log: bool = False
) -> str:
    points = [point for each in series for point in each.points]
    stops = sorted({point.x for point in points})
    across = _across(stops)
    up = scale([v for p in points for v in (p.y, p.low, p.high)], HEIGHT - BOTTOM, TOP, is_log=is_log)
    body = [svg.text(LEFT, 16, title, role="name"), *_grid(across, stops, up, x_label, y_label)]
    for index, each in enumerate(series):
        places = [(across.px(point.x), up.px(point.y)) for point in each.points]
        if len(places) > 1:
            body.append(svg.polyline(places, index))
        for point, (x, y) in zip(each.points, places, strict=True):
            body.append(svg.whisker(x, up.px(point.low), x, up.px(point.high), index))
            note = f"{each.name}: {number(point.y)} ({number(point.low)} to {number(point.high)})"
            body.append(svg.mark(x, y, index, note))
    return svg.picture(WIDTH, HEIGHT, title, body + legend([each.name for each in series], LEFT, 34))


def legend(names: Sequence[str], x: float, y: float) -> list[str]:
    """Each series' mark and name in a row; nothing where there is only one."""
    drawn = []
    for index, name in enumerate(names if len(names) > 1 else ()):
        drawn += [svg.mark(x + 4, y - 4, index), svg.text(x + 13, y, name)]
        x += 26 + 6.6 * len(name)
    return drawn


def _across(stops: Sequence[float]) -> Scale:
    """By powers where the values are, so that the small ones do not fall on one another."""
    is_log = bool(stops) and stops[0] > 0 and stops[-1] >= 10 * stops[0]
    ends = (stops[0], stops[-1]) if len(stops) > 1 else (0.0, 1.0)
    return Scale(*ends, LEFT + 12, WIDTH - RIGHT - 12, is_log)


def _grid(across: Scale, stops: Sequence[float], up: Scale, x_label: str, y_label: str) -> list[str]:
    bottom = HEIGHT - BOTTOM
    drawn = []
    for tick in up.ticks():
        y = up.px(tick)
        drawn += [svg.line(LEFT, y, WIDTH - RIGHT, y), svg.text(LEFT - 8, y + 4, number(tick), anchor="end")]
    for stop in stops:
        x, label = across.px(stop), number(stop)
        drawn += [
            svg.line(x, bottom, x, bottom + 4, "axis"),
            svg.text(x, bottom + 18, label, anchor="middle"),
        ]
    drawn.append(svg.line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis"))
    drawn.append(svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x_label, anchor="middle"))
    return [*drawn, svg.text(16, (TOP + bottom) / 2, y_label, anchor="middle", turned=True)]
