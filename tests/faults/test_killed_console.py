"""Consoles killed around what people command: it counts once, or never did; and a stop that only the robot
was told of is in the journal all the same."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Abort, TakeConn
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.persistence import accounts, tokens
from backend.persistence.inbox import SqlInbox
from backend.processes.keeper import Keeper
from tests.faults.scene import PATIENCE_S, Scene, mission_at
from tests.usecases.test_killed_commands import COMMANDS


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    scene = Scene(
        tmp_path / "home", mission_at("recycling-live6", clock="waits", approve="every_plan"), seed=8
    )
    accounts.add_user(scene.engine, "mara", "operator", "test")
    scene.person.is_away = True
    return scene


@contextmanager
def playing(scene: Scene) -> Iterator[Keeper]:
    keeper = scene.keeper()
    keeper.start()
    try:
        yield keeper
    finally:
        keeper.end()


def send_to_one_that_dies(scene: Scene, point: str, name: str, body: Any) -> None:
    """A command, to a console that is killed over it at `point`."""
    token = tokens.issue(scene.engine, "mara", "api", 600.0, scopes=("hold", "command"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        number = listening.fileno()
        console = subprocess.Popen(
            [sys.executable, "-m", "backend.processes.web", "--fd", str(number)],
            env={**os.environ, **scene.settings.environment(), "QUARTERDECK_FAILPOINT": point},
            pass_fds=(number,),
            stderr=subprocess.DEVNULL,
        )
        try:
            here = f"http://127.0.0.1:{listening.getsockname()[1]}"
            url = f"{here}/api/v1/episodes/{scene.episode}/commands/{name}"
            headers = {"authorization": f"Bearer {token}", "idempotency-key": f"{point}-{name}"}
            with pytest.raises(httpx2.TransportError):
                httpx2.post(url, json=body, headers=headers, timeout=PATIENCE_S)
            assert console.wait(PATIENCE_S) == -signal.SIGKILL
        finally:
            console.kill()
            console.wait()


def is_asked(state: State) -> bool:
    return state.approval is not None and state.approval.status is ApprovalStatus.PENDING


def approval_of(state: State) -> dict[str, str]:
    assert state.approval is not None
    pins = state.approval.pins
    return {
        "approval_id": state.approval.id,
        "plan_digest": pins.plan_digest,
        "pins_digest": state.approval.pins_digest,
    }


def count(scene: Scene, event: type) -> int:
    return sum(type(each.event) is event for each in scene.journal())


def test_an_approval_counts_once_and_a_hold_is_on_record(scene: Scene) -> None:
    with playing(scene) as keeper:
        scene.play(until=is_asked, keeper=keeper)
        state = scene.state()
        assert state is not None
        send_to_one_that_dies(scene, "after-put", "approve", approval_of(state))
        scene.play(until=lambda state: state.dispatches > 0, keeper=keeper)
        send_to_one_that_dies(scene, "after-tell", "hold", {"reason": "A child"})
        scene.play(until=lambda state: any(stop.confirmed for stop in state.stops), keeper=keeper)
        held = scene.state()
        assert held is not None
        assert [stop.asked_by for stop in held.stops] == ["mara"], "one stop, whichever way it came"
        assert count(scene, e.ApprovalGranted) == 1

        scene.person.put(Abort(stop_id="enough"))
        scene.play(keeper=keeper)
    scene.check_nothing_twice_nothing_unapproved()
    scene.check_the_record_is_whole()


ALL = {
    "take_conn": (lambda _: TakeConn(), e.ConnTaken),
    "correct": COMMANDS["a correction"],
    "edit": COMMANDS["an edited plan"],
    "set_policy": COMMANDS["another policy"],
}


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_command_counts_once_or_never_did(scene: Scene) -> None:
    inbox = SqlInbox(scene.engine, scene.episode)
    with playing(scene) as keeper:
        for name, (make, event) in ALL.items():
            scene.play(until=is_asked, keeper=keeper)
            state = scene.state()
            assert state is not None
            body = {key: value for key, value in msgspec.to_builtins(make(state)).items() if key != "type"}
            before = count(scene, event)
            send_to_one_that_dies(scene, "before-put", name, body)
            assert (count(scene, event), inbox.take()[0]) == (before, ()), name
            send_to_one_that_dies(scene, "after-put", name, body)
            scene.play(until=counted(scene, event, before + 1), keeper=keeper)
        scene.person.is_away = False
        scene.play(keeper=keeper)
    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()


def counted(scene: Scene, event: type, times: int) -> Callable[[State], bool]:
    return lambda _: count(scene, event) == times
