"""Which worlds can be had again at a moment, and what is said of those that cannot."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from backend.bridge.simulation import Simulation
from backend.domain.episode.events import EpisodeOpened, EvidenceJudged, Recorded, kind_of
from backend.domain.geometry import Pose
from backend.domain.mission.mission import World
from backend.domain.refusal import Refusal
from backend.experiments.rewinding import refuse_running_on, world_at
from backend.usecases.reading import Entry
from tests.sandbox.recorded_episode import UTC, calls, journal

EVENTS = journal("s-6", 3)
CALL = calls(EVENTS)[2]


def opened(world: World) -> EpisodeOpened:
    event = EVENTS[0].event
    assert isinstance(event, EpisodeOpened)
    return replace(event, mission=replace(event.mission, world=world))


def entries(events: Sequence[Recorded], redacted: int = 0) -> list[Entry]:
    return [
        Entry(
            recorded=each,
            kind=kind_of(each.event),
            version=1,
            utc=UTC,
            payload_digest="",
            redacted="ada: a name" if each.seq == redacted else None,
        )
        for each in events
    ]


@pytest.mark.parametrize(
    ("world", "runners", "evaluated", "says"),
    [
        (World(name="ros", clock="runs"), 1, False, "is a real one"),
        (World(name="grid", scenario="s-6", clock="runs"), 1, False, "clock ran by itself"),
        (World(name="grid", scenario="none"), 1, False, "none that can be run here"),
        (World(name="grid", scenario="s-6"), 2, False, "started 2 times"),
        (World(name="grid", scenario="s-6"), 1, True, "parameters of its own"),
    ],
    ids=["robot", "paced", "unknown", "restarted", "evaluated"],
)
def test_a_world_that_cannot_be_had_again_is_told_before(
    world: World, runners: int, evaluated: bool, says: str
) -> None:
    refusal = refuse_running_on(opened(world), runners, evaluated)

    assert refusal is not None
    assert says in refusal.message
    assert refusal.remedy == "Ask the planner without running on."


def test_the_recorded_world_comes_about_again() -> None:
    assert refuse_running_on(opened(World(name="grid", scenario="s-6")), 1, False) is None
    assert isinstance(world_at(entries(EVENTS), (), CALL.seq), Simulation)


def test_a_tape_of_another_world_is_found_by_its_event() -> None:
    moved = next(i for i, each in enumerate(EVENTS) if isinstance(each.event, EvidenceJudged) and i > 20)
    event = EVENTS[moved].event
    assert isinstance(event, EvidenceJudged)
    other = replace(event, evidence=replace(event.evidence, pose=Pose(0.5, 0.5)))
    events = [*EVENTS[:moved], replace(EVENTS[moved], event=other), *EVENTS[moved + 1 :]]

    found = world_at(entries(events), (), EVENTS[-1].seq)

    assert isinstance(found, Refusal)
    assert "this tape is another world's" in found.message
    assert f"Event {moved + 1}" in found.message


def test_what_was_taken_out_cannot_be_run_again() -> None:
    found = world_at(entries(EVENTS, redacted=CALL.seq - 1), (), CALL.seq)

    assert isinstance(found, Refusal)
    assert f"Texts of event {CALL.seq - 1} were taken out" in found.message
