"""Sweeps: whatever breaks, every episode is there in the end, and once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from backend.evaluation.arms import arm
from backend.evaluation.bare import Rig, play
from backend.evaluation.chunks import SEEDS_A_CHUNK, chunks
from backend.evaluation.errors import WorkersLost, WrongStudy
from backend.evaluation.pools import InlinePool, Pool, ProcessPool
from backend.evaluation.sweep import Sweep
from backend.persistence.errors import StorageFull
from backend.rig import grid_rig
from backend.usecases.inline import InlineExecutor
from backend.usecases.ports import Bridge, Planner
from backend.usecases.results import Arm, EpisodeResult, Run, Study
from backend.usecases.results_in_memory import MemoryResults
from tests.evaluation.rigs import Counting, Deadly

ARMS = (arm("s-6", "static"), arm("s-6", "attention"))


def study(seeds: int = 25, first_seed: int = 0) -> Study:
    return Study(kind="memory", name="s-6", arms=ARMS, first_seed=first_seed, seeds=seeds)


def started(results: MemoryResults, seeds: int = 25) -> Run:
    return results.start(study(seeds), "1.0")


def sweep(run: Run, results: MemoryResults, pool: Pool, rig: Rig, **more: Any) -> Sweep:
    return Sweep(run, results, pool, rig, **{"monotonic": lambda: 0.0, **more})


def expected(run: Run) -> list[EpisodeResult]:
    return [
        play(each, seed, grid_rig, index)
        for index, each in enumerate(run.study.arms)
        for seed in range(run.study.first_seed, run.study.first_seed + run.study.seeds)
    ]


@pytest.mark.parametrize("pool", [InlinePool(), ProcessPool(2)], ids=["inline", "processes"])
def test_a_sweep_gives_what_its_episodes_give_alone(pool: Pool) -> None:
    results = MemoryResults()
    run = started(results)

    finished = sweep(run, results, pool, grid_rig).play()

    assert finished.finished_utc is not None
    assert list(results.episodes(run.id)) == expected(run)


def test_all_arms_advance_together() -> None:
    """So that what an interrupted sweep leaves is paired."""
    order = [(chunk.index, chunk.seeds[0]) for chunk in chunks(study(3 * SEEDS_A_CHUNK), ())]

    assert order == [(index, first) for first in (0, 10, 20) for index in (0, 1)]


def test_an_interrupted_sweep_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    results = MemoryResults()
    run = started(results)
    interrupted = sweep(run, results, InlinePool(), grid_rig, progress=_interrupt_at(20))
    with pytest.raises(KeyboardInterrupt):
        interrupted.play()
    found = results.unfinished(run.study, "1.0")
    assert found is not None
    assert 20 <= found.done < 50

    counting = Counting(tmp_path)
    sweep(found, results, InlinePool(), counting).play()

    assert len(counting.begun()) == 50 - found.done
    assert list(results.episodes(run.id)) == expected(run)


def test_a_lost_worker_loses_no_result_and_none_counts_twice(tmp_path: Path) -> None:
    results = MemoryResults()
    run = started(results)
    deadly = Deadly(tmp_path, seed=13)
    told: list[int] = []

    sweep(run, results, ProcessPool(2), deadly, progress=lambda done, total: told.append(done)).play()

    assert deadly.deaths() == 1
    assert list(results.episodes(run.id)) == expected(run)
    assert told[-1] == run.study.episodes
    assert told == sorted(told)


def test_workers_that_keep_dying_end_the_sweep_with_the_rest_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.evaluation.sweep.BREAKS_IN_A_ROW", 1)
    results = MemoryResults()
    run = started(results, seeds=2 * SEEDS_A_CHUNK)
    deadly = Deadly(tmp_path, seed=13, times=99)

    with pytest.raises(WorkersLost, match=r"died 2 times in a row, while playing seeds \d+ to \d+ of s-6"):
        sweep(run, results, ProcessPool(2), deadly).play()

    assert deadly.deaths() >= 2
    assert {seed for _, seed in results.done(run.id)} <= set(range(SEEDS_A_CHUNK))


def test_an_episode_that_cannot_be_played_ends_the_sweep_with_the_rest_kept() -> None:
    def rig(arm: Arm, seed: int) -> tuple[Bridge, Planner]:
        if seed == 17:
            raise WrongStudy("Seed 17 is unlucky.")
        return grid_rig(arm, seed)

    results = MemoryResults()
    run = started(results)

    with pytest.raises(WrongStudy, match="unlucky"):
        sweep(run, results, InlinePool(), rig).play()

    assert {seed for _, seed in results.done(run.id)} >= set(range(SEEDS_A_CHUNK))
    assert run.finished_utc is None


class _FullAfter(MemoryResults):
    """A disk with room for so many additions."""

    def __init__(self, additions: int) -> None:
        super().__init__()
        self._left = additions

    def add(self, run: int, rows: Sequence[EpisodeResult]) -> int:
        if self._left == 0:
            raise StorageFull("The disk is full.", field="home", remedy="Free some space.")
        self._left -= 1
        return super().add(run, rows)


def test_a_full_disk_ends_the_sweep_with_what_was_stored_kept() -> None:
    results = _FullAfter(1)
    run = started(results)
    clock = iter(range(10_000))

    with pytest.raises(StorageFull):
        sweep(run, results, InlinePool(), grid_rig, monotonic=lambda: float(next(clock))).play()

    assert 0 < len(list(results.done(run.id))) < run.study.episodes


class _Backlog(InlinePool):
    """Runs nothing until it is looked at, and remembers how much waited at once."""

    room = 6

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Any]] = []
        self.most = 0

    def open(self) -> Executor:
        return _BacklogExecutor(self)

    def check(self) -> None:
        for future, call in self.waiting:
            future.set_result(call())
        self.waiting.clear()


class _BacklogExecutor(InlineExecutor):
    def __init__(self, pool: _Backlog) -> None:
        self._pool = pool

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._pool.waiting.append((future, lambda: fn(*args, **kwargs)))
        self._pool.most = max(self._pool.most, len(self._pool.waiting))
        return future


def test_few_chunks_wait_however_many_seeds_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.evaluation.sweep.LOOK_EVERY_S", 0.0)
    results, pool = MemoryResults(), _Backlog()
    run = started(results, seeds=10 * SEEDS_A_CHUNK)

    sweep(run, results, pool, grid_rig).play()

    assert pool.most == pool.room
    assert len(list(results.done(run.id))) == run.study.episodes


def _interrupt_at(episodes: int) -> Any:
    def progress(done: int, total: int) -> None:
        if done >= episodes:
            raise KeyboardInterrupt

    return progress
