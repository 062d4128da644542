"""The pages of accounts and of one's own access: what they offer, refuse and never show."""

from __future__ import annotations

import html
import re

import pytest
from starlette.testclient import TestClient

from backend.persistence import accounts, tokens
from backend.web.guard.passwords import hash_password
from tests.web.stand import HERE, Stand

LONG = "a long enough one"


def post(client: TestClient, path: str, **data: object) -> tuple[int, str]:
    answer = client.post(path, data=data, headers=HERE)
    return answer.status_code, html.unescape(answer.text)


def cookies(client: TestClient) -> str:
    return "; ".join(f"{name}={value}" for name, value in client.cookies.items())


def test_an_admin_adds_changes_and_switches_off(stand: Stand) -> None:
    with stand.client("boss") as client:
        assert post(client, "/accounts", name="newcomer", role="viewer", password=LONG)[0] == 303
        assert "newcomer" in client.get("/accounts").text
        assert post(client, "/accounts/newcomer/role", role="operator")[0] == 303
        user = accounts.user_named(stand.engine, "newcomer")
        assert user is not None
        assert user.role == "operator"
        with stand.client("newcomer") as theirs:
            assert theirs.get("/episodes").status_code == 200
            assert post(client, "/accounts/newcomer/access", active="no")[0] == 303
            assert theirs.get("/episodes").status_code == 303, "it ends the sessions"
        page = client.get("/accounts").text
        assert "switched off" in page
        assert "Account changed" in page


REFUSED = {
    "a short password": (
        "",
        {"name": "kim2", "role": "viewer", "password": "short"},
        422,
        "Give at least 10",
    ),
    "no name": ("", {"name": "", "role": "viewer"}, 422, "Give 1 to 60"),
    "an invisible name": ("", {"name": "kim\u200b", "role": "viewer"}, 422, "Give printable"),
    "a name taken": ("", {"name": "pat", "role": "viewer"}, 409, "There is a user pat already"),
    "a role that is none": ("/pat/role", {"role": "king"}, 422, "role cannot be read"),
    "one's own role": ("/boss/role", {"role": "viewer"}, 409, "own role and access stay"),
    "oneself off": ("/boss/access", {"active": "no"}, 409, "own role and access stay"),
    "nobody": ("/nobody/password", {"password": LONG}, 404, "There is no account"),
}


@pytest.mark.parametrize(("path", "data", "status", "says"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_is_said_and_changes_nothing(
    stand: Stand, path: str, data: dict[str, str], status: int, says: str
) -> None:
    before = accounts.all_users(stand.engine)
    with stand.client("boss") as client:
        got, page = post(client, f"/accounts{path}", **data)
    assert got == status
    assert says in page
    assert data.get("password", "no password") not in page
    assert accounts.all_users(stand.engine) == before


def test_a_token_is_shown_once_and_revoked(stand: Stand) -> None:
    with stand.client("op-1") as client:
        made = client.post(
            "/tokens", data={"label": "lab", "days": "7", "scope": ["read", "hold"]}, headers=HERE
        )
        assert (made.status_code, made.headers["location"]) == (303, "/tokens"), "a reload makes no other"
        cookie = made.headers["set-cookie"].lower()
        assert all(said in cookie for said in ("httponly", "samesite=strict", "path=/tokens", "max-age=60"))
        client.head("/tokens")
        page = client.get("/tokens").text
        (token,) = re.findall(r"qdt_[\w-]+", page)
        assert "used never" in page
        again = client.get("/tokens").text
        assert token not in again
        assert "lab" in again
        bearer = {"authorization": f"Bearer {token}"}
        assert client.get("/api/v1/me", headers=bearer).json()["scopes"] == ["read", "hold"]
        (revocation,) = re.findall(r'action="(/tokens/[0-9a-f]+/revocation)"', again)
        assert post(client, revocation)[0] == 303
        assert client.get("/api/v1/me", headers=bearer).status_code == 401


def test_a_token_of_somebody_else_is_not_shown_as_one_s_own(stand: Stand) -> None:
    theirs = tokens.issue(stand.engine, "boss", "api", 60.0, scopes=("read",))
    with stand.client("op-1") as client:
        for brought in (theirs, "qdt_made-up"):
            page = client.get("/tokens", headers={"cookie": f"{cookies(client)}; qd_once={brought}"})
            assert (page.status_code, brought in page.text) == (200, False)
            assert 'qd_once=""' in page.headers["set-cookie"]


def test_a_viewer_is_offered_no_command_and_revokes_nobody_else_s(stand: Stand) -> None:
    with stand.client("op-2") as other:
        assert post(other, "/tokens", label="theirs", days="7", scope=["read"])[0] == 303
        page = other.get("/tokens").text
        (revocation,) = re.findall(r'action="(/tokens/[0-9a-f]+/revocation)"', page)
    with stand.client("watcher") as client:
        page = client.get("/tokens").text
        assert 'value="command"' not in page
        assert "theirs" not in page
        assert post(client, revocation)[0] == 404
        assert post(client, "/tokens", scope=["command"], days="7")[0] == 422
        assert post(client, "/tokens", scope=["read"], days="soon")[0] == 422


def test_one_s_own_password_takes_the_old_one(stand: Stand) -> None:
    first = hash_password("the first of mine")
    accounts.add_user(stand.engine, "sam", "operator", "test", password_hash=first)
    with stand.client("sam") as here, stand.client("sam") as there:
        status, page = post(here, "/password", old="a wrong guess", new="the second of mine")
        assert (status, "The old password is wrong." in page) == (422, True)
        assert post(here, "/password", old="the first of mine", new="the second of mine")[0] == 303
        assert here.get("/episodes").status_code == 200
        assert there.get("/episodes").status_code == 303


def test_the_link_to_accounts_is_an_admin_s(stand: Stand) -> None:
    with stand.client("boss") as boss, stand.client("op-1") as other:
        assert 'href="/accounts"' in boss.get("/episodes").text
        assert 'href="/accounts"' not in other.get("/episodes").text
        assert other.get("/accounts").status_code == 403


def test_the_api_has_a_page_that_asks_nobody_else_for_anything(stand: Stand) -> None:
    with stand.client("watcher") as client:
        page = client.get("/api")
    assert page.status_code == 200
    assert "/api/v1/episodes/{episode}/commands/hold" in page.text
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page.text) == []
