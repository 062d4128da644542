"""Runners killed around what people command of plan, memory, policy and instructions: each counts once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from backend.domain.command.approval import ApprovalStatus
from backend.domain.episode.state import State
from tests.faults.scene import Kills, Scene, mission_at
from tests.usecases.test_killed_commands import COMMANDS

# A successor's first commit says that it took over, or already that the command counts.
POINTS = "in-commit:1 after-commit:1 in-commit:2"


def test_a_correction_and_an_edited_plan_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_each_counts_once(
        ("a correction", "an edited plan"), "in-commit:1 in-commit:2", tmp_path, monkeypatch
    )


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_command_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    orders = ("other instructions", "a correction", "another policy", "an edited plan", "an approval")
    check_each_counts_once(orders, POINTS, tmp_path, monkeypatch)


def check_each_counts_once(
    orders: Sequence[str], points: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(
        tmp_path / "home", mission_at("recycling-live6", clock="waits", approve="every_plan"), seed=8
    )
    scene.person.is_away = True
    keeper = scene.keeper()
    keeper.start()
    try:
        for index, name in enumerate(orders):
            scene.play(until=is_asked, keeper=keeper)
            keeper.runner.signal(signal.SIGKILL)
            state = scene.state()
            assert state is not None
            make, event = COMMANDS[name]
            scene.person.put(make(state))
            folder = tmp_path / str(index)
            folder.mkdir()
            kills = Kills(points, folder, monkeypatch)
            scene.play(until=counted(scene, event, kills), keeper=keeper, meanwhile=kills.tend)
        scene.person.is_away = False
        scene.play(keeper=keeper)
    finally:
        keeper.end()

    single = [name for name in orders if name != "an approval"]
    assert [(name, count(scene, COMMANDS[name][1])) for name in single] == [(name, 1) for name in single]
    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()
    scene.check_the_record_is_whole()


def is_asked(state: State) -> bool:
    return state.approval is not None and state.approval.status is ApprovalStatus.PENDING


def counted(scene: Scene, event: type, kills: Kills) -> Callable[[State], bool]:
    return lambda _: kills.is_done and count(scene, event) > 0


def count(scene: Scene, event: type) -> int:
    return sum(type(each.event) is event for each in scene.journal())
