"""Studies with a live model: whatever ends them, every finished episode is kept, and once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache

import pytest

from backend.evaluation.choices import command_of
from backend.evaluation.errors import PlannerLost, WrongStudy
from backend.evaluation.live_choices import live_study, recorded_study
from backend.evaluation.live_play import Place, Played, play_live
from backend.evaluation.live_players import Asking, Repeating
from backend.evaluation.live_sweep import LiveSweep
from backend.persistence.chain import content_digest
from backend.persistence.errors import StorageFull
from backend.planners.policy import PolicyPlanner
from backend.rig import answering, grid_bridge
from backend.usecases.recordings_in_memory import MemoryRecordings
from backend.usecases.results import Run
from backend.usecases.results_in_memory import MemoryResults

STUDY = live_study("policy", {}, None, 0, 3)
Stopping = Callable[[], bool]


class Store:
    def __init__(self) -> None:
        self.results = MemoryResults()
        self.recordings = MemoryRecordings(self.results)
        self.run = self.results.start(STUDY, "1.0")

    def sweep(self, play: Callable[[int, int, Stopping], Played], workers: int = 1) -> LiveSweep:
        run = self.results.run(self.run.id)
        assert run is not None
        return LiveSweep(run, self.results, self.recordings, play, workers=workers)

    def kept(self) -> list[tuple[int, int]]:
        return sorted(self.results.done(self.run.id))


@cache
def episode(arm: int, seed: int) -> Played:
    place = Place(arm=arm, seed=seed, episode=f"e-{arm}-{seed}", code_version="1.0")
    chosen = STUDY.arms[arm]
    return play_live(place, chosen, grid_bridge(chosen, seed), PolicyPlanner(), content_digest)


def play(arm: int, seed: int, stopping: Stopping) -> Played:
    return episode(arm, seed)


def lost_at(arm: int, seed: int) -> Callable[[int, int, Stopping], Played]:
    def play_until(of: int, at: int, stopping: Stopping) -> Played:
        if (of, at) == (arm, seed):
            raise PlannerLost("The server answered 429.")
        return episode(of, at)

    return play_until


EVERY = [(arm, seed) for arm in (0, 1) for seed in (0, 1, 2)]


@pytest.mark.parametrize("workers", [1, 4])
def test_a_study_is_played_to_its_end(workers: int) -> None:
    store = Store()

    finished = store.sweep(play, workers).play()

    assert finished.finished_utc is not None
    assert store.kept() == EVERY
    assert [(each.arm, each.seed) for each in store.recordings.all(store.run.id)] == EVERY


def test_all_methods_of_a_seed_come_before_the_next_so_that_what_is_left_is_paired() -> None:
    store, order = Store(), []

    def noting(arm: int, seed: int, stopping: Stopping) -> Played:
        order.append((seed, arm))
        return episode(arm, seed)

    store.sweep(noting).play()

    assert order == [(seed, arm) for seed in (0, 1, 2) for arm in (0, 1)]


def test_a_lost_server_ends_the_study_with_the_rest_kept_and_it_goes_on_from_there() -> None:
    store = Store()

    with pytest.raises(PlannerLost, match="429"):
        store.sweep(lost_at(0, 1)).play()
    assert store.kept() == [(0, 0), (1, 0)]

    begun = []

    def counting(arm: int, seed: int, stopping: Stopping) -> Played:
        begun.append((arm, seed))
        return episode(arm, seed)

    assert store.sweep(counting).play().done == 6
    assert sorted(begun) == [(0, 1), (0, 2), (1, 1), (1, 2)]


def test_what_other_workers_finish_meanwhile_is_kept() -> None:
    store, both = Store(), threading.Barrier(2)

    def play_beside(arm: int, seed: int, stopping: Stopping) -> Played:
        both.wait(60)
        if arm == 0:
            raise PlannerLost("gone")
        while not stopping():
            threading.Event().wait(0.01)
        return episode(arm, seed)

    with pytest.raises(PlannerLost):
        store.sweep(play_beside, workers=2).play()

    assert store.kept() == [(1, 0)]


def test_an_interruption_keeps_what_is_finished() -> None:
    store = Store()

    def interrupted(arm: int, seed: int, stopping: Stopping) -> Played:
        if seed == 1:
            raise KeyboardInterrupt
        return episode(arm, seed)

    with pytest.raises(KeyboardInterrupt):
        store.sweep(interrupted).play()

    assert store.kept() == [(0, 0), (1, 0)]


def test_a_full_disk_ends_the_study_and_what_was_stored_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store()
    keep = store.recordings.keep

    def full(run: int, row: object, recording: object, journal: object) -> bool:
        if len(store.kept()) == 3:
            raise StorageFull("The disk is full.")
        return keep(run, row, recording, journal)  # type: ignore[arg-type]

    monkeypatch.setattr(store.recordings, "keep", full)
    with pytest.raises(StorageFull):
        store.sweep(play).play()

    assert store.kept() == [(0, 0), (0, 1), (1, 0)]


def asked(store: Store) -> Run:
    planner = PolicyPlanner()
    asking = Asking(run=store.run, planner=planner, world=grid_bridge, content_digest=content_digest)
    return store.sweep(asking).play()


def test_a_run_from_what_another_recorded_is_the_same_and_keeps_no_second_journal() -> None:
    store = Store()
    source = asked(store)
    study = recorded_study(source, store.recordings, "attention", 1, 2)
    run = store.results.start(study, "2.0")
    repeating = Repeating(
        run=run,
        source=source,
        recordings=store.recordings,
        answering=answering,
        world=grid_bridge,
        content_digest=content_digest,
    )

    LiveSweep(run, store.results, store.recordings, repeating).play()

    then = [each for each in store.recordings.all(source.id) if each.arm == 1 and each.seed in (1, 2)]
    now = list(store.recordings.all(run.id))
    assert [(a.content, a.episode, a.trajectory) for a in then] == [
        (b.content, b.episode, b.trajectory) for b in now
    ]
    assert {arm.asked["from"] for arm in study.arms} == {source.id}


def test_only_what_was_recorded_can_be_had_again() -> None:
    store = Store()
    with pytest.raises(PlannerLost):
        store.sweep(lost_at(0, 1)).play()
    source = store.results.run(store.run.id)
    assert source is not None

    with pytest.raises(WrongStudy, match="has no recorded episode of unfiltered, seed 1"):
        recorded_study(source, store.recordings, None, None, None)
    with pytest.raises(WrongStudy, match="no method in run 1 'oracle'"):
        recorded_study(source, store.recordings, "oracle", None, 1)
    assert recorded_study(source, store.recordings, None, None, 1).seeds == 1


def test_the_command_that_goes_on_with_a_study_is_told() -> None:
    store = Store()
    asked(store)
    live = live_study("openai", {"model": "m", "tokens": 900}, "attention", 3, 2)
    source = store.results.run(store.run.id)
    assert source is not None

    assert command_of(live) == (
        "quarterdeck evaluate planner --planner openai --model m --method attention --seeds 2 --first-seed 3"
        " --tokens 900"
    )
    assert command_of(recorded_study(source, store.recordings, None, None, None)) == (
        "quarterdeck evaluate planner --planner recorded --from 1 --method unfiltered,attention --seeds 3"
    )
