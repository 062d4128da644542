"""HOLD, release and abort: two ways to the robot, latched, confirmed by measurement, let go in two steps."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.responses import Response
from starlette.testclient import TestClient

from backend.domain.command.hold import digest_of_stops
from backend.domain.command.intents import Hold, Intent
from backend.domain.command.policy import Policy
from backend.domain.episode.events import StopAsked, StopConfirmed, StopReleased
from backend.persistence.errors import StorageFull
from backend.persistence.reader import SqlReader
from tests.web.html import elements
from tests.web.stand import HERE, HX, Played, Stand


@pytest.fixture
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(lambda state: state.approval is not None).running() as played:
        yield played


def hold(client: TestClient, episode: str, **headers: str) -> Response:
    return client.post(f"/episodes/{episode}/holds", headers={**HX, **headers})


def kinds(stand: Stand, played: Played) -> list[str]:
    return [entry.kind for entry in SqlReader(stand.engine).events(played.episode, limit=None)]


def test_hold_goes_both_ways_and_the_bar_says_what_was_measured(
    stand: Stand, client: TestClient, played: Played
) -> None:
    answer = hold(client, played.episode)
    assert answer.status_code == 200
    [bar] = [element for element in elements(answer.text) if element.get("id") == "bar"]
    assert "HELD" in bar.text or "STOPPING" in bar.text
    [(episode, stop_id, by)] = [told for told in stand.told if told[0] == played.episode]
    assert (episode, by) == (played.episode, "op-1")
    asked = [entry.recorded.event for entry in _of(stand, played, StopAsked)]
    assert [event.stop_id for event in asked] == [stop_id], "one stop, whichever way it came"


def test_anyone_signed_in_may_hold(stand: Stand, played: Played) -> None:
    with stand.client("watcher") as viewer:
        assert hold(viewer, played.episode).status_code == 200
    assert [entry.recorded.event.by for entry in _of(stand, played, StopAsked)] == ["watcher"]


def test_hold_in_the_list_answers_with_its_row(stand: Stand, client: TestClient, played: Played) -> None:
    answer = hold(client, played.episode, **{"hx-target": f"episode-{played.episode}"})
    [row] = [element for element in elements(f"<table>{answer.text}</table>") if element.tag == "tr"]
    assert row.get("id") == f"episode-{played.episode}"
    assert "Held" in row.text or "STOPPING" in row.text


def test_hold_without_scripts(client: TestClient, played: Played) -> None:
    answer = client.post(f"/episodes/{played.episode}/holds", headers=HERE)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/episodes/{played.episode}#plan")


def test_without_a_runner_the_bridge_stops_and_the_hold_stays_asked(stand: Stand) -> None:
    alone = stand.play("s-6").until(lambda state: state.approval is not None)
    with stand.client(settings=replace(stand.settings, stop_within_s=0.2)) as client:
        answer = hold(client, alone.episode)
        assert answer.status_code == 200
        assert "STOPPING" in answer.text
        assert "not confirmed" in answer.text
    assert [told[0] for told in stand.told].count(alone.episode) == 1
    [intent] = alone.inbox.take()[0]
    assert intent.action.stop_id in alone.bridge.hello(1).latched
    alone.tick(3)
    assert [stop.confirmed for stop in alone.state.stops] == [True]


def test_a_deaf_bridge_is_reached_by_the_runner(stand: Stand, client: TestClient, played: Played) -> None:
    stand.bridge_is_deaf = True
    try:
        assert hold(client, played.episode).status_code == 200
    finally:
        stand.bridge_is_deaf = False
    _until(lambda: bool(_of(stand, played, StopConfirmed)))


def test_a_full_disk_does_not_keep_the_robot_moving(stand: Stand, played: Played) -> None:
    class Full:
        def put(self, intent: Any) -> None:
            raise StorageFull("The disk is full.", remedy="Free some space.")

        def take(self) -> Any:
            return (), 0.0

    with stand.client(inbox=lambda _: Full()) as client:
        answer = hold(client, played.episode)
    assert answer.status_code == 424
    assert "The disk is full." in answer.text
    assert "Free some space." in answer.text
    assert [told[0] for told in stand.told].count(played.episode) == 1


def test_release_is_the_second_of_two_steps(stand: Stand, client: TestClient, played: Played) -> None:
    hold(client, played.episode)
    _until(lambda: bool(_of(stand, played, StopConfirmed)))
    [stop] = played.state.stops
    card = client.get(f"/episodes/{played.episode}/plan", headers=HX).text
    assert _button(card, "2 Release").has("disabled")
    shown = digest_of_stops([stop.id])
    armed = client.get(f"/episodes/{played.episode}/plan?cleared={shown}", headers=HX).text
    assert not _button(armed, "2 Release").has("disabled")
    answer = client.post(f"/episodes/{played.episode}/releases", data={"shown": shown}, headers=HX)
    assert answer.status_code == 200
    assert "plan.released" not in kinds(stand, played)
    assert [entry.recorded.event.by for entry in _of(stand, played, StopReleased)] == ["op-1"]
    _until(lambda: played.state.approval is not None and played.state.approval.status.value == "pending")


def test_a_release_of_another_hold_is_refused(stand: Stand, client: TestClient, played: Played) -> None:
    hold(client, played.episode)
    answer = client.post(
        f"/episodes/{played.episode}/releases", data={"shown": digest_of_stops(["stop-old"])}, headers=HX
    )
    assert answer.status_code == 409
    assert "Another hold came since." in answer.text
    assert client.post(f"/episodes/{played.episode}/releases", headers=HX).status_code == 422


def test_each_press_is_a_stop_of_its_own(stand: Stand, client: TestClient, played: Played) -> None:
    for _ in range(3):
        assert hold(client, played.episode).status_code == 200
    assert len({stop.id for stop in played.state.stops}) == 3


def test_more_holds_than_any_form_has_fields_can_be_released(
    stand: Stand, client: TestClient, played: Played
) -> None:
    _, now_s = played.inbox.take()
    for number in range(120):
        held = Hold(stop_id=f"stop-{number:06}-of-somebody")
        played.inbox.put(
            Intent(id=f"{number}", actor="watcher", role="viewer", action=held, not_after_s=now_s + 60)
        )
    _until(lambda: len(played.state.stops) == 120 and all(stop.confirmed for stop in played.state.stops))
    card = client.get(f"/episodes/{played.episode}/plan", headers=HX).text
    [shown] = {each.get("value") for each in elements(card) if each.get("name") in ("cleared", "shown")}
    assert not _button(
        client.get(f"/episodes/{played.episode}/plan?cleared={shown}", headers=HX).text, "2 Release"
    ).has("disabled")
    answer = client.post(f"/episodes/{played.episode}/releases", data={"shown": shown}, headers=HX)
    assert (answer.status_code, played.state.stops) == (200, ())


def test_nothing_held_nothing_released(client: TestClient, played: Played) -> None:
    answer = client.post(
        f"/episodes/{played.episode}/releases", data={"shown": digest_of_stops(["stop-1"])}, headers=HX
    )
    assert answer.status_code == 409
    assert "Nothing is held." in answer.text


def test_a_viewer_releases_nothing(stand: Stand, client: TestClient, played: Played) -> None:
    hold(client, played.episode)
    [stop] = played.state.stops
    with stand.client("watcher") as viewer:
        shown = {"shown": digest_of_stops([stop.id])}
        answer = viewer.post(f"/episodes/{played.episode}/releases", data=shown, headers=HX)
    assert answer.status_code == 409
    assert [each.id for each in played.state.stops] == [stop.id]


def test_abort_ends_the_episode(stand: Stand, client: TestClient, played: Played) -> None:
    sheet = client.get(f"/episodes/{played.episode}/abort", headers=HX).text
    assert "6 of 6 are not delivered. The robot holds nothing." in sheet
    answer = client.post(f"/episodes/{played.episode}/abort", data={"reason": "servo hot"}, headers=HX)
    assert (answer.status_code, answer.text) == (200, "")
    assert answer.headers["hx-trigger"] == "qd:bar, qd:plan, qd:timeline"
    _until(lambda: played.state.ending is not None)
    assert "servo hot" in played.state.ending.message  # type: ignore[union-attr]


def test_an_abort_without_the_conn_stops_nothing(stand: Stand, client: TestClient, played: Played) -> None:
    with stand.client("op-2") as other:
        other.post(f"/episodes/{played.episode}/conn", data={"action": "take"}, headers=HX)
    answer = client.post(f"/episodes/{played.episode}/abort", data={"reason": "mine"}, headers=HX)
    assert answer.status_code == 409
    assert "op-2 has the conn." in answer.text
    assert "Your words are kept." in answer.text
    assert ">mine</textarea>" in answer.text
    assert [told for told in stand.told if told[0] == played.episode] == []
    assert played.state.stops == ()


def test_an_ended_episode_has_nothing_to_hold(stand: Stand, client: TestClient) -> None:
    ended = stand.play("s-6", policy=Policy(mode="auto")).until(lambda state: state.ending is not None)
    with ended.running():
        answer = hold(client, ended.episode)
    assert answer.status_code == 409
    assert "HOLD" not in answer.text


def _of(stand: Stand, played: Played, kind: type) -> list[Any]:
    found = SqlReader(stand.engine).events(played.episode, limit=None)
    return [entry for entry in found if isinstance(entry.recorded.event, kind)]


def _button(html: str, label: str) -> Any:
    [button] = [element for element in elements(html) if element.tag == "button" and label in element.text]
    return button


def _until(reached: Any) -> None:
    deadline = time.monotonic() + 10
    while not reached():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)
