"""The runner's socket: events in order, the latest telemetry, ages; slow readers are cut off."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from backend.domain.episode.events import GuidanceGiven, Recorded
from backend.processes import feed as feed_module
from backend.processes.feed import Feed
from backend.usecases.live import NUDGE, AgeMessage, EventMessage, LiveMessage, TelemetryMessage, decode_live

PATIENCE_S = 20.0


class Beside:
    """The feed with what it calls: nudges are counted, ages are what the test says."""

    def __init__(self) -> None:
        self.nudged = threading.Event()
        self.seq = 7
        self.feed = Feed(
            "e1", self.nudged.set, lambda: (self.seq, 3.5, {"robot:rover": 0.2, "planner": None})
        )


@pytest.fixture
def beside() -> Iterator[Beside]:
    made = Beside()
    yield made
    made.feed.close()


def events(first: int, last: int) -> list[Recorded]:
    return [
        Recorded(seq=seq, met_s=1.0, actor="operator:mara", event=GuidanceGiven(by="mara", text="x" * 40))
        for seq in range(first, last + 1)
    ]


def robot(x_m: float) -> dict[str, object]:
    return {
        "name": "rover",
        "pose": {"x_m": x_m, "y_m": 0.0, "yaw_rad": 0.0, "frame_id": "map"},
        "speed_m_s": 1.0,
        "gripper": {"open": False, "held": "can_01"},
        "battery": 0.9,
        "doing": "navigate",
    }


def hear(connection: ClientConnection, kind: type[LiveMessage]) -> LiveMessage:
    deadline_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline_s:
        message = decode_live(connection.recv(PATIENCE_S))
        if isinstance(message, kind):
            return message
    raise AssertionError(f"no {kind.__name__} came")


def reader(beside: Beside) -> ClientConnection:
    return connect(beside.feed.address, proxy=None)


def test_a_reader_hears_first_where_the_journal_stands(beside: Beside) -> None:
    with reader(beside) as connection:
        age = hear(connection, AgeMessage)

    assert isinstance(age, AgeMessage)
    assert (age.episode, age.met_s, age.body.seq) == ("e1", 3.5, 7)
    assert age.body.ages_s == {"robot:rover": 0.2, "planner": None}


def test_committed_events_come_in_order_to_every_reader(beside: Beside) -> None:
    with reader(beside) as one, reader(beside) as other:
        hear(one, AgeMessage)
        hear(other, AgeMessage)
        beside.feed.events(events(8, 57))

        for connection in (one, other):
            heard = [hear(connection, EventMessage) for _ in range(50)]
            assert [message.seq for message in heard] == list(range(8, 58))
            assert {(m.body.kind, m.body.actor) for m in heard} == {("guidance.given", "operator:mara")}


def test_of_telemetry_only_the_latest_counts(beside: Beside) -> None:
    with reader(beside) as connection:
        hear(connection, AgeMessage)
        for step in range(1000):
            beside.feed.telemetry(step / 10, [robot(float(step))])
        heard = []
        while not heard or heard[-1].body.x_m != 999.0:
            message = hear(connection, TelemetryMessage)
            assert isinstance(message, TelemetryMessage)
            heard.append(message)

    assert len(heard) < 50
    assert (heard[-1].stream, heard[-1].body.held, heard[-1].body.gripper_open) == ("rover", "can_01", False)


def test_a_late_reader_is_told_where_each_robot_is(beside: Beside) -> None:
    beside.feed.telemetry(1.0, [robot(4.0)])
    with reader(beside) as connection:
        message = hear(connection, TelemetryMessage)

    assert isinstance(message, TelemetryMessage)
    assert message.body.x_m == 4.0


def test_ages_come_once_a_second(beside: Beside) -> None:
    with reader(beside) as connection:
        hear(connection, AgeMessage)
        beside.seq = 8
        assert hear(connection, AgeMessage).body.seq == 8


def test_a_nudge_wakes_the_runner(beside: Beside) -> None:
    with reader(beside) as connection:
        connection.send(NUDGE)
        assert beside.nudged.wait(PATIENCE_S)


def test_a_message_is_plain_json_with_its_type(beside: Beside) -> None:
    with reader(beside) as connection:
        raw = json.loads(connection.recv(PATIENCE_S))

    assert list(raw) == ["type", "episode", "stream", "met_s", "body"]


def test_a_reader_that_is_too_slow_is_cut_off_and_the_feed_goes_on(
    beside: Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "PATIENCE", 5)
    with connect(beside.feed.address, proxy=None, max_queue=1) as slow:
        hear(slow, AgeMessage)
        for first in range(8, 60_000, 500):
            beside.feed.events(events(first, first + 499))
        assert cut_off(slow)
    with reader(beside) as another:
        assert hear(another, AgeMessage)


def cut_off(connection: ClientConnection) -> bool:
    """Reads what is there; False where the line is still open after that."""
    try:
        while True:
            connection.recv(PATIENCE_S)
    except ConnectionClosed:
        return True
    except TimeoutError:
        return False


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [("/", {}, 404), ("/guess", {}, 404), ("", {"Origin": "https://elsewhere.example"}, 403)],
    ids=["no secret", "another path", "a browser's page"],
)
def test_strangers_are_refused(beside: Beside, path: str, headers: dict[str, str], status: int) -> None:
    root, _, secret = beside.feed.address.rpartition("/")
    address = root + path if path else f"{root}/{secret}"

    with pytest.raises(InvalidStatus) as refused, connect(address, additional_headers=headers, proxy=None):
        pass

    assert refused.value.response.status_code == status
