"""The state of an episode as a memory that keeps every report would have it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from backend.domain.episode.events import EpisodeOpened, Recorded
from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State


def with_history(events: Sequence[Recorded]) -> State:
    """The fold of `events`, the whole journal up to a moment, with every report kept besides.

    A memory that shows them all reads them; others keep none, since their history never changes a record.
    """
    first, event = events[0], events[0].event
    assert isinstance(event, EpisodeOpened), "a journal begins with episode.opened"
    memory = replace(event.mission.memory, entities="unfiltered")
    keeping = replace(event, mission=replace(event.mission, memory=memory))
    return replace(fold([replace(first, event=keeping), *events[1:]]), mission=event.mission)
