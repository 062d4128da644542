"""What every store of recordings does, in memory and on either database: kept with its result or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine

from backend.domain.episode.events import EpisodeOpened, Recorded
from backend.evaluation.arms import arm
from backend.evaluation.bare import play, play_whole
from backend.evaluation.trajectory import trajectory_of
from backend.persistence.chain import content_digest
from backend.persistence.heads import runnerless
from backend.persistence.reader import SqlReader
from backend.persistence.recordings import DatabaseRecordings
from backend.persistence.results import DatabaseResults
from backend.rig import grid_rig
from backend.usecases.recordings import Recording, Recordings
from backend.usecases.recordings_in_memory import MemoryRecordings
from backend.usecases.results import EpisodeResult, Results, Study
from backend.usecases.results_in_memory import MemoryResults

ARM = arm("live-6", "attention")
STUDY = Study(kind="planner", name="live-6", arms=(ARM, arm("live-6", "unfiltered")), first_seed=0, seeds=3)


@dataclass
class Store:
    results: Results
    recordings: Recordings
    run: int
    engine: Engine | None = None


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "memory":
        results = MemoryResults()
        yield Store(results, MemoryRecordings(results), results.start(STUDY, "1.0").id)
    else:
        engine = request.getfixturevalue(f"{request.param}_engine")
        kept = DatabaseResults(engine)
        yield Store(kept, DatabaseRecordings(engine), kept.start(STUDY, "1.0").id, engine)


def played(store: Store, seed: int) -> tuple[EpisodeResult, Recording, Sequence[Recorded]]:
    episode = f"live-6-attention-run-{store.run}-seed-{seed}"
    _, events = play_whole(ARM, seed, grid_rig)
    opened = events[0]
    assert isinstance(opened.event, EpisodeOpened)
    journal = [replace(opened, event=replace(opened.event, episode=episode)), *events[1:]]
    content = content_digest(episode, journal)
    drawn = trajectory_of(journal)
    recording = Recording(arm=0, seed=seed, episode=episode, content=content, trajectory=drawn)
    return play(ARM, seed, grid_rig), recording, journal


def test_result_recording_and_journal_come_back_whole(store: Store) -> None:
    row, recording, journal = played(store, 1)

    assert store.recordings.keep(store.run, row, recording, journal)

    assert list(store.results.episodes(store.run)) == [row]
    assert store.recordings.one(store.run, 0, 1) == recording
    assert list(store.recordings.journal(recording.episode)) == list(journal)


def test_an_episode_is_kept_once_and_the_first_stays(store: Store) -> None:
    row, recording, journal = played(store, 1)
    store.recordings.keep(store.run, row, recording, journal)

    assert not store.recordings.keep(store.run, row, replace(recording, content="other"), journal)
    assert store.recordings.one(store.run, 0, 1) == recording


def test_recordings_are_listed_in_order_and_runs_do_not_mix(store: Store) -> None:
    for seed in (2, 0):
        store.recordings.keep(store.run, *played(store, seed))
    other = store.results.start(STUDY, "1.0").id

    assert [(each.arm, each.seed) for each in store.recordings.all(store.run)] == [(0, 0), (0, 2)]
    assert list(store.recordings.all(other)) == []
    assert store.recordings.one(store.run, 1, 0) is None


def test_a_re_run_refers_to_the_journal_that_is_there(store: Store) -> None:
    row, recording, journal = played(store, 0)
    store.recordings.keep(store.run, row, recording, journal)
    again = store.results.start(STUDY, "1.0").id

    assert store.recordings.keep(again, row, recording, ())
    assert store.recordings.one(again, 0, 0) == recording


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_the_journal_is_an_episode_of_the_console_that_nobody_runs(
    kind: str, request: pytest.FixtureRequest
) -> None:
    engine = request.getfixturevalue(f"{kind}_engine")
    results, recordings = DatabaseResults(engine), DatabaseRecordings(engine)
    store = Store(results, recordings, results.start(STUDY, "1.0").id)
    row, recording, journal = played(store, 2)

    recordings.keep(store.run, row, recording, journal)

    reader = SqlReader(engine)
    summary = reader.episode(recording.episode)
    assert (summary.outcome, summary.seq, summary.ordered_by) == (
        "completed",
        len(journal),
        f"evaluation run {store.run}",
    )
    assert summary.content == recording.content
    assert reader.verify(recording.episode) == []
    assert recording.episode not in [order.episode for order in runnerless(engine)]
