"""What retrieval made of each record at each call to the planner."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import asdict

from backend.domain.episode.events import PlanRequested
from backend.persistence.projections.row import Passage, Row, row
from backend.persistence.tables.memory import retrievals


def rows(passage: Passage) -> Iterator[Row]:
    event = passage.recorded.event
    if isinstance(event, PlanRequested):
        common = {**passage.anchor, "decision": event.decision, "attempt": event.attempt}
        for n, scored in enumerate(event.retrieval.scored):
            yield row(retrievals, {**common, "n": n, **asdict(scored)})
