"""Each change in the life of a plan: asked for, proposed, refused, invalidated, run to its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from backend.domain.episode.events import (
    PlanCompleted,
    PlanInvalidated,
    PlanProposed,
    PlanRefused,
    PlanRequested,
)
from backend.persistence.codec import json_text
from backend.persistence.projections.row import Passage, Row, Values, row
from backend.persistence.tables.plans import plans

_EMPTY: Values = {
    "number": None, "author": None, "steps": None, "rationale": None, "digest": None, "based_on_seq": None,
    "target": None, "dependencies": None, "findings": None, "cause": None, "message": "",
}  # fmt: skip


def rows(passage: Passage) -> Iterator[Row]:
    change = _change(passage.recorded.event)
    if change is not None:
        yield row(plans, {**passage.anchor, **_EMPTY, **change})


def _change(event: Any) -> Values | None:
    if isinstance(event, PlanRequested):
        return {"change": "requested", "cause": json_text(event.cause), "message": event.cause.message}
    if isinstance(event, PlanProposed):
        plan = event.plan
        return {
            "change": "proposed",
            "number": plan.number,
            "author": plan.author,
            "steps": json_text(plan.steps),
            "rationale": plan.rationale,
            "digest": plan.digest,
            "based_on_seq": plan.based_on_seq,
            "target": plan.target,
            "dependencies": json_text(plan.dependencies),
        }
    if isinstance(event, PlanRefused):
        return {
            "change": "refused",
            "steps": json_text(event.steps),
            "findings": json_text(event.findings),
            "message": event.failure,
        }
    if isinstance(event, PlanInvalidated):
        return {
            "change": "invalidated",
            "number": event.number,
            "cause": json_text(event.cause),
            "message": event.cause.message,
        }
    if isinstance(event, PlanCompleted):
        return {"change": "completed", "number": event.number}
    return None
