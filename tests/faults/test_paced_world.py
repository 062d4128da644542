"""Where the world's clock runs: a killed runner or bridge is made up for, and a silent one is stopped."""

from __future__ import annotations

import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from backend.bridge.addresses import announce
from backend.bridge.channel import Address
from backend.domain.command.intents import Abort
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Result
from backend.processes import keeper as keeper_module
from backend.processes.keeper import Keeper
from tests.faults.scene import PATIENCE_S, Scene, mission_at
from tests.support.proxy import Line


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path / "home", mission_at("recycling-s6", clock="runs", approve="every-plan"))


def moving(skill: str, dispatches: int = 2) -> Callable[[State], bool]:
    def holds(state: State) -> bool:
        dispatch = state.dispatch
        return dispatch is not None and dispatch.step.skill == skill and state.dispatches >= dispatches

    return holds


def cells_to_go(state: State) -> float:
    assert state.dispatch is not None
    goal, robot = state.dispatch.goal, state.robot.pose
    return 0 if goal is None else abs(goal.x_m - robot.x_m) + abs(goal.y_m - robot.y_m)


def test_a_runner_killed_under_way_is_made_up_for(scene: Scene) -> None:
    keeper = scene.keeper()
    keeper.start()
    try:
        scene.play(until=moving("navigate"), keeper=keeper)
        keeper.runner.signal(signal.SIGKILL)
        scene.play(keeper=keeper)
    finally:
        keeper.end()

    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()
    epochs = [each.event.epoch for each in scene.journal() if isinstance(each.event, e.RunnerStarted)]
    assert epochs == [1, 2]


def test_a_bridge_killed_under_way_stops_holds_and_is_released(scene: Scene) -> None:
    keeper = scene.keeper()
    keeper.start()
    try:
        freeze_bridge_under_way(scene, keeper)
        keeper.bridge.signal(signal.SIGKILL)
        scene.play(keeper=keeper)
    finally:
        keeper.end()

    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()
    events = [each.event for each in scene.journal()]
    assert any(isinstance(event, e.StepEnded) and event.outcome.result is Result.STOPPED for event in events)
    assert any(isinstance(event, e.StopAsked) and event.by.startswith("Bridge:") for event in events)
    assert any(isinstance(event, e.StopReleased) for event in events)


def test_a_frozen_runner_is_stopped_by_the_watchdog(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "home", mission_at("recycling-s6", clock="runs", tick_s=0.7))
    keeper = scene.keeper()
    keeper.start()
    try:
        scene.play(until=lambda state: moving("navigate")(state) and cells_to_go(state) >= 4, keeper=keeper)
        keeper.runner.signal(signal.SIGSTOP)
        wait_until_bridge_latched(scene)
        scene.person.is_away = True
        keeper.runner.signal(signal.SIGCONT)
        scene.play(until=lambda state: any(stop.confirmed for stop in state.stops), keeper=keeper)
        scene.person.put(Abort(stop_id="enough", reason="Seen enough"))
        scene.play(keeper=keeper)
    finally:
        keeper.end()

    scene.check_nothing_twice_nothing_unapproved()
    events = [each.event for each in scene.journal()]
    assert any(isinstance(event, e.StopAsked) and event.by.startswith("Watchdog:") for event in events)
    assert any(isinstance(event, e.StepEnded) and event.outcome.reason == "watchdog" for event in events)
    assert scene.summary().outcome == "aborted"


def test_a_cut_line_is_made_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[Line] = []

    def announce_line(folder: Path, address: Address) -> None:
        host, _, port = address.url.rpartition(":")
        lines.append(Line(int(port)))
        announce(folder, Address(f"{host}:{lines[0].port}", address.token))

    monkeypatch.setattr(keeper_module, "announce", announce_line)
    keeper = scene.keeper()
    keeper.start()
    try:
        for dispatches in (2, 6, 9):
            scene.play(until=moving("navigate", dispatches), keeper=keeper)
            lines[0].cut()
            lines[0].heal()
        scene.play(keeper=keeper)
    finally:
        keeper.end()
        for line in lines:
            line.close()

    assert lines[0].connections >= 4
    assert sum(isinstance(each.event, e.RunnerStarted) for each in scene.journal()) == 1
    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()
    scene.check_the_record_is_whole()


def test_a_lost_ledger_holds_until_a_person_says_what_happened(scene: Scene) -> None:
    keeper = scene.keeper()
    keeper.start()
    try:
        freeze_bridge_under_way(scene, keeper, dispatches=1)
        for part in scene.robot.glob("ledger.sqlite*"):
            part.unlink()
        keeper.bridge.signal(signal.SIGKILL)
        scene.play(keeper=keeper)
    finally:
        keeper.end()

    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()
    events = [each.event for each in scene.journal()]
    [doubt] = [event for event in events if isinstance(event, e.DispatchInDoubt)]
    told = [event.outcome for event in events if isinstance(event, e.StepEnded)]
    assert [o.message for o in told if o.dispatch_id == doubt.dispatch_id] == ["It stands where it started."]
    assert doubt.dispatch_id not in scene.ledger()


def freeze_bridge_under_way(scene: Scene, keeper: Keeper, dispatches: int = 2) -> None:
    """SIGSTOP while the robot moves; where the step had ended meanwhile, the next one."""
    while True:
        scene.play(until=moving("navigate", dispatches), keeper=keeper)
        keeper.bridge.signal(signal.SIGSTOP)
        if count(scene, "dispatch WHERE state = 'running'"):
            return
        keeper.bridge.signal(signal.SIGCONT)


def wait_until_bridge_latched(scene: Scene) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not count(scene, "stop WHERE latched"):
        assert time.monotonic() < deadline_s, "the watchdog did not trip"
        time.sleep(0.05)


def count(scene: Scene, rows: str) -> int:
    """Asks the ledger of a running bridge: the journal cannot know yet."""
    url = f"file:{scene.robot / 'ledger.sqlite'}?mode=ro"
    with closing(sqlite3.connect(url, uri=True)) as ledger:
        return int(ledger.execute(f"SELECT count(*) FROM {rows}").fetchone()[0])
