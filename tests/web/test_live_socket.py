"""The live socket of a tab, with the runner's real socket behind it: told, resumed, and healed when the
runner goes."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from backend.domain.decide import conning
from backend.persistence.leases import claim
from backend.persistence.reader import SqlReader
from backend.persistence.sessions import SqlAccounts
from backend.processes.feed import Feed
from backend.web.live import watch
from backend.web.routes import live as route
from tests.web.stand import HX, ORIGIN, Played, Stand

ROBOT = {
    "name": "rover",
    "pose": {"x_m": 3.0, "y_m": 2.0, "yaw_rad": 0.0, "frame_id": "map"},
    "speed_m_s": 0.5,
    "gripper": {"open": False, "held": "can_01"},
    "battery": 0.71,
    "doing": "navigate",
}


@contextmanager
def runner(stand: Stand, **more: Any) -> Iterator[tuple[Played, Feed, list[int]]]:
    """An episode with its runner's socket; the list counts nudges."""
    nudges: list[int] = []
    known: list[Played] = []

    def ages() -> tuple[int, float, dict[str, float | None]]:
        state = known[0].state if known else None
        return (
            (state.seq if state else 0),
            0.0,
            {"runner": 0.0, "robot:rover": 0.2, "source:drone": 4.0, "planner": 1.0},
        )

    episode = stand.ordered()
    feed = Feed(episode, lambda: nudges.append(1), ages)
    played = stand.play("s-6", episode=episode, feed=feed, **more)
    known.append(played)
    try:
        yield played.until(lambda state: state.approval is not None), feed, nudges
    finally:
        feed.close()


@contextmanager
def tab(client: TestClient, episode: str, after: int = 0) -> Iterator[WebSocketTestSession]:
    path = f"/live?episode={episode}&after={after}"
    with client.websocket_connect(path, headers={"origin": ORIGIN}) as socket:
        yield socket


def until(
    socket: WebSocketTestSession, wanted: Callable[[dict[str, Any]], bool], most: int = 400
) -> dict[str, Any]:
    for _ in range(most):
        message = json.loads(socket.receive_text())
        if wanted(message):
            return message
    raise AssertionError("it was never told")


def is_event(message: dict[str, Any]) -> bool:
    return message["type"] == "event"


def is_granted(message: dict[str, Any]) -> bool:
    return is_event(message) and message["body"]["kind"] == "approval.granted"


def test_a_tab_is_told_what_it_missed_and_then_what_happens(stand: Stand, client: TestClient) -> None:
    with runner(stand) as (played, _, _), tab(client, played.episode, after=3) as socket:
        head = played.state.seq
        missed = [until(socket, is_event) for _ in range(head - 3)]
        assert [message["seq"] for message in missed] == list(range(4, head + 1))
        entries = SqlReader(stand.engine).events(played.episode, after=3, limit=None)
        assert [message["body"]["kind"] for message in missed] == [entry.kind for entry in entries]
        assert all("audit" in message["body"]["panels"] for message in missed)
        with played.running():
            approve(client, played)
            news = until(socket, is_granted)
        assert news["seq"] > head
        assert news["episode"] == played.episode


def test_a_tab_that_was_away_for_long_fetches_everything(
    stand: Stand, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "RESUMED", 5)
    with runner(stand) as (played, _, _), tab(client, played.episode, after=1) as socket:
        assert until(socket, is_event)["seq"] == played.state.seq


def test_a_tab_up_to_date_is_told_nothing_old(stand: Stand, client: TestClient) -> None:
    with runner(stand) as (played, _, _), tab(client, played.episode, after=played.state.seq) as socket:
        assert json.loads(socket.receive_text())["type"] == "age"


def test_a_frame_of_bytes_is_as_good_a_sign_of_life_as_text(stand: Stand, client: TestClient) -> None:
    with runner(stand) as (played, _, _), tab(client, played.episode, after=played.state.seq) as socket:
        socket.send_bytes(b"\x00\xff")
        for _ in range(3):
            until(socket, lambda message: message["type"] == "age")


@pytest.mark.parametrize(
    "after",
    [-1, "x", "", "1.5", 10**40],
    ids=["before the first", "no number", "empty", "no whole", "past any"],
)
def test_a_seq_that_cannot_be_is_closed_with_its_code_and_said(
    stand: Stand, client: TestClient, after: Any
) -> None:
    with tab(client, stand.ordered(), after=after) as socket:
        closed = socket.receive()
    assert closed["code"] == 4400
    assert "after is the seq of an event" in closed["reason"]


def test_a_page_that_shows_what_has_not_happened_is_to_begin_anew(stand: Stand, client: TestClient) -> None:
    played = stand.play("s-6").until(lambda state: state.approval is not None)
    with tab(client, played.episode, after=played.state.seq + 1) as socket:
        closed = socket.receive()
    assert closed["code"] == 4412
    assert str(played.state.seq) in closed["reason"]


def test_telemetry_and_ages_come_as_the_page_writes_them(stand: Stand, client: TestClient) -> None:
    with runner(stand) as (played, feed, _), tab(client, played.episode, after=played.state.seq) as socket:
        feed.telemetry(12.0, [ROBOT])
        body = until(socket, lambda message: message["type"] == "telemetry")["body"]
        assert body["readings"] == {
            "pose": "3.00, 2.00 m",
            "heading": "000°",
            "speed": "0.50 m/s",
            "gripper": "Holds can_01",
            "battery": "71 %",
        }
        ages = until(
            socket, lambda message: message["type"] == "age" and "robot:rover" in message["body"]["ages_s"]
        )
        assert ages["body"]["ages_s"]["server"] == 0.0
        assert ages["body"]["ages_s"]["planner"] is None
        assert 0.2 <= ages["body"]["ages_s"]["robot:rover"] < 3
        assert "runner" not in ages["body"]["ages_s"]
        assert abs(ages["body"]["server_ms"] / 1000 - time.time()) < 10


def test_a_command_wakes_the_runner(stand: Stand, client: TestClient) -> None:
    with runner(stand) as (played, _, nudges), tab(client, played.episode, played.state.seq) as socket:
        until(socket, lambda message: "robot:rover" in message["body"].get("ages_s", {}))
        with played.running():
            approve(client, played)
        assert nudges


def test_when_the_runner_dies_the_database_tells(stand: Stand, client: TestClient) -> None:
    with runner(stand) as (played, feed, _), tab(client, played.episode, played.state.seq) as socket:
        until(socket, lambda message: "robot:rover" in message["body"].get("ages_s", {}))
        feed.close()
        with played.running():
            approve(client, played)
            until(socket, is_granted)


def test_a_runner_that_comes_back_elsewhere_is_found(stand: Stand, client: TestClient) -> None:
    with runner(stand) as (played, feed, _), tab(client, played.episode, played.state.seq) as socket:
        until(socket, lambda message: "robot:rover" in message["body"].get("ages_s", {}))
        feed.close()
        again = Feed(played.episode, lambda: None, lambda: (played.state.seq, 0.0, {}))
        try:
            claim(stand.engine, played.episode, [], "runner", address=again.address, ttl_s=60.0)
            again.telemetry(30.0, [ROBOT])
            assert until(socket, lambda message: message["type"] == "telemetry")["met_s"] == 30.0
        finally:
            again.close()


def test_without_a_runner_s_socket_the_database_tells(stand: Stand, client: TestClient) -> None:
    played = stand.play("s-6").until(lambda state: state.approval is not None)
    with tab(client, played.episode, played.state.seq) as socket, played.running():
        approve(client, played)
        assert until(socket, is_event)["episode"] == played.episode


def test_who_has_the_conn_and_answers_keeps_it(
    stand: Stand, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "RENEW_BEFORE_S", 60.0)
    monkeypatch.setattr(route, "RENEW_EVERY_S", 0.0)
    monkeypatch.setattr(conning, "RENEWED_EVERY_S", 0.0)
    played = stand.play("s-6").until(lambda state: state.approval is not None)
    with played.running():
        client.post(f"/episodes/{played.episode}/conn", data={"action": "take"}, headers=HX)
        before = played.state.conn
        with tab(client, played.episode, played.state.seq) as socket:
            socket.send_text('{"type": "pong"}')
            until(socket, lambda message: is_event(message) and message["body"]["kind"] == "conn.renewed")
        assert before is not None
        assert played.state.conn.expires_s > before.expires_s  # type: ignore[union-attr]


def test_who_has_not_the_conn_gets_none_by_answering(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "RENEW_EVERY_S", 0.0)
    played = stand.play("s-6").until(lambda state: state.approval is not None)
    with (
        stand.client("watcher") as client,
        played.running(),
        tab(client, played.episode, played.state.seq) as socket,
    ):
        socket.send_text("anything at all")
        socket.send_text('{"type": "pong"}')
        until(socket, lambda message: message["type"] == "age")
    assert played.state.conn is None


@pytest.mark.parametrize(
    ("path", "code"), [("/live?episode=nobody&after=0", 4404)], ids=["an unknown episode"]
)
def test_what_cannot_be_followed_is_closed_with_its_code(client: TestClient, path: str, code: int) -> None:
    with client.websocket_connect(path, headers={"origin": ORIGIN}) as socket:
        assert socket.receive()["code"] == code


def test_an_episode_that_has_not_begun_is_to_be_tried_again(stand: Stand, client: TestClient) -> None:
    with tab(client, stand.ordered()) as socket:
        assert socket.receive()["code"] == 1013


def test_a_session_that_ends_ends_its_sockets(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "LOOK_AT_SESSION_S", 0.05)
    played = stand.play("s-6").until(lambda state: state.approval is not None)
    with stand.client() as client, tab(client, played.episode, played.state.seq) as socket:
        SqlAccounts(stand.engine).end_session(client.cookies["qd_session"])
        for _ in range(100):
            message = socket.receive()
            if message["type"] == "websocket.close":
                break
        assert message["code"] == 4401


def approve(client: TestClient, played: Played) -> None:
    asked = played.state.approval
    assert asked is not None
    form = {"plan_digest": asked.pins.plan_digest, "pins_digest": asked.pins_digest}
    answer = client.post(f"/episodes/{played.episode}/approvals/{asked.id}/grant", data=form, headers=HX)
    assert answer.status_code == 200, answer.text
