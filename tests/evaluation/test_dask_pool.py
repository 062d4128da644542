"""A sweep on a Dask cluster: the same results, a dead worker survived, a dead scheduler told plainly."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from backend.evaluation.bare import play
from backend.evaluation.dask_pool import DaskPool
from backend.evaluation.errors import SchedulerLost
from backend.evaluation.pools import WAITING_A_SLOT
from backend.evaluation.sweep import Sweep
from backend.rig import grid_rig
from backend.usecases.results_in_memory import MemoryResults
from tests.evaluation.rigs import Deadly
from tests.evaluation.test_sweep import ARMS, started

# Scheduler and worker in one process, so that one kill ends both.
MORTAL = """
import time
from distributed import LocalCluster
cluster = LocalCluster(
    processes=False, protocol="tcp", host="127.0.0.1", n_workers=1, threads_per_worker=1,
    dashboard_address=None,
)
print(cluster.scheduler_address, flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
    )
    yield cluster
    cluster.close()


def test_a_worker_that_dies_on_the_cluster_loses_nothing(cluster: LocalCluster, tmp_path: Path) -> None:
    results = MemoryResults()
    run = started(results)
    pool = DaskPool(cluster.scheduler_address, monotonic=time.monotonic)
    deadly = Deadly(tmp_path, seed=3)

    Sweep(run, results, pool, deadly, monotonic=time.monotonic).play()
    pool.leave()

    assert pool.room == 2 * WAITING_A_SLOT
    assert deadly.deaths() == 1
    assert list(results.episodes(run.id)) == [
        play(arm, seed, grid_rig, index) for index, arm in enumerate(ARMS) for seed in range(25)
    ]


def test_an_address_where_nobody_answers_is_told_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.evaluation.dask_pool.CONNECT_S", 0.5)

    with pytest.raises(SchedulerLost, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9\. Check"):
        DaskPool("tcp://127.0.0.1:9", monotonic=time.monotonic)


@pytest.mark.parametrize("address", ["nonsense://x", "tcp://", "a b c", "tcp://host:port", "127.0.0.1:9"])
def test_an_address_that_is_none_is_told_plainly(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.evaluation.dask_pool.CONNECT_S", 0.5)

    with pytest.raises(SchedulerLost, match="No Dask scheduler answers at"):
        DaskPool(address, monotonic=time.monotonic)


def test_a_scheduler_that_dies_ends_the_sweep_with_the_rest_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.evaluation.dask_pool.CONNECT_S", 0.5)
    mortal = subprocess.Popen([sys.executable, "-c", MORTAL], stdout=subprocess.PIPE, text=True)
    assert mortal.stdout is not None
    results = MemoryResults()
    run = started(results, seeds=200)
    pool = DaskPool(mortal.stdout.readline().strip(), monotonic=time.monotonic)

    def progress(done: int, total: int) -> None:
        if done >= 20:
            mortal.kill()

    try:
        with pytest.raises(SchedulerLost, match="No Dask scheduler answers at"):
            Sweep(run, results, pool, grid_rig, monotonic=time.monotonic, progress=progress).play()
    finally:
        pool.leave()
        mortal.kill()
        mortal.communicate()

    assert 20 <= len(list(results.done(run.id))) < run.study.episodes
