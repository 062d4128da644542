"""The API: the same reads and commands as the pages, judged alike; what is wrong is told as problems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from backend.domain.command.intents import Action
from backend.domain.command.policy import Policy
from backend.domain.episode.events import IntentRefused
from backend.persistence import tokens
from backend.web.api.commands import COMMANDS, tag_of
from backend.web.app import create_app
from tests.web.stand import HERE, ORIGIN, Played, Stand

V1 = "/api/v1"
STANDING = "No runner has taken it yet. The bridge has latched the stop, and the robot stood still."


def token(stand: Stand, user: str = "op-1", *scopes: str) -> dict[str, str]:
    made = tokens.issue(stand.engine, user, "api", 600.0, scopes=scopes or ("read", "hold", "command"))
    return {"authorization": f"Bearer {made}"}


@pytest.fixture(scope="module")
def api(stand: Stand) -> Iterator[TestClient]:
    with TestClient(create_app(stand.deps()), base_url=ORIGIN, follow_redirects=False) as client:
        yield client


@pytest.fixture
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(lambda state: state.approval is not None).running() as played:
        yield played


def command(
    api: TestClient, played: Played, name: str, body: Any, headers: dict[str, str]
) -> tuple[int, dict[str, Any]]:
    answer = api.post(f"{V1}/episodes/{played.episode}/commands/{name}", json=body, headers=headers)
    return answer.status_code, answer.json()


def waiting(api: TestClient, played: Played, headers: dict[str, str]) -> dict[str, Any]:
    found = api.get(f"{V1}/approvals", headers=headers).json()["approvals"]
    (mine,) = [each for each in found if each["episode"] == played.episode]
    return {name: mine[name] for name in ("approval_id", "plan_digest", "pins_digest")}


def refused(stand: Stand, played: Played, code: str) -> list[IntentRefused]:
    entries = stand.deps().reader.events(played.episode, kinds=("intent.refused",), limit=None)
    found = [entry.recorded.event for entry in entries]
    return [event for event in found if isinstance(event, IntentRefused) and event.code == code]


def kept(stand: Stand, played: Played, code: str) -> IntentRefused:
    """The one attempt of that code, once the runner has written it down."""
    for _ in range(500):
        if refused(stand, played, code):
            break
        played.loop_pause()
    (found,) = refused(stand, played, code)
    return found


def test_every_action_of_the_domain_is_a_command() -> None:
    known = {tag_of(kind) for kind in get_args(Action)}
    assert set(COMMANDS) == known - {"attempted"}


def test_what_waits_is_listed_and_approved_as_a_page_would(
    stand: Stand, api: TestClient, played: Played
) -> None:
    headers = token(stand)
    status, told = command(api, played, "approve", waiting(api, played, headers), headers)

    assert (status, told["applied"], told["command"]) == (200, True, "approve")
    assert played.state.approval is not None
    assert played.state.approval.decided_by == "op-1"


def test_a_wrong_digest_moves_nothing_and_is_kept(stand: Stand, api: TestClient, played: Played) -> None:
    headers = token(stand)
    body = {**waiting(api, played, headers), "pins_digest": "0" * 64}

    status, told = command(api, played, "approve", body, headers)

    assert (status, told["code"]) == (409, "stale")
    assert told["title"] == "The page showed another plan or older beliefs."
    assert told["remedy"] == "Look at the card again."
    assert played.state.dispatch is None
    assert [event.by for event in refused(stand, played, "stale")] == ["op-1"]


def test_a_replayed_request_moves_nothing_and_is_kept(stand: Stand, api: TestClient, played: Played) -> None:
    headers = token(stand)
    body = waiting(api, played, headers)
    no = {"approval_id": body["approval_id"], "reason": "No"}
    assert command(api, played, "reject", no, headers)[0] == 200

    status, told = command(api, played, "approve", body, headers)

    assert (status, told["code"] in ("gone", "decided")) == (409, True)
    assert refused(stand, played, told["code"])


def test_a_token_without_the_scope_moves_nothing_and_is_kept(
    stand: Stand, api: TestClient, played: Played
) -> None:
    body = waiting(api, played, token(stand))
    status, told = command(api, played, "approve", body, token(stand, "op-1", "read", "hold"))

    assert (status, told["code"]) == (403, "scope")
    assert told["title"] == "This token is for read, hold, not for command."
    assert "quarterdeck tokens create --scope command" in told["remedy"]
    attempt = kept(stand, played, "scope")
    assert (attempt.by, attempt.action) == ("op-1", "approve")
    assert played.state.dispatch is None


def test_a_forged_origin_moves_nothing_and_is_kept(stand: Stand, played: Played) -> None:
    with stand.client() as client:
        forged = {"origin": "http://evil.example", "hx-request": "true"}
        answer = client.post(f"/episodes/{played.episode}/holds", headers=forged)
    assert answer.status_code == 403
    assert "This was sent by http://evil.example" in answer.text
    attempt = kept(stand, played, "origin")
    assert (attempt.by, attempt.action, played.state.is_held) == ("op-1", "holds", False)


def test_hold_takes_no_body_and_goes_both_ways(stand: Stand, api: TestClient, played: Played) -> None:
    told_before = len(stand.told)
    path = f"{V1}/episodes/{played.episode}/commands/hold"
    answer = api.post(path, headers=token(stand, "watcher", "hold"))

    assert (answer.status_code, answer.json()["applied"]) == (200, True)
    assert played.state.is_held
    assert stand.told[told_before:][0][2] == "watcher"


def test_an_abort_by_one_without_the_conn_stops_nobody_s_robot(
    stand: Stand, api: TestClient, played: Played
) -> None:
    assert command(api, played, "take_conn", {}, token(stand, "op-2"))[0] == 200
    told_before = len(stand.told)

    status, told = command(api, played, "abort", {"reason": "Enough"}, token(stand))

    assert (status, told["code"]) == (409, "conn")
    assert len(stand.told) == told_before
    assert not played.state.is_held


def test_a_viewer_s_token_commands_nothing(stand: Stand, api: TestClient, played: Played) -> None:
    made = token(stand, "watcher", "read", "command")
    status, told = command(api, played, "take_conn", {}, made)
    assert (status, told["code"], told["remedy"]) == (403, "role", "Ask an operator.")


WRONG: dict[str, tuple[str, Any, int, str]] = {
    "an unknown command": ("fly", {}, 404, "There is no command 'fly'"),
    "an unknown field": ("hold", {"speed": 1}, 422, "speed is no field of hold"),
    "a missing field": ("approve", {}, 422, "body cannot be read"),
    "a wrong type": ("guide", {"text": 7}, 422, "text cannot be read"),
    "another tag": ("hold", {"type": "abort"}, 422, "type is no field of hold"),
    "no object": ("hold", [], 422, "body cannot be read"),
    "a long text": ("guide", {"text": "x" * 2001}, 422, "text is too long"),
    "what the console makes": ("attempted", {"what": "x", "code": "x", "message": "x"}, 404, "There is no"),
}


@pytest.mark.parametrize(("name", "body", "status", "title"), WRONG.values(), ids=WRONG.keys())
def test_what_cannot_be_read_is_said(
    stand: Stand, api: TestClient, name: str, body: Any, status: int, title: str
) -> None:
    idle = stand.ordered()
    answer = api.post(f"{V1}/episodes/{idle}/commands/{name}", json=body, headers=token(stand))
    told = answer.json()
    assert (answer.status_code, told["title"].startswith(title)) == (status, True), told
    assert told["remedy"]


def test_an_unknown_step_is_no_plan_and_moves_nothing(stand: Stand, api: TestClient) -> None:
    written = stand.play("s-6", planner="operator").until(lambda state: state.request is not None)
    body = {"steps": [{"skill": "fly", "arguments": {}}], "seen_seq": written.state.seq}
    with written.running():
        status, told = command(api, written, "propose", body, token(stand))
    assert (status, told["code"]) == (422, "invalid_plan")
    assert "fly" in told["title"]
    assert told["field"] == "steps"
    assert written.state.plan is None
    assert refused(stand, written, "invalid_plan")


def test_a_policy_that_cannot_be_is_wrong_in_itself(stand: Stand, api: TestClient, played: Played) -> None:
    rules = {"mode": "on_risk", "risk": {"confidence_below": 7}}
    body = {"policy": rules, "shown": played.state.policy.digest}
    status, told = command(api, played, "set_policy", body, token(stand))
    assert (status, told["code"], told["field"]) == (422, "invalid_policy", "policy")
    assert refused(stand, played, "invalid_policy")


def test_a_body_that_is_no_json(stand: Stand, api: TestClient) -> None:
    path = f"{V1}/episodes/{stand.ordered()}/commands/guide"
    headers = token(stand)
    as_json = {**headers, "content-type": "application/json"}
    assert api.post(path, content="{", headers=as_json).status_code == 422
    assert api.post(path, data={"text": "x"}, headers=headers).status_code == 415
    assert api.post(path, content="[" * 100_000, headers=as_json).status_code == 422


def test_without_a_runner_it_is_taken_back_and_a_hold_stays_asked(stand: Stand) -> None:
    idle = stand.play("s-6").until(lambda state: state.approval is not None)
    headers = token(stand)
    hasty = replace(stand.settings, answer_within_s=0.2, stop_within_s=0.2)
    with TestClient(create_app(stand.deps(settings=hasty)), base_url=ORIGIN) as api:
        path = f"{V1}/episodes/{idle.episode}/commands"
        answer = api.post(f"{path}/guide", json={"text": "Left."}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (503, "no_runner")
        held = api.post(f"{path}/hold", headers=headers)
        assert (held.status_code, held.json()["code"]) == (202, "asked")
        assert (held.json()["bridge"], held.json()["message"]) == ("standing", STANDING)
        stand.bridge_is_deaf = True
        deaf = api.post(f"{path}/hold", headers=headers)
        stand.bridge_is_deaf = False
        assert (deaf.status_code, deaf.json()["bridge"]) == (202, "silent")
        assert "The bridge did not answer: see to the robot." in deaf.json()["message"]
    idle.tick(2)
    assert idle.state.is_held


READS = ["me", "episodes", "approvals", "missions", "planners", "episodes/{e}", "episodes/{e}/state",
         "episodes/{e}/state?at=3", "episodes/{e}/events?after=2&limit=3", "episodes/{e}/memory"]  # fmt: skip


def test_reads(stand: Stand, api: TestClient, played: Played) -> None:
    headers = token(stand, "watcher", "read")
    for path in READS:
        answer = api.get(f"{V1}/{path.format(e=played.episode)}", headers=headers)
        assert answer.status_code == 200, (path, answer.text)
        assert "ws://" not in answer.text, "a runner's address is a secret"


def test_events_are_paged(stand: Stand, api: TestClient, played: Played) -> None:
    headers, path = token(stand), f"{V1}/episodes/{played.episode}/events"
    first = api.get(f"{path}?limit=2", headers=headers).json()
    assert [each["seq"] for each in first["events"]] == [1, 2]
    assert first["next"] == 2
    kinds = api.get(f"{path}?kinds=approval.requested", headers=headers).json()
    assert {each["kind"] for each in kinds["events"]} == {"approval.requested"}
    assert kinds["next"] is None


ODD = {"state?at=0": 422, "state?at=999999": 404, "state?at=x": 422, "events?limit=0": 422, "events?x=1": 422}


def test_a_parameter_that_cannot_be(stand: Stand, api: TestClient, played: Played) -> None:
    for path, status in ODD.items():
        answer = api.get(f"{V1}/episodes/{played.episode}/{path}", headers=token(stand))
        assert (path, answer.status_code) == (path, status)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["remedy"]


def test_an_episode_is_started(stand: Stand, api: TestClient) -> None:
    order = {"mission": "s-6", "seed": 1, "planner": "policy", "memory": "attention", "policy": "every_plan"}
    answer = api.post(f"{V1}/episodes", json=order, headers=token(stand))
    assert answer.status_code == 201
    assert answer.json()["episode"] in stand.played
    wrong = api.post(f"{V1}/episodes", json={**order, "mission": "mars"}, headers=token(stand))
    assert (wrong.status_code, wrong.json()["field"]) == (422, "mission")


def test_a_token_is_for_the_api_alone(stand: Stand, api: TestClient) -> None:
    headers = token(stand, "boss", "read", "hold", "command", "admin")
    assert api.get("/episodes", headers=headers).status_code == 303
    assert api.post("/episodes/x/holds", headers={**headers, **HERE}).status_code == 401
    with api.websocket_connect("/live?episode=x", headers={**headers, "origin": ORIGIN}) as socket:
        assert socket.receive()["code"] == 4401


def test_a_token_ends_with_its_time_and_its_revocation(stand: Stand, api: TestClient) -> None:
    spent = tokens.issue(stand.engine, "op-1", "api", -1.0, scopes=("read",))
    assert api.get(f"{V1}/me", headers={"authorization": f"Bearer {spent}"}).status_code == 401
    admin = token(stand, "boss", "admin")
    made = api.post(f"{V1}/tokens", json={"scopes": ["read"], "user": "op-2", "label": "lab"}, headers=admin)
    headers = {"authorization": f"Bearer {made.json()['token']}"}
    assert api.get(f"{V1}/me", headers=headers).json() == {
        "name": "op-2", "role": "operator", "scopes": ["read"], "by": "token"
    }  # fmt: skip
    rows = api.get(f"{V1}/tokens", headers=admin).json()["tokens"]
    (row,) = [each for each in rows if each["label"] == "lab"]
    assert api.delete(f"{V1}/tokens/{row['id']}", headers=admin).json() == {"revoked": row["id"]}
    assert api.get(f"{V1}/me", headers=headers).status_code == 401
    assert api.delete(f"{V1}/tokens/{row['id']}", headers=admin).status_code == 404


TOKENS = {
    "a viewer's command": ("watcher", {"scopes": ["command"]}, 422, "A viewer commands nothing"),
    "an operator's admin": ("op-1", {"scopes": ["admin"]}, 422, "Only an admin's token"),
    "nothing": ("op-1", {"scopes": []}, 422, "The token is for nothing"),
    "no scope": ("op-1", {"scopes": ["fly"]}, 422, "There is no scope 'fly'"),
    "another's": ("op-1", {"scopes": ["read"], "user": "op-2"}, 403, "A token is made for oneself"),
    "nobody's": ("boss", {"scopes": ["read"], "user": "nobody"}, 404, "There is no account 'nobody'"),
    "for ever": ("op-1", {"scopes": ["read"], "days": 4000}, 422, "days cannot be read"),
}


@pytest.mark.parametrize(("who", "body", "status", "title"), TOKENS.values(), ids=TOKENS.keys())
def test_a_token_is_never_more_than_its_account(
    stand: Stand, who: str, body: dict[str, Any], status: int, title: str
) -> None:
    with stand.client(who) as client:
        answer = client.post(f"{V1}/tokens", json=body, headers=HERE)
    assert (answer.status_code, answer.json()["title"].startswith(title)) == (status, True), answer.text


def test_accounts_are_added_changed_and_listed(stand: Stand, api: TestClient) -> None:
    admin = token(stand, "boss", "admin")
    path = f"{V1}/accounts"
    added = api.post(path, json={"name": "kim", "role": "viewer"}, headers=admin)
    assert (added.status_code, added.json()["has_password"]) == (201, False)
    again = api.post(path, json={"name": "kim", "role": "viewer"}, headers=admin)
    assert (again.status_code, again.json()["title"]) == (409, "There is a user kim already.")
    changed = api.post(
        f"{path}/kim", json={"role": "operator", "password": "a long enough one"}, headers=admin
    )
    assert changed.json() == {"name": "kim", "role": "operator", "active": True, "has_password": True}
    short = api.post(f"{path}/kim", json={"password": "short"}, headers=admin)
    assert short.json()["field"] == "password"
    assert api.post(f"{path}/boss", json={"active": False}, headers=admin).status_code == 409
    assert api.post(f"{path}/none", json={"active": False}, headers=admin).status_code == 404
    assert api.get(path, headers=token(stand)).status_code == 403


@pytest.mark.parametrize("name", ["hold", "abort", "release", "take_conn"])
def test_an_episode_that_has_ended_takes_no_command(api: TestClient, stand: Stand, name: str) -> None:
    ended = stand.play("s-6", policy=Policy(mode="auto")).until(lambda state: state.ending is not None)

    status, told = command(api, ended, name, {"stop_ids": []} if name == "release" else {}, token(stand))

    assert (status, told["code"], told["title"]) == (409, "ended", "The episode has ended")
    assert [each for each in stand.told if each[0] == ended.episode] == []
