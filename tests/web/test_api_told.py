"""What the API tells beforehand, so that a script can decide as a page lets one decide: all that a yes rests
on, each record's revision, what a correction would set off; and which texts it takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from backend.domain.command.approval import Pins
from backend.domain.command.intents import Action, Approve, Correct, Guide, Propose
from backend.domain.command.writing import refuse_unwritable
from backend.domain.memory.corrections import Reclass
from backend.domain.plans.plan import Step
from backend.web.app import create_app
from backend.web.guard.addresses import has_control
from tests.web.stand import HX, ORIGIN, Played, Stand
from tests.web.test_api import V1, api, command, token

__all__ = ["api"]


@pytest.fixture(scope="module")
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(lambda state: state.approval is not None).running() as played:
        yield played


@pytest.fixture(scope="module")
def headers(stand: Stand) -> dict[str, str]:
    return token(stand)


def test_an_approval_that_waits_shows_all_that_it_pins(
    api: TestClient, played: Played, headers: dict[str, str]
) -> None:
    found = api.get(f"{V1}/approvals", headers=headers).json()["approvals"]
    (mine,) = [each for each in found if each["episode"] == played.episode]

    pins = msgspec.convert(mine["pins"], Pins)
    assert pins.digest == mine["pins_digest"]
    assert pins.fields
    assert mine["policy_digest"] == played.state.policy.digest
    assert (mine["first_step"], mine["last_step"]) == (0, len(mine["steps"]) - 1)
    now = api.get(f"{V1}/episodes/{played.episode}", headers=headers).json()
    assert (now["policy_digest"], now["instructions"]) == (mine["policy_digest"], "")


def test_a_correction_is_rehearsed_then_made_as_rehearsed(
    stand: Stand, api: TestClient, played: Played, headers: dict[str, str]
) -> None:
    approval = played.state.approval
    assert approval is not None
    entity = str(approval.pins.fields[0].entity)
    memory = api.get(f"{V1}/episodes/{played.episode}/memory", headers=headers).json()
    correction = {"type": "move", "entity": entity, "x_m": 0.0, "y_m": 0.0}
    path, before = f"{V1}/episodes/{played.episode}/corrections/rehearsal", played.state.seq

    tried = api.post(path, json={"correction": correction}, headers=token(stand, "watcher", "read")).json()

    assert tried["seen"] == {entity: memory["revisions"][entity]}
    assert f"The pending approval {approval.id} lapses." in tried["says"]
    assert tried["consequences"]["approval"] == approval.id
    assert played.state.seq == before

    hasty = {"correction": correction, "seen": tried["seen"], "blast": "0" * 16}
    assert command(api, played, "correct", hasty, headers)[1]["code"] == "unseen_blast"
    body = {"correction": correction, "seen": tried["seen"], "blast": tried["blast"]}
    assert command(api, played, "correct", body, headers)[0] == 200
    again = command(api, played, "correct", body, headers)
    assert (again[0], again[1]["code"]) == (409, "stale_record")


def test_a_correction_that_may_not_be_made_is_refused_when_it_is_rehearsed(
    api: TestClient, played: Played, headers: dict[str, str]
) -> None:
    path = f"{V1}/episodes/{played.episode}/corrections/rehearsal"
    entity = next(iter(played.state.memory.records))
    said: dict[str, Any] = {"type": "set_status", "entity": entity, "status": "grasped"}

    answer = api.post(path, json={"correction": said}, headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (409, "measured_only")


TEXTS: dict[str, tuple[Action, str]] = {
    "guidance": (Guide(text="Left\x00."), "text"),
    "an escape of a terminal": (Guide(text="\x1b[2J"), "text"),
    "a plan's argument": (
        Propose(steps=(Step("navigate", {"to": "can\x07"}),), seen_seq=1), "steps.0.arguments.to"
    ),
    "a correction": (Correct(correction=Reclass(entity="e", cls="\x85")), "correction.cls"),
    "a record that was seen": (Correct(correction=Reclass(entity="e", cls="c"), seen={"\x00": 1}), "seen"),
    "half a character": (Guide(text="\ud800"), "text"),
}  # fmt: skip


@pytest.mark.parametrize(("action", "field"), TEXTS.values(), ids=TEXTS)
def test_a_control_character_is_no_writing(action: Action, field: str) -> None:
    found = refuse_unwritable(action)

    assert found is not None
    assert found.field == field
    assert found.refusal.message.startswith(f"{field} holds the control character U+")


def test_whatever_a_person_writes_is() -> None:
    assert refuse_unwritable(Guide(text="Mind the gate:\r\n\tüber “rechts” 🤖")) is None
    assert refuse_unwritable(Approve(approval_id="a", plan_digest="p", pins_digest="q")) is None


def test_a_text_that_cannot_be_kept_moves_nothing_and_its_field_is_named(
    stand: Stand, api: TestClient, played: Played, headers: dict[str, str]
) -> None:
    before = played.state.guidance
    status, told = command(api, played, "guide", {"text": "a\x00b"}, headers)
    assert (status, told["code"], told["field"]) == (422, "control_character", "text")
    with stand.client() as client:
        answer = client.post(f"/episodes/{played.episode}/guidance", data={"guidance": "a\x00b"}, headers=HX)
    assert answer.status_code == 422
    assert "holds the control character U+0000" in answer.text
    assert played.state.guidance == before


ADDRESSES = {
    "plain": ("/episodes/e-1", b"tab=memory", False),
    "a text with a line break": ("/episodes/e-1", b"find=a%0D%0Ab", False),
    "NUL in the path": ("/episodes/\x00", b"", True),
    "a line break in the path": ("/episodes/a\nb", b"", True),
    "NUL in the query": ("/episodes", b"search=%00", True),
}


@pytest.mark.parametrize(("path", "query", "refused"), ADDRESSES.values(), ids=ADDRESSES)
def test_an_address_without_control_characters(path: str, query: bytes, refused: bool) -> None:
    assert has_control(path, query) is refused


def test_an_address_with_one_is_refused_in_words(api: TestClient, headers: dict[str, str]) -> None:
    answer = api.get(f"{V1}/episodes/%00", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "control_character")


def test_a_defect_on_the_way_to_the_bridge_takes_nothing_from_a_hold(
    stand: Stand, played: Played, headers: dict[str, str]
) -> None:
    def broken(episode: str, stop_id: str, by: str) -> bool:
        raise ValueError("a defect")

    deps = replace(stand.deps(), stop_directly=broken)
    with TestClient(create_app(deps), base_url=ORIGIN) as api:
        status, told = command(api, played, "hold", {}, headers)

    assert (status, told["applied"], told["bridge"]) == (200, True, "silent")
    assert played.state.is_held


STOPS = {
    "left out": {},
    "the same as a released one": {"stop_id": "mine"},
    "longer than a bridge writes down": {"stop_id": "x" * 1999},
    "empty": {"stop_id": ""},
    "with what is no writing": {"stop_id": "\x00", "reason": "\x1b[2J"},
}


@pytest.mark.parametrize("body", STOPS.values(), ids=STOPS)
def test_every_hold_stops_the_robot_whatever_it_is_called(
    stand: Stand, api: TestClient, played: Played, headers: dict[str, str], body: dict[str, str]
) -> None:
    """A bridge takes a stop of one name once: a second of that name would be on record and stop nothing."""
    keyed = {**headers, "idempotency-key": "always the same"}
    for _ in range(2):
        told_before = len(stand.told)
        status, told = command(api, played, "hold", body, keyed)
        assert (status, told["applied"], told["bridge"]) == (200, True, "standing"), told
        with played.lock:
            assert played.bridge.hello(1).latched, "the bridge holds"
        assert stand.told[told_before:] == [(played.episode, told["stop_id"], "op-1")]
        in_force = [stop.id for stop in played.state.stops]
        assert told["stop_id"] in in_force
        again = command(api, played, "hold", {"stop_id": told["stop_id"]}, headers)[1]
        assert again["stop_id"] == told["stop_id"], "one in force stays the same"
        release_all(api, played, headers)


def release_all(api: TestClient, played: Played, headers: dict[str, str]) -> None:
    deadline_s = time.monotonic() + 60.0
    while played.state.is_held:
        assert time.monotonic() < deadline_s, played.state.stops
        stops = [stop.id for stop in played.state.stops]
        command(api, played, "release", {"stop_ids": stops}, headers)
        played.loop_pause()
