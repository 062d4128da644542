"""The queue over HTTP and on the live socket; acknowledgements; each person's preferences."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from backend.domain.command.alarms import Alarm, Upkeep
from tests.web.html import elements
from tests.web.stand import HERE, HX, ORIGIN, Played, Stand


@pytest.fixture(scope="module")
def waiting(stand: Stand) -> Played:
    return stand.play("s-6").until(lambda state: state.approval is not None)


def told(socket: WebSocketTestSession, kind: str, wanted: Any = lambda body: True) -> Any:
    for _ in range(200):
        message = json.loads(socket.receive_text())
        if message["type"] == kind and wanted(message["body"]):
            return message["body"]
    raise AssertionError("it was never told")


def key_of(client: TestClient, played: Played) -> str:
    page = client.get("/queue", headers=HX).text
    buttons = [each for each in elements(page) if each.tag == "button" and each.get("name") == "key"]
    [key] = [each.get("value") for each in buttons if each.get("value").startswith("approval:")]
    return key


def test_who_acknowledges_is_kept_and_it_stays_until_it_is_over(stand: Stand, waiting: Played) -> None:
    with stand.client() as client, stand.client("op-2") as other:
        key = key_of(client, waiting)
        address = f"/episodes/{waiting.episode}/acknowledgements"
        answer = client.post(address, data={"key": key}, headers=HX)
        assert answer.status_code == 200
        assert "op-1" in answer.text
        assert "Acknowledged, not over" in answer.text
        other.post(address, data={"key": key}, headers=HX)
        listed = other.get("/episodes").text
        assert "seen by op-1" in listed
        assert "op-2" not in listed.partition("group-seen")[2].partition("</table>")[0]
        with waiting.running():
            asked = waiting.state.approval
            assert asked is not None
            form = {"plan_digest": asked.pins.plan_digest, "pins_digest": asked.pins_digest}
            client.post(f"/episodes/{waiting.episode}/approvals/{asked.id}/grant", data=form, headers=HX)
        assert f'value="{key}"' not in client.get("/queue", headers=HX).text


@pytest.mark.parametrize(
    ("name", "path", "data", "status"),
    [
        ("watcher", "/acknowledgements", {"key": "approval:x"}, 403),
        ("op-1", "/acknowledgements", {"key": ""}, 422),
        ("op-1", "/acknowledgements", {"key": "x" * 400}, 422),
    ],
    ids=["a viewer", "nothing", "too long"],
)
def test_what_cannot_be_acknowledged(
    stand: Stand, waiting: Played, name: str, path: str, data: dict[str, str], status: int
) -> None:
    with stand.client(name) as client:
        assert client.post(f"/episodes/{waiting.episode}{path}", data=data, headers=HX).status_code == status


def test_an_alarm_that_is_over_stays_until_somebody_has_seen_it(stand: Stand) -> None:
    """Alarms of a while ago, in an episode that goes on well by now: whoever looks next finds them over."""
    played = stand.play("s-6").until(lambda state: state.approval is not None)
    alarms = [noticed(played, key) for key in ("runner:1", "restarts:1", "link:1:2:lost")]
    stand.deps().alarms.keep(Upkeep(kept=tuple(alarms)))
    with stand.client() as client, stand.client("watcher") as viewer:
        page = client.get("/queue", headers=HX).text
        assert page.index("Over, seen by nobody") < page.index("restarts:1")
        assert "Link lost" not in page, "nobody here has heard of the robot yet: it may be silent still"
        assert 'name="alarm"' not in viewer.get("/queue", headers=HX).text
        over = [each.get("value") for each in elements(page) if each.get("name") == "alarm"]
        assert over == [f"{played.episode} restarts:1", f"{played.episode} runner:1"]
        told_of = {"alarm": over}
        assert viewer.post("/queue/acknowledgements", data=told_of, headers=HX).status_code == 403
        assert client.post("/queue/acknowledgements", data={}, headers=HX).status_code == 422
        one = f"/episodes/{played.episode}/acknowledgements"
        assert "runner:1" not in client.post(one, data={"key": "runner:1"}, headers=HX).text
        answer = client.post("/queue/acknowledgements", data=told_of, headers=HX)
        assert "Over, seen by nobody" not in answer.text
        assert [each.key for each in stand.deps().alarms.known() if each.episode == played.episode] == [
            "link:1:2:lost"
        ]


def noticed(played: Played, key: str) -> Alarm:
    return Alarm(
        episode=played.episode,
        key=key,
        condition="link" if key.startswith("link") else key,
        tone="alarm",
        icon="bad",
        title="Link lost" if key.startswith("link") else "No runner",
        text="It was so",
        raised_s=1_800_000_000.0,
    )


def test_an_unknown_episode_has_nothing_to_acknowledge(client: TestClient) -> None:
    answer = client.post("/episodes/nobody/acknowledgements", data={"key": "k"}, headers=HX)
    assert answer.status_code == 404


def test_the_queue_alone_leads_to_the_list(client: TestClient) -> None:
    assert client.get("/queue").headers["location"] == "/episodes"


def test_a_page_that_shows_no_episode_is_told_the_queue_and_its_links(stand: Stand) -> None:
    played = stand.play("s-6").until(lambda state: state.approval is not None)
    with stand.client() as client, client.websocket_connect("/live", headers={"origin": ORIGIN}) as socket:
        body = told(socket, "queue", lambda body: body["active"] >= 1)
        assert any(item["episode"] == played.episode for item in body["items"])
        ages = told(socket, "age")
        assert ages["ages_s"]["server"] == 0.0
        assert f"episode:{played.episode}" in ages["ages_s"]
        before = body["queue"]
        key = next(item["key"] for item in body["items"] if item["episode"] == played.episode)
        client.post(
            f"/episodes/{played.episode}/acknowledgements", data={"key": key.partition(" ")[2]}, headers=HX
        )
        assert told(socket, "queue", lambda body: body["queue"] != before)["seen"] >= 1


def test_a_page_that_shows_an_episode_is_told_the_queue_too(stand: Stand, client: TestClient) -> None:
    played = stand.play("s-6").until(lambda state: state.approval is not None)
    path = f"/live?episode={played.episode}&after={played.state.seq}"
    with client.websocket_connect(path, headers={"origin": ORIGIN}) as socket:
        assert told(socket, "queue")["active"] >= 1


def test_each_person_s_theme_follows_them_to_any_browser(stand: Stand) -> None:
    with stand.client() as client:
        assert (
            client.post("/preferences", data={"name": "theme", "value": "dark"}, headers=HERE).status_code
            == 204
        )
    with stand.client() as again:
        assert 'data-theme="dark"' in again.get("/episodes").text
        again.cookies.set("qd_theme", "light")
        assert 'data-theme="dark"' in again.get("/episodes").text
    with stand.client("watcher") as viewer:
        assert 'data-theme="' not in viewer.get("/episodes").text
        assert (
            viewer.post("/preferences", data={"name": "sound", "value": "on"}, headers=HERE).status_code
            == 204
        )
        assert 'data-sound="on"' in viewer.get("/episodes").text


@pytest.mark.parametrize(
    "form",
    [{"name": "theme", "value": "pink"}, {"name": "role", "value": "admin"}, {}, {"name": "theme"}],
    ids=["no such theme", "no such preference", "nothing", "no value"],
)
def test_what_nobody_can_prefer(client: TestClient, form: dict[str, str]) -> None:
    answer = client.post("/preferences", data=form, headers=HERE)
    assert answer.status_code == 422
    assert "Choose of theme: system, light, dark" in answer.text
