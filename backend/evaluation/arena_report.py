"""Table II: a row a method of the rigid-body arena, the paper's figure in brackets beside ours."""

from __future__ import annotations

from collections.abc import Iterator

from backend.evaluation.published import published
from backend.evaluation.report import Table, difference_table, percent
from backend.evaluation.statistics import Estimate
from backend.evaluation.summary import Cell, Summary


def arena_tables(summary: Summary) -> Iterator[Table]:
    header = ("METHOD", "N", "SUCCESS %", "STALE", "CONTEXT", "CALLS", "TIME S", "PATH M")
    yield header, [_row(cell) for cell in summary.cells]
    if summary.differences:
        yield difference_table(summary)


def _row(cell: Cell) -> tuple[str, ...]:
    """Time and path of the successful trials, as the paper has it."""
    successful = cell.successful
    return (
        cell.method,
        str(cell.n),
        f"{percent(cell.success)}{_printed(cell, 'success', 100, 0)}",
        _beside(cell, "stale_visits", cell.means["stale_visits"], 1),
        _beside(cell, "context", cell.means["context"], 0),
        f"{cell.means['planner_calls'].value:.1f}",
        _beside(cell, "successful_steps", successful.get("steps"), 1),
        _beside(cell, "successful_path_m", successful.get("path_m"), 1),
    )


def _beside(cell: Cell, metric: str, mean: Estimate | None, digits: int) -> str:
    value = "none" if mean is None else f"{mean.value:,.{digits}f}"
    return f"{value}{_printed(cell, metric, 1, digits)}"


def _printed(cell: Cell, metric: str, scale: float, digits: int) -> str:
    printed = published().figure(cell.scenario, cell.method, metric)
    return "" if printed is None else f" [{scale * printed.value:,.{digits}f}]"
