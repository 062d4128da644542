"""One line per executed action: asked, then measured."""

from __future__ import annotations

from collections.abc import Iterator

from backend.domain.episode.events import StepEnded
from backend.persistence.codec import json_text
from backend.persistence.projections.row import Passage, Row, row
from backend.persistence.tables.execution import execution_log


def rows(passage: Passage) -> Iterator[Row]:
    event = passage.recorded.event
    if not isinstance(event, StepEnded):
        return
    line, outcome = passage.after.log[-1], event.outcome
    values = {
        "line": line.index,
        "dispatch_id": outcome.dispatch_id,
        "skill": outcome.skill,
        "command": line.command,
        "result": outcome.result.value,
        "reason": outcome.reason,
        "message": outcome.message,
        "started_s": outcome.started_s,
        "ended_s": outcome.ended_s,
        "measured": json_text(outcome.measured),
    }
    yield row(execution_log, {**passage.anchor, **values})
