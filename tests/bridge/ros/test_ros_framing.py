"""Frames on the pipe: what goes in comes out, and what is no frame is refused."""

import os
import re
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_bridge.contract import ContractError
from robot_bridge.ros.child.framing import HEAD, MAGIC, FramingError, frames, pack, write_all
from robot_bridge.ros.child.messages import TO_CHILD, TO_PARENT, check
from robot_bridge.ros.child.outbox import Outbox

JSON = st.dictionaries(st.text(max_size=5), st.integers(-5, 5) | st.text(max_size=8) | st.none(), max_size=4)


def through_a_pipe(data: bytes) -> list[tuple[dict[str, Any], bytes]]:
    reading, writing = os.pipe()
    sender = threading.Thread(target=lambda: (write_all(writing, data), os.close(writing)))
    sender.start()
    try:
        return list(frames(reading))
    finally:
        sender.join()
        os.close(reading)


@given(st.lists(st.tuples(JSON, st.binary(max_size=200)), max_size=5))
def test_what_goes_in_comes_out(messages: list[tuple[dict[str, Any], bytes]]) -> None:
    assert through_a_pipe(b"".join(pack(message, blob) for message, blob in messages)) == messages


def test_ten_megabytes_go_through() -> None:
    blob = os.urandom(10_000_000)

    assert through_a_pipe(pack({"kind": "picture"}, blob)) == [({"kind": "picture"}, blob)]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (pack({"a": 1})[:-1], "ended within a frame"),
        (b"QDR1", "ended within a frame"),
        (b"QDR2" + pack({})[4:], "begins with b'QDR2'"),
        (b"hello there, this is no frame", "begins with"),
        (HEAD.pack(MAGIC, 2, 2**31), "says it has"),
        (HEAD.pack(MAGIC, 2, 0) + b"[]", "no JSON object"),
        (HEAD.pack(MAGIC, 3, 0) + b"{a}", "no JSON"),
        (HEAD.pack(MAGIC, 9, 0) + b'{"a":NaN}', "NaN is no JSON number"),
    ],
)
def test_what_is_no_frame_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(FramingError, match=told):
        through_a_pipe(data)


@pytest.mark.parametrize("message", [{"a": float("nan")}, {"a": object()}, {"a": "x" * 5_000_000}])
def test_what_cannot_be_sent_is_refused_before_it_is(message: dict[str, Any]) -> None:
    with pytest.raises(FramingError):
        pack(message)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ({}, "kind"),
        ({"kind": "fly"}, "kind"),
        ({"kind": "goal", "goal_id": "g"}, "goal.skill is missing"),
        ({"kind": "halt", "halt_id": "", "reason": ""}, "halt.halt_id"),
        ({"kind": "beat", "extra": 1}, "beat.extra is unknown"),
    ],
)
def test_each_side_checks_what_it_is_sent(message: dict[str, Any], told: str) -> None:
    with pytest.raises(ContractError, match=re.escape(told)):
        check(message, TO_CHILD)


def test_an_end_says_one_of_the_known_ends() -> None:
    with pytest.raises(ContractError, match=r"ended\.end"):
        check({"kind": "ended", "goal_id": "g", "end": "maybe", "result": {}, "message": ""}, TO_PARENT)


def test_a_parent_that_reads_slowly_gets_the_latest_of_each_stream_and_every_end() -> None:
    reading, writing = os.pipe()
    outbox = Outbox(writing)
    outbox.post("picture", "picture", os.urandom(1_000_000))  # fills the pipe, so that the rest waits
    for number in range(100):
        outbox.post("state", "state", n=number)
        outbox.send("ended", n=number)
    got: list[dict[str, Any]] = []
    reader = threading.Thread(target=lambda: got.extend(message for message, _ in frames(reading)))
    reader.start()

    outbox.flush(30.0)
    os.close(writing)
    reader.join()
    os.close(reading)

    assert [each["n"] for each in got if each["kind"] == "ended"] == list(range(100))
    assert [each["n"] for each in got if each["kind"] == "state"][-1] == 99
    assert len([each for each in got if each["kind"] == "state"]) <= 2
