"""What is known now of an episode, worked out once for each event that its journal has."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.hindsight.belief import Trace
from backend.domain.hindsight.known import Hindsight, hindsight_of
from backend.domain.hindsight.reliance import Misled, misled
from backend.domain.hindsight.truth import Truth
from backend.usecases.reading import Evaluated
from backend.web.chronicle import Chronicles
from backend.web.deps import Deps

NOT_YET = "Where things really are is told once the episode has ended."


class Looked(Struct, frozen=True, kw_only=True):
    """`trace` goes on growing with its episode: what is asked of it is asked up to a seq."""

    trace: Trace
    hindsight: Hindsight
    misled: Misled


class LookingBack:
    """For any number of threads."""

    def __init__(self, deps: Deps, chronicles: Chronicles) -> None:
        self._deps = deps
        self._chronicles = chronicles

    def of(self, episode: str, evaluated: Evaluated | None = None) -> Looked:
        """By the newest event. Raises the store's error for an unknown episode, and NotBegun."""
        return self._chronicles.of(episode).looked_back(lambda trace: self._look(trace, evaluated))

    def _look(self, trace: Trace, evaluated: Evaluated | None) -> Looked:
        assert trace.head is not None, "nothing is looked back at before it has begun"
        assert trace.opened is not None, "a journal begins with episode.opened"
        metric = trace.head.site.metric
        truth = Truth(why_not=NOT_YET)
        if trace.head.ending is not None or evaluated is not None:
            truth = self._deps.truth(trace.opened, trace.handled, evaluated)
        hindsight = hindsight_of(trace, truth, metric)
        return Looked(trace=trace, hindsight=hindsight, misled=misled(trace, hindsight, metric))
