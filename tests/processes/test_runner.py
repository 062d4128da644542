"""A runner in this process: what its feed tells, and a stop that came past it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect

from backend.bridge.addresses import find_bridge
from backend.bridge.direct import stop_directly
from backend.domain.command.intents import Abort
from backend.domain.episode import events as e
from backend.processes.exits import Exit
from backend.processes.runner import Runner
from backend.usecases.live import NUDGE, AgeMessage, EventMessage, LiveMessage, TelemetryMessage, decode_live
from tests.cli.golden import wait_ready
from tests.faults.scene import PATIENCE_S, Scene, mission_at


class Run:
    """A runner on a thread, waiting for the approval of its first plan."""

    def __init__(self, home: Path) -> None:
        mission = mission_at("recycling-s6", clock="runs", tick_s=0.05, approve="every-plan")
        self.scene = Scene(home, mission)
        self.keeper = self.scene.keeper()
        self.keeper.bridge.start()
        wait_ready(self.keeper)
        self.ended: list[Exit] = []
        self.start()
        self.wait_for(lambda: self.has(e.ApprovalRequested))

    def start(self) -> None:
        self.runner = Runner(self.scene.settings, self.scene.episode, "test")
        self.thread = threading.Thread(target=lambda: self.ended.append(self.runner.run()))
        self.thread.start()

    def has(self, kind: type) -> bool:
        return any(isinstance(each.event, kind) for each in self.scene.journal())

    def wait_for(self, condition: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline_s, self.scene.told()
            time.sleep(0.02)

    def close(self) -> None:
        self.runner.stop()
        self.thread.join(PATIENCE_S)
        self.keeper.end()


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    made = Run(tmp_path / "home")
    yield made
    made.close()


def test_its_feed_tells_of_events_robots_and_ages_and_a_nudge_ends_the_waiting(run: Run) -> None:
    heard: dict[type[LiveMessage], LiveMessage] = {}
    with connect(run.scene.summary().address, proxy=None) as feed:
        while {AgeMessage, TelemetryMessage} - heard.keys() or "source:aerial" not in ages(heard):
            message = decode_live(feed.recv(PATIENCE_S))
            heard[type(message)] = message
        run.scene.person.put(Abort(stop_id="enough", reason="Seen enough"))
        feed.send(NUDGE)
        while EventMessage not in heard or event_of(heard).body.kind != "episode.ended":
            message = decode_live(feed.recv(PATIENCE_S))
            heard[type(message)] = message
    run.thread.join(PATIENCE_S)

    assert run.ended == [Exit.OK]
    assert ages(heard).keys() >= {"runner", "planner", "robot:rover", "source:initial", "source:aerial"}
    assert ages(heard)["planner"] is None
    telemetry = heard[TelemetryMessage]
    assert isinstance(telemetry, TelemetryMessage)
    assert telemetry.stream in ("rover", "drone")
    assert event_of(heard).seq == run.scene.summary().seq
    assert run.scene.summary().outcome == "aborted"
    assert run.scene.reader.telemetry(run.scene.episode, 0.0, 1e9, "rover"), "samples are kept, decimated"


def ages(heard: dict[type[LiveMessage], LiveMessage]) -> dict[str, float | None]:
    message = heard.get(AgeMessage)
    return dict(message.body.ages_s) if isinstance(message, AgeMessage) else {}


def event_of(heard: dict[type[LiveMessage], LiveMessage]) -> EventMessage:
    message = heard[EventMessage]
    assert isinstance(message, EventMessage)
    return message


def test_a_stop_that_only_the_bridge_was_told_of_is_held_in_the_journal_too(run: Run) -> None:
    stop_directly(find_bridge(run.scene.robot), "direct-1", "noor")

    run.wait_for(lambda: run.has(e.StopConfirmed))

    [asked] = [each.event for each in run.scene.journal() if isinstance(each.event, e.StopAsked)]
    assert (asked.stop_id, asked.by) == ("direct-1", "noor")


def test_told_to_stop_it_gives_its_lease_back(run: Run) -> None:
    run.runner.stop()
    run.thread.join(PATIENCE_S)

    assert run.ended == [Exit.TOLD_TO_STOP]
    assert run.scene.summary().held_by == ""
    assert run.scene.summary().outcome is None


def test_its_successor_knows_how_long_each_source_has_been_silent(run: Run) -> None:
    """What the map said at the start never comes again, and a drone may be silent: neither is forgotten."""
    run.runner.stop()
    run.thread.join(PATIENCE_S)
    ended_s = time.monotonic()

    run.start()
    run.wait_for(lambda: bool(run.scene.summary().address))
    heard: dict[type[LiveMessage], LiveMessage] = {}
    with connect(run.scene.summary().address, proxy=None) as feed:
        while "robot:rover" not in ages(heard):
            message = decode_live(feed.recv(PATIENCE_S))
            heard[type(message)] = message

    silent_s = ages(heard)["source:initial"]
    assert silent_s is not None
    assert silent_s >= time.monotonic() - ended_s - 0.1
