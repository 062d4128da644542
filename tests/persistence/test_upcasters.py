"""Old payloads pass through each version in turn before they are decoded."""

from __future__ import annotations

import re

import pytest

from backend.domain.episode.events import VERSIONS, Event, kind_of
from backend.persistence import codec
from backend.persistence.codec import decode
from backend.persistence.upcasters import UPCASTERS, NoUpcaster, upcast

SAMPLE = {
    ("note.written", 1): lambda old: {**old, "text": old["body"]},
    ("note.written", 2): lambda old: {**old, "author": old["author"].lower()},
}


def test_each_version_is_passed_in_turn() -> None:
    old = {"type": "note.written", "decision": 1, "author": "POLICY", "body": "x"}

    assert upcast("note.written", 1, old, to=3, upcasters=SAMPLE) == {**old, "text": "x", "author": "policy"}
    assert upcast("note.written", 3, old, to=3, upcasters=SAMPLE) == old


def test_a_missing_step_is_named() -> None:
    with pytest.raises(NoUpcaster, match=re.escape("version 3 of note.written into version 4")):
        upcast("note.written", 1, {"body": "x", "author": ""}, to=4, upcasters=SAMPLE)


def test_a_stored_event_of_an_old_version_is_decoded_as_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "VERSIONS", {"note.written": 3})
    monkeypatch.setattr(
        codec,
        "upcast",
        lambda kind, version, payload, to: upcast(kind, version, payload, to=to, upcasters=SAMPLE),
    )
    payload = '{"type":"note.written","decision":1,"author":"POLICY","body":"x"}'

    event = decode(3, 1.0, "note.written", 1, "planner", payload, None).event

    assert (event.text, event.author) == ("x", "policy")


def test_every_kind_past_version_1_has_its_whole_way_up() -> None:
    kinds = {str(event.__struct_config__.tag) for event in Event.__args__}

    assert set(VERSIONS) <= kinds
    assert {(kind, step) for kind, version in VERSIONS.items() for step in range(1, version)} == set(
        UPCASTERS
    )
    assert kind_of(decode(1, 0.0, "conn.given_up", 1, "x", CONN, None).event) == "conn.given_up"


CONN = '{"type":"conn.given_up","holder":"ada","reason":""}'
