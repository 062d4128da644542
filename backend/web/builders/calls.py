"""One call to the planner among the others: what was sent, the call before it, and what was answered."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.usecases.reading import Entry


class Call(Struct, frozen=True, kw_only=True):
    """`request`, `previous`: `plan.requested` of this call and of the one before it, a repair counting as
    one. `state`: right after it was asked, None where nobody reads it. `earlier`, `later`: seqs of the calls
    beside it. `exchanges`: of `exchange.KINDS`, from the first request of its decision to the end of that
    decision or the cursor.
    """

    request: Entry
    previous: Entry | None = None
    state: State | None = None
    earlier: int | None = None
    later: int | None = None
    exchanges: Sequence[Entry] = ()

    @property
    def sent(self) -> e.PlanRequested:
        return _requested(self.request)

    @property
    def before(self) -> e.PlanRequested | None:
        return _requested(self.previous) if self.previous is not None else None


def _requested(entry: Entry) -> e.PlanRequested:
    assert isinstance(entry.recorded.event, e.PlanRequested)
    return entry.recorded.event
