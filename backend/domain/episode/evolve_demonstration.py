"""What the watching of a demonstration leaves in the state."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backend.domain.episode.demonstration_events import (
    DemonstrationAnswered,
    DemonstrationRecorded,
    DemonstrationRefused,
    DemonstrationShown,
)
from backend.domain.episode.state import Request, State
from backend.domain.memory.retrieval import Retrieval
from backend.domain.plans.validity import Cause

WATCHING = Cause(kind="first", message="The demonstration comes before the first plan")


def demonstration_recorded(state: State, event: DemonstrationRecorded, recorded: Any) -> dict[str, Any]:
    return _there(state, film=event.film, viewing=event.viewing)


def demonstration_shown(state: State, event: DemonstrationShown, recorded: Any) -> dict[str, Any]:
    request = Request(
        seq=recorded.seq,
        decision=0,
        attempt=event.asked,
        cause=state.need or WATCHING,
        retrieval=Retrieval(exposed=(), count=0),
        findings=event.findings,
        blocks=event.blocks,
        view=event.view,
    )
    return {"request": request, "need": None, **_there(state, views_asked=event.asked)}


def demonstration_answered(state: State, event: DemonstrationAnswered, recorded: Any) -> dict[str, Any]:
    """What the plan is needed for is asked next, or the next view before it."""
    cause = WATCHING if state.request is None else state.request.cause
    return {"request": None, "need": cause, **_there(state, viewing=event.viewing)}


def demonstration_refused(state: State, event: DemonstrationRefused, recorded: Any) -> dict[str, Any]:
    return {"request": None, "asks_person": "" if event.will_repair else event.failure}


def _there(state: State, **changes: Any) -> dict[str, Any]:
    return {} if state.at_table is None else {"at_table": replace(state.at_table, **changes)}
