"""A runner frozen past its lease and woken beside its successor writes nothing and commands nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.domain.episode import events as e
from backend.processes.exits import Exit
from backend.processes.keeper import Keeper
from tests.faults.scene import PATIENCE_S, Scene, mission_at

LEASE_S = 2.0


@pytest.mark.parametrize(
    ("point", "mission"),
    [
        ("before-commit:12", "recycling-s6"),
        ("after-commit:12", "recycling-s6"),
        ("before-submit:3", "recycling-s6"),
        ("before-acknowledge:12", "recycling-s6"),
        ("before-renew:1", "recycling-dn14"),  # long enough for a lease to come up for renewal
    ],
)
def test_it_exits_and_touches_nothing(
    point: str, mission: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen = tmp_path / "frozen"
    scene = Scene(tmp_path / "home", mission_at(mission, clock="waits"), lease_s=LEASE_S)
    keeper = scene.keeper()
    monkeypatch.setenv("QUARTERDECK_FAILPOINT", point)
    monkeypatch.setenv("QUARTERDECK_FAILPOINT_ONCE", str(frozen))
    monkeypatch.setenv("QUARTERDECK_FAILPOINT_SIGNAL", "STOP")
    keeper.bridge.start()
    first = start_runner(scene, "first")
    try:
        wait_for(lambda: frozen.exists() or first.poll() is not None)
        assert frozen.exists(), f"the runner never came to {point}: {scene.told()}"
        successor = start_runner_when_free(scene, keeper)
        started = len(runners(scene))
        os.kill(first.pid, signal.SIGCONT)

        assert first.wait(PATIENCE_S) == Exit.LOST_LEASE
        assert len(runners(scene)) == started == 2
        if successor.wait(PATIENCE_S) != Exit.OK:  # too busy a machine to renew in time
            scene.play(keeper=keeper)
    finally:
        first.kill()
        keeper.end()

    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()
    scene.check_the_record_is_whole()
    commanded_late = [
        each.event.epoch
        for each in scene.journal()
        if isinstance(each.event, e.StepDispatched) and each.seq > runners(scene)[1] and each.event.epoch == 1
    ]
    assert commanded_late == []


def start_runner(scene: Scene, holder: str) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "backend.processes.runner",
        "--episode",
        scene.episode,
        "--holder",
        holder,
    ]
    with (scene.logs / f"{holder}.log").open("ab") as log:
        return subprocess.Popen(
            command, env={**os.environ, **scene.settings.environment()}, stdout=subprocess.DEVNULL, stderr=log
        )


def start_runner_when_free(scene: Scene, keeper: Keeper) -> subprocess.Popen[bytes]:
    """Another holder gets the episode once the lease has run out, and not before."""
    deadline_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline_s:
        successor = start_runner(scene, "successor")
        while successor.poll() is None:
            keeper.bridge.poll()
            if len(runners(scene)) == 2:
                return successor
            time.sleep(0.03)
        assert successor.returncode in (Exit.LEASE_TAKEN, Exit.OK), scene.told()
        if successor.returncode == Exit.OK:
            return successor
    raise AssertionError(f"no successor came: {scene.told()}")


def runners(scene: Scene) -> list[int]:
    """Where runners took the episode up."""
    return [each.seq for each in scene.journal() if isinstance(each.event, e.RunnerStarted)]


def wait_for(condition: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline_s
        time.sleep(0.02)
