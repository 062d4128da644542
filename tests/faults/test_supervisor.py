"""The supervisor by itself: what is ordered is run, what hangs is replaced, what has ended is let go."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from backend.domain.episode.events import RunnerStarted
from backend.persistence.heads import order_episode
from backend.processes import supervisor as supervisor_module
from backend.processes.child import Child
from backend.processes.exits import Exit
from backend.processes.keeper import KeptElsewhere
from backend.processes.supervisor import Supervisor
from tests.faults.scene import PATIENCE_S, Scene, mission_at


def started(scene: Scene) -> int:
    return sum(isinstance(each.event, RunnerStarted) for each in scene.journal())


def test_a_runner_that_lives_and_holds_nothing_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(tmp_path / "home", mission_at("recycling-s6", clock="runs", tick_s=0.2), lease_s=3.0)
    supervisor = Supervisor(scene.settings, scene.engine, None, logs=scene.logs)
    deadline_s = time.monotonic() + PATIENCE_S
    frozen: list[int] = []

    def is_over() -> bool:
        assert time.monotonic() < deadline_s, scene.told()
        if not frozen and started(scene) == 1:
            runner = supervisor._keepers[scene.episode].runner
            assert runner.pid is not None
            frozen.append(runner.pid)
            runner.signal(signal.SIGSTOP)
            # Not before and not after: a runner that is starting is given all the time it takes.
            monkeypatch.setattr(supervisor_module, "STARTING_S", 0.0)
        elif frozen and supervisor._keepers[scene.episode].runner.pid != frozen[0]:
            monkeypatch.undo()
        return started(scene) == 2

    supervisor.run(is_over)

    assert supervisor._keepers == {}
    assert scene.summary().held_by == "", "the lease is given back in the end"
    scene.keeper().end()


def test_an_episode_that_has_ended_is_let_go_and_never_taken_up_again(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "home", mission_at("recycling-s6", clock="waits"))
    supervisor = Supervisor(scene.settings, scene.engine, None, logs=scene.logs)
    deadline_s = time.monotonic() + PATIENCE_S
    rounds_after: list[int] = []

    def is_over() -> bool:
        assert time.monotonic() < deadline_s, scene.told()
        if scene.summary().outcome is not None and not supervisor._keepers:
            rounds_after.append(1)
        return len(rounds_after) > 15

    supervisor.run(is_over)

    assert started(scene) == 1
    scene.check_all_delivered()


def test_an_episode_is_kept_by_one_process_only(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "home", mission_at("recycling-s6", clock="waits"))
    keeper = scene.keeper()
    try:
        with pytest.raises(KeptElsewhere, match=r"Another Quarterdeck \(process \d+\) keeps episode e1"):
            scene.keeper()
    finally:
        keeper.end()


def test_a_runner_that_breaks_at_once_every_time_is_told_as_broken(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "home", mission_at("recycling-s6", clock="waits"))
    keeper = scene.keeper()
    last_words = 'print(\'{"message": "KeyError: cell"}\'); raise SystemExit(70)'
    keeper.runner = Child("runner e1", [sys.executable, "-c", last_words], {})
    deadline_s = time.monotonic() + PATIENCE_S
    try:
        keeper.start()
        while (code := keeper.tend()) is None:
            assert time.monotonic() < deadline_s
            time.sleep(0.01)
    finally:
        keeper.end()
    assert code is Exit.BROKE
    assert keeper.message == "The runner broke 5 times in a row: KeyError: cell"


def test_an_order_that_cannot_be_read_is_told_and_passed_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scene = Scene(tmp_path / "home", mission_at("recycling-s6", clock="waits"))
    order_episode(scene.engine, "odd", {"mission": "none of ours"}, "mara")
    supervisor = Supervisor(scene.settings, scene.engine, None, logs=scene.logs)
    deadline_s = time.monotonic() + PATIENCE_S

    supervisor.run(lambda: time.monotonic() > deadline_s or scene.summary().outcome is not None)

    assert scene.summary().outcome == "completed"
    assert "episode odd cannot be run here" in caplog.text
