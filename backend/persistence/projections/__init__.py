"""The derived tables as pure functions of the journal: from one passage of the fold to rows.

Written with the event, made again by `rebuild`, and compared by `verify`: three uses of one function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sqlalchemy import Table

from backend.persistence.projections import (
    approvals,
    entities,
    episodes,
    exchanges,
    execution_log,
    frames,
    notes,
    plans,
    retrievals,
)
from backend.persistence.projections.row import Key, Passage, Row, Values

OF_EACH: tuple[Callable[[Passage], Iterator[Row]], ...] = (
    entities.rows,
    retrievals.rows,
    plans.rows,
    approvals.rows,
    exchanges.rows,
    notes.rows,
    execution_log.rows,
    frames.rows,
)

Derived = dict[Table, dict[Key, Values]]


def project(passages: Iterable[Passage]) -> Derived:
    """The rows that `passages` leave behind, by table and primary key; of several for one key the last."""
    derived: Derived = {}
    last = None
    for last in passages:
        for projection in OF_EACH:
            for row in projection(last):
                derived.setdefault(row.table, {})[row.key] = row.values
    if last is not None:
        summary = episodes.row_of(last)
        derived[summary.table] = {summary.key: summary.values}
    return derived


__all__ = ["Derived", "Key", "Passage", "Row", "Values", "project"]
