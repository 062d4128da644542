"""What a bridge sends is checked: what breaks the contract is told and skipped, and the rest goes on."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from backend.bridge.channel import Address
from backend.bridge.link import EVIDENCE_AT_ONCE, LinkBridge
from backend.domain.plans.plan import Step
from backend.usecases.ports import BridgeUnreachable
from robot_bridge.bridge import Bridge
from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.world import GridWorld
from robot_bridge.ledger import MemoryLedger

EVIDENCE = {
    "entity": "can_01",
    "cls": "can",
    "pose": {"x_m": 1.0, "y_m": 2.0, "yaw_rad": 0.0, "frame_id": "map"},
    "confidence": 0.9,
    "source": "aerial",
    "stamp_s": 1.0,
    "sensed_by": "drone",
}
GOOD = {"report": 9, "kind": "evidence", "met_s": 3.0, "evidence": EVIDENCE}
WRONG = {
    "no JSON": "{",
    "no object": "[1, 2]",
    "no number": json.dumps({**GOOD, "report": 1, "met_s": None}),
    "too far away": json.dumps({**GOOD, "report": 1, "met_s": 10**400}),
    "not finite": json.dumps({**GOOD, "report": 1}).replace("3.0", "NaN"),
    "unknown kind": json.dumps({**GOOD, "report": 1, "kind": "rumour"}),
    "unknown field": json.dumps({**GOOD, "report": 1, "colour": "red"}),
    "wrong type": json.dumps({**GOOD, "report": 1, "evidence": {**EVIDENCE, "confidence": "high"}}),
    "unknown source": json.dumps({**GOOD, "report": 1, "evidence": {**EVIDENCE, "source": "gossip"}}),
    "field missing": json.dumps({"report": 1, "kind": "outcome", "met_s": 1.0}),
    "a reply to nothing": json.dumps({"re": 999, "ok": True}),
    "deeply nested": '{"report": 1, "kind": ' + "[" * 5000 + "]" * 5000 + "}",
}


class Scripted:
    """Answers as a bridge does, with the reply to `hello` `changed`, and says `lines` once resumed."""

    def __init__(self, lines: list[str], **changed: Any) -> None:
        self.lines = lines
        self.changed = changed
        self.asked: list[str] = []
        self.say: Callable[[str], None] = lambda line: None
        self.bridge = Bridge(GridWorld(SCENARIOS["s-6"], 1), MemoryLedger(), time.monotonic)
        self.server = serve(self.converse, "127.0.0.1", 0)
        self.address = Address(f"ws://127.0.0.1:{self.server.socket.getsockname()[1]}")
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def converse(self, connection: ServerConnection) -> None:
        self.say = connection.send
        while True:
            try:
                command = json.loads(connection.recv())
            except ConnectionClosed:
                return
            self.asked.append(command["op"])
            reply = self.bridge.handle(command)
            connection.send(json.dumps({**reply, **self.changed} if command["op"] == "hello" else reply))
            if command["op"] == "resume":
                for line in self.lines:
                    connection.send(line)


@pytest.fixture
def started() -> Iterator[list[Any]]:
    """What is to be closed in the end."""
    started: list[Any] = []
    yield started
    for each in started:
        each.close() if isinstance(each, LinkBridge) else each.server.shutdown()


def linked(started: list[Any], lines: list[str], **changed: Any) -> LinkBridge:
    scripted = Scripted(lines, **changed)
    link = LinkBridge(lambda: scripted.address, reply_s=1.0)
    started += [link, scripted]
    return link


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_breaks_the_contract_is_skipped_and_the_next_report_is_heard(
    wrong: str, started: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    link = linked(started, [wrong, json.dumps(GOOD)])
    with caplog.at_level(logging.WARNING):
        link.hello(1)
        heard = []
        deadline_s = time.monotonic() + 20
        while not any(reports.evidence for reports in heard):
            assert time.monotonic() < deadline_s
            heard.append(link.poll())

    [evidence] = [piece for reports in heard for piece in reports.evidence]
    assert (evidence.entity, evidence.confidence) == ("can_01", 0.9)
    assert heard[-1].through == 9


def test_a_skipped_report_has_the_step_in_flight_asked_after_and_is_told(
    started: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    link = linked(started, [WRONG["field missing"], json.dumps(GOOD)])
    with caplog.at_level(logging.WARNING):
        link.hello(1)
        heard = []
        deadline_s = time.monotonic() + 20
        while not any(reports.evidence for reports in heard):
            assert time.monotonic() < deadline_s
            heard.append(link.poll())

    assert any(reports.relinked == () for reports in heard)
    assert "outcome is missing" in caplog.text


def test_a_skipped_report_brings_back_no_stop_that_was_released(started: list[Any]) -> None:
    scripted = Scripted([])
    scripted.bridge.handle({"op": "stop", "id": 1, "stop_id": "s1", "actor": "ada"})
    link = LinkBridge(lambda: scripted.address, reply_s=20.0)
    started += [link, scripted]
    assert link.hello(1).latched == ("s1",)
    link.release(1, "s1")
    scripted.say(WRONG["unknown kind"])
    deadline_s = time.monotonic() + 20
    heard = [link.poll()]
    while heard[-1].relinked is None:
        assert time.monotonic() < deadline_s
        heard.append(link.poll())

    assert heard[-1].relinked == ()


def test_a_new_ledger_in_place_of_a_wiped_one_is_no_witness_that_nothing_was_done(started: list[Any]) -> None:
    scripted = Scripted([])
    link = LinkBridge(lambda: scripted.address, reply_s=20.0)
    started += [link, scripted]
    link.hello(1)
    link.submit(1, "d1", Step(skill="explore", arguments={"cell": (3, 3)}), None, ())
    assert link.status("d1").state == "running"
    ledger = MemoryLedger()
    scripted.bridge = Bridge(GridWorld(SCENARIOS["s-6"], 1), ledger, time.monotonic)
    link._channel.cut()
    deadline_s = time.monotonic() + 20
    while link._hello is None or link._hello.ledger_id != ledger.id or not link.is_open:
        assert time.monotonic() < deadline_s
        time.sleep(0.01)

    status = link.status("d1")

    assert (status.state, status.ledger_intact) == ("unknown", False)
    assert link.status("d2").ledger_intact


def test_a_flood_of_evidence_keeps_no_outcome_waiting_and_is_acknowledged_as_it_goes(
    started: list[Any],
) -> None:
    flood = [
        json.dumps({**GOOD, "report": n, "evidence": {**EVIDENCE, "entity": f"can_{n}"}})
        for n in range(1, EVIDENCE_AT_ONCE + 101)
    ]
    stopped = {
        "report": len(flood) + 1,
        "kind": "stopped",
        "met_s": 3.0,
        "stop_id": "s1",
        "actor": "ada",
        "standstill": True,
        "measured": {"pose": None, "held": None, "gripper_open": None, "path": [], "moves": 0},
    }
    arrived = threading.Event()
    scripted = Scripted([*flood, json.dumps(stopped)], clock="runs", tick_s=1.0)
    link = LinkBridge(lambda: scripted.address, on_news=arrived.set, reply_s=20.0)
    started += [link, scripted]
    link.hello(1)
    deadline_s = time.monotonic() + 20
    while len(link._waiting) <= len(flood) + 1:  # the map of hello is news as well
        assert time.monotonic() < deadline_s
        time.sleep(0.01)
    arrived.clear()

    first = link.poll()
    assert (len(first.evidence), first.through) == (EVIDENCE_AT_ONCE, EVIDENCE_AT_ONCE)
    assert [stop.stop_id for stop in first.stopped] == ["s1"]
    assert arrived.is_set()
    rest = link.poll()
    heard = [piece.entity for piece in (*first.evidence, *rest.evidence)]
    assert heard == [f"can_{n}" for n in range(1, len(flood) + 1)]
    assert (rest.through, rest.stopped) == (len(flood) + 1, ())


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"site": {}}, "site.name is missing"),
        ({"total": -1}, "total is -1"),
        ({"clock": "stops"}, "clock is"),
    ],
    ids=["site", "total", "clock"],
)
def test_a_bridge_that_describes_itself_wrongly_is_not_used(
    changed: dict[str, Any], told: str, started: list[Any]
) -> None:
    link = linked(started, [], **changed)

    with pytest.raises(BridgeUnreachable, match=told):
        link.hello(1)


def test_another_version_of_the_contract_is_told(started: list[Any]) -> None:
    refusal = {
        "code": "contract_version",
        "field": "contract",
        "problem": "is 1, and this bridge speaks 2",
        "remedy": "Run the same version of Quarterdeck on both sides.",
    }
    scripted = Scripted([])
    scripted.bridge.handle = lambda command: {"re": command["id"], "ok": False, "error": refusal}
    link = LinkBridge(lambda: scripted.address, reply_s=1.0)
    started += [link, scripted]

    with pytest.raises(BridgeUnreachable, match="Run the same version of Quarterdeck on both sides"):
        link.hello(1)


def a_map(width: int, cell_m: float = 1.0) -> dict[str, Any]:
    grid = {"width": width, "height": 9, "cell_m": cell_m, "occupied": [[0, 0]]}
    return {"report": 0, "kind": "map", "met_s": 3.0, "map": grid}


def heard_maps(link: LinkBridge) -> list[Any]:
    """Until the evidence that was said after all of them."""
    heard: list[Any] = []
    deadline_s = time.monotonic() + 20
    while not any(reports.evidence for reports in heard):
        assert time.monotonic() < deadline_s
        heard.append(link.poll())
    return [reports.map for reports in heard if reports.map is not None]


def test_the_latest_map_is_given_once_and_hello_s_to_begin_with(started: list[Any]) -> None:
    scripted = Scripted([], clock="runs", tick_s=1.0)
    link = LinkBridge(lambda: scripted.address, reply_s=20.0)
    started += [link, scripted]
    hello = link.hello(1)
    assert link.poll().map == hello.site.map
    for line in (a_map(9), a_map(10), GOOD):
        scripted.say(json.dumps(line))

    heard = heard_maps(link)

    assert heard[-1].width == 10
    assert heard[-1].occupied == ((0, 0),)
    assert len(heard) <= 2
    assert link.poll().map is None


ODD_MAPS = {
    "cells of another size": (a_map(9, 0.5), "map.cell_m is 0.5, and was 1 in hello"),
    "half a cell": ({**a_map(9), "map": {**a_map(9)["map"], "occupied": [[0.5, 0]]}}, "`int`"),
    "too large": (a_map(900_000), "map has 900000 × 9 cells, more than 1,000,000"),
}


@pytest.mark.parametrize(("odd", "told"), ODD_MAPS.values(), ids=ODD_MAPS)
def test_a_map_that_fits_no_site_of_hello_s_is_told_and_skipped(
    odd: dict[str, Any], told: str, started: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    link = linked(started, [json.dumps(odd), json.dumps(GOOD)], clock="runs", tick_s=1.0)
    with caplog.at_level(logging.WARNING):
        hello = link.hello(1)
        heard = heard_maps(link)

    assert {each.width for each in heard} <= {hello.site.map.width}
    assert told in caplog.text


def test_a_world_that_waits_has_one_map(started: list[Any]) -> None:
    link = linked(started, [json.dumps(a_map(10)), json.dumps(GOOD)])
    link.hello(1)

    assert heard_maps(link) == []
