"""A passage of the fold from one state to the next, and a row made of it."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Table

from backend.domain.episode.events import Recorded
from backend.domain.episode.state import State
from backend.persistence.codec import storable

Values = dict[str, Any]
Key = tuple[Any, ...]


class Passage(NamedTuple):
    """`before` is None at the first event. `utc` is the wall clock stored with the event."""

    episode: str
    before: State | None
    recorded: Recorded
    after: State
    utc: str

    @property
    def anchor(self) -> Values:
        """The columns every row of the journal's own tables begins with."""
        return {"episode": self.episode, "seq": self.recorded.seq, "met_s": self.recorded.met_s}


class Row(NamedTuple):
    table: Table
    values: Values

    @property
    def key(self) -> Key:
        return tuple(map(self.values.__getitem__, key_names(self.table)))


@cache
def key_names(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.primary_key)


def row(table: Table, values: Values) -> Row:
    return Row(table, storable(values))
