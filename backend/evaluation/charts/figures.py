"""Which charts a run is shown by: its cells, its paired differences, its seeds, what an ablation varied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.evaluation.ablations import Ablation
from backend.evaluation.charts.lines import Point, Series, line_chart
from backend.evaluation.charts.rows import DotRow, Row, dot_chart, interval_chart
from backend.evaluation.published import published
from backend.evaluation.statistics import Estimate
from backend.evaluation.summary import METRICS, Cell, Difference, Summary
from backend.usecases.results import Arm, EpisodeResult

LABELS = {
    "success": "Success, %",
    "steps": "Steps",
    "context": "Context, units",
    "planner_calls": "Calls to the planner",
    "stale_visits": "Stale visits",
    "path_m": "Way, m",
    "misled": "Misled decisions",
}


def label_of(metric: str) -> str:
    return LABELS.get(metric, metric.replace("_", " ").capitalize())


def success_chart(summary: Summary) -> str:
    rows = [
        _row(cell.method, cell.success, 100, _group(cell), _series(cell.method), _printed(cell, "success"))
        for cell in summary.cells
    ]
    return interval_chart("Success with Wilson's 95 % interval", LABELS["success"], rows, holds=(0.0, 100.0))


def mean_chart(summary: Summary, metric: str, *, is_log: bool = False) -> str:
    rows = [
        _row(cell.method, cell.means[metric], 1, _group(cell), _series(cell.method), _printed(cell, metric))
        for cell in summary.cells
        if metric in cell.means
    ]
    return interval_chart(
        f"{label_of(metric)}, mean with 95 % interval", label_of(metric), rows, is_log=is_log
    )


def difference_chart(summary: Summary, metric: str) -> str:
    """The chosen method minus each other, seed by seed."""
    rows = [
        _row(
            f"− {each.minus}",
            each.estimate,
            100 if metric == "success" else 1,
            f"{each.scenario.upper()}{', ' + each.variant if each.variant else ''}",
            0,
            _printed_difference(each),
        )
        for each in summary.differences
        if each.metric == metric
    ]
    method = summary.differences[0].method if summary.differences else ""
    label = "Success, points" if metric == "success" else label_of(metric)
    return interval_chart(f"{label}: {method} minus each other, paired", label, rows, zero=True)


def seed_chart(arms: Sequence[Arm], episodes: Mapping[int, Sequence[EpisodeResult]], metric: str) -> str:
    """Every seed of each arm."""
    rows = [
        DotRow(
            arms[index].method,
            tuple([float(getattr(row, metric)) for row in rows]),
            tuple([not row.success for row in rows]),
        )
        for index, rows in episodes.items()
    ]
    return dot_chart(f"{label_of(metric)} of every seed; diamonds failed", label_of(metric), rows)


def ablation_charts(ablation: Ablation, summary: Summary) -> dict[str, str]:
    """Metric -> SVG: success, steps, context, stale visits, and what else was measured."""
    metrics = [
        "steps",
        "context",
        "stale_visits",
        *sorted({n for c in summary.cells for n in c.means} - set(METRICS)),
    ]
    drawn = _variants if ablation.is_named else _lines
    return {metric: drawn(ablation, summary, metric) for metric in ("success", *metrics)}


def _variants(ablation: Ablation, summary: Summary, metric: str) -> str:
    rows = [
        _row(cell.variant, estimate, 100 if metric == "success" else 1)
        for cell in summary.cells
        if (estimate := _estimate(cell, metric)) is not None
    ]
    return interval_chart(f"{label_of(metric)}: {ablation.question}", label_of(metric), rows)


def _lines(ablation: Ablation, summary: Summary, metric: str) -> str:
    found: dict[str, list[Point]] = {}
    for cell in summary.cells:
        estimate = _estimate(cell, metric)
        if estimate is not None:
            factor = 100 if metric == "success" else 1
            value, low, high = (factor * each for each in (estimate.value, estimate.low, estimate.high))
            points = found.setdefault(ablation.lines[cell.arm], [])
            points.append(Point(ablation.x[cell.arm], value, low, high))
    # The paper's method first, so that it has the same mark on every chart.
    series = [
        Series(name, tuple(found[name])) for name in sorted(found, key=lambda name: name != "attention")
    ]
    is_log = metric == "context" and _spans_decades(series)
    label = f"{label_of(metric)}{', logarithmic' if is_log else ''}"
    return line_chart(f"{label_of(metric)}: {ablation.question}", ablation.axis, label, series, is_log=is_log)


def _estimate(cell: Cell, metric: str) -> Estimate | None:
    return cell.success if metric == "success" else cell.means.get(metric)


def _spans_decades(series: Sequence[Series]) -> bool:
    values = [point.y for each in series for point in each.points if point.y > 0]
    return bool(values) and max(values) > 20 * min(values)


def _row(
    name: str, of: Estimate, factor: float, group: str = "", series: int = 0, printed: float | None = None
) -> Row:
    value, low, high = factor * of.value, factor * of.low, factor * of.high
    return Row(name, value, low, high, group, series, None if printed is None else factor * printed)


def _series(method: str) -> int:
    """The paper's method stands out."""
    return 0 if method == "attention" else 1


def _group(cell: Cell) -> str:
    return f"{cell.scenario.upper()}{', ' + cell.variant if cell.variant else ''}"


def _printed(cell: Cell, metric: str) -> float | None:
    figure = None if cell.variant else published().figure(cell.scenario, cell.method, metric)
    return None if figure is None else figure.value


def _printed_difference(each: Difference) -> float | None:
    if each.variant:
        return None
    printed = published().difference(each.scenario, each.method, each.minus, each.metric)
    return None if printed is None else printed.value
