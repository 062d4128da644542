"""An episode of the grid as it was recorded, with each query's text, and its world at any of its calls."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from backend.bridge.simulation import Simulation
from backend.domain.episode.events import Recorded, kind_of
from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State
from backend.domain.memory.configuration import MemoryConfiguration
from backend.evaluation.arms import arm
from backend.evaluation.bare import play_whole
from backend.experiments.rewinding import world_at
from backend.rig import grid_rig
from backend.sandbox.calls import Call, calls_of
from backend.usecases.reading import Entry

UTC = "2026-01-01T00:00:00.000Z"


@lru_cache(maxsize=8)
def journal(
    scenario: str = "s-6", seed: int = 3, memory: MemoryConfiguration | None = None
) -> tuple[Recorded, ...]:
    chosen = arm(scenario, "attention")
    if memory is not None:
        chosen = replace(chosen, memory=memory)
    return tuple(play_whole(chosen, seed, grid_rig, render=True)[1])


def calls(events: tuple[Recorded, ...]) -> tuple[Call, ...]:
    return calls_of(events)


def before(events: tuple[Recorded, ...], call: Call) -> State:
    """Right before the call was asked for."""
    return fold(events[: call.seq - 1])


def world(events: tuple[Recorded, ...], call: Call) -> Simulation:
    entries = [
        Entry(recorded=each, kind=kind_of(each.event), version=1, utc=UTC, payload_digest="")
        for each in events
    ]
    found = world_at(entries, (), call.seq)
    assert isinstance(found, Simulation), found
    return found
