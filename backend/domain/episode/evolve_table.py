"""What the opening and the outcomes of actions at a table leave in the state."""

from __future__ import annotations

from msgspec.structs import replace

from backend.domain.episode.events import EpisodeOpened
from backend.domain.episode.state import AtTable
from backend.domain.execution.outcome import Outcome


def at_table(event: EpisodeOpened) -> AtTable | None:
    table = event.table
    if not table:
        return None
    return AtTable(
        table=table, tool=table.tool, opening_m=table.opening_m, views=table.views, subgoal=table.subgoal
    )


def measured_there(known: AtTable, outcome: Outcome) -> AtTable:
    """What an outcome does not tell stays as it was: a command that was refused has moved nothing."""
    measured = outcome.measured
    return replace(
        known,
        tool=measured.tool or known.tool,
        opening_m=known.opening_m if measured.opening_m is None else measured.opening_m,
        views=outcome.views or known.views,
        subgoal=outcome.subgoal or known.subgoal,
        verdict=outcome.verdict or known.verdict,
    )
