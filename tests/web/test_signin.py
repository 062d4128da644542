"""Signing in and out, and that no address can be reached without, whatever its route forgot."""

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from backend.persistence import accounts, sessions, tokens
from backend.persistence.errors import StorageFull
from backend.web.app import create_app
from backend.web.guard.passwords import _NOBODY, _hasher, hash_password, is_password, refuse_password
from backend.web.guard.session import is_open, refuse_role
from backend.web.routes.signin import own_path
from tests.web.stand import HERE, HX, ORIGIN, Stand
from tests.web.walk import SOCKET, addresses

OPEN = {("GET", "/signin"), ("POST", "/signin"), ("GET", "/healthz")}


@pytest.fixture(scope="module")
def nobody(stand: Stand) -> Iterator[TestClient]:
    with stand.client(name=None) as client:
        yield client


def test_no_address_is_open_but_those_meant_to_be(stand: Stand, nobody: TestClient) -> None:
    walked = [(method, path) for method, path in addresses(create_app(stand.deps())) if method != SOCKET]
    assert len(walked) > 25
    for method, declared in walked:
        path = re.sub(r"{\w+}", "x1", declared)
        answer = nobody.request(method, path, headers={**HERE, "accept": "text/html"})
        if (method, path) in OPEN:
            assert answer.status_code in (200, 422), (method, path)
        elif method == "GET" and not path.startswith("/api/v1/"):
            assert answer.status_code == 303, path
            assert answer.headers["location"].startswith("/signin?next="), path
        else:
            assert answer.status_code == 401, path


def test_an_htmx_request_is_told_to_sign_in(nobody: TestClient) -> None:
    answer = nobody.get(
        "/episodes/x1/plan", headers={**HX, "hx-current-url": f"{ORIGIN}/episodes/x1?tab=log"}
    )
    assert answer.status_code == 401
    assert 'href="/signin?next=%2Fepisodes%2Fx1%3Ftab%3Dlog"' in answer.text


def test_no_socket_is_open(stand: Stand, nobody: TestClient) -> None:
    sockets = [path for method, path in addresses(create_app(stand.deps())) if method == SOCKET]
    assert sockets == ["/live"]
    for path in sockets:
        with nobody.websocket_connect(path, headers={"origin": ORIGIN}) as socket:
            assert socket.receive()["code"] == 4401


@pytest.mark.parametrize(
    "path", ["/static/../episodes", "/static/%2e%2e/episodes", "//signin", "/signin/", "/healthz/x"]
)
def test_nothing_hides_behind_an_open_address(nobody: TestClient, path: str) -> None:
    answer = nobody.get(path)
    assert answer.status_code in (303, 401, 404)
    assert "Episodes need" not in answer.text


@pytest.mark.parametrize(
    ("path", "opens"),
    [
        ("/signin", True),
        ("/static/css/tokens.css", True),
        ("/healthz", True),
        ("/", False),
        ("/staticx", False),
    ],
)
def test_which_addresses_are_open(path: str, opens: bool) -> None:
    assert is_open(path) is opens


ROLES = [
    ("viewer", "GET", "/episodes/new", True),
    ("viewer", "POST", "/signout", True),
    ("viewer", "POST", "/episodes/e1/holds", True),
    ("viewer", "POST", "/episodes", False),
    ("viewer", "DELETE", "/anything", False),
    ("operator", "POST", "/episodes", True),
    ("admin", "POST", "/episodes", True),
    ("nonsense", "POST", "/episodes", False),
    ("viewer", "POST", "/tokens", True),
    ("viewer", "POST", "/tokens/x/revocation", True),
    ("viewer", "POST", "/tokensx", False),
    ("viewer", "POST", "/api/v1/episodes/e1/commands/hold", True),
    ("viewer", "POST", "/api/v1/episodes", False),
    ("viewer", "GET", "/accounts", False),
    ("operator", "GET", "/accounts", False),
    ("operator", "POST", "/accounts/pat/password", False),
    ("operator", "GET", "/api/v1/accounts", False),
    ("admin", "POST", "/accounts", True),
]


@pytest.mark.parametrize(("role", "method", "path", "may"), ROLES)
def test_what_a_role_may(role: str, method: str, path: str, may: bool) -> None:
    assert (refuse_role(role, method, path) is None) is may


def test_a_viewer_starts_no_episode(stand: Stand) -> None:
    with stand.client("watcher") as client:
        assert client.post("/episodes", headers=HERE).status_code == 403
        assert client.get("/episodes/new").status_code == 403
        assert "New episode" not in client.get("/episodes").text


def test_a_link_works_once(stand: Stand, nobody: TestClient) -> None:
    link = tokens.issue(stand.engine, "op-1", "sign_in", 60.0)
    first = nobody.get(f"/signin?token={link}&next=/episodes/x1")
    assert (first.status_code, first.headers["location"]) == (303, "/episodes/x1")
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie
    nobody.cookies.clear()
    again = nobody.get(f"/signin?token={link}")
    assert again.status_code == 422
    assert "This link was used already, or is too old." in again.text
    assert "set-cookie" not in again.headers


def test_a_link_that_ran_out_works_never(stand: Stand, nobody: TestClient) -> None:
    link = tokens.issue(stand.engine, "op-1", "sign_in", -1.0)
    assert nobody.get(f"/signin?token={link}").status_code == 422


def test_a_code_can_be_pasted(stand: Stand, nobody: TestClient) -> None:
    code = tokens.issue(stand.engine, "op-1", "sign_in", 60.0)
    answer = nobody.post("/signin", data={"code": f" {code} ", "next": "/episodes"}, headers=HERE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/episodes")
    nobody.cookies.clear()


def test_a_session_is_no_link_and_a_link_no_session(stand: Stand, nobody: TestClient) -> None:
    session = sessions.SqlAccounts(stand.engine).open_session("op-1", 60.0)
    assert nobody.get(f"/signin?token={session}").status_code == 422
    link = tokens.issue(stand.engine, "op-1", "sign_in", 60.0)
    nobody.cookies.set("qd_session", link)
    assert nobody.get("/episodes").status_code == 303
    nobody.cookies.clear()


def test_signing_out_ends_the_session_not_only_the_cookie(stand: Stand) -> None:
    with stand.client() as client:
        session = client.cookies["qd_session"]
        assert client.get("/episodes").status_code == 200
        assert client.post("/signout", headers=HERE).headers["location"] == "/signin"
        client.cookies.set("qd_session", session)
        assert client.get("/episodes").status_code == 303


def test_an_idle_session_ends(stand: Stand) -> None:
    settings = replace(stand.settings, session_idle_s=-1.0)
    with stand.client(settings=settings) as client:
        assert client.get("/episodes").status_code == 303


def test_a_cookie_is_renewed_as_it_is_used(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    with stand.client() as client:
        old = client.cookies["qd_session"]
        monkeypatch.setattr(sessions, "ROTATE_EVERY_S", 0.0)
        answer = client.get("/episodes")
        assert "samesite=strict" in answer.headers["set-cookie"].lower()
        new = client.cookies["qd_session"]
        assert new != old
        monkeypatch.undo()
        assert "set-cookie" not in client.get("/episodes").headers
        monkeypatch.setattr(sessions, "ROTATE_EVERY_S", 0.0)
        signed_out = client.post("/signout", headers=HERE)
        assert signed_out.headers["set-cookie"].startswith('qd_session=""')


def test_signing_in_takes_up_no_session_that_was_there(stand: Stand, nobody: TestClient) -> None:
    nobody.cookies.set("qd_session", "planted")
    link = tokens.issue(stand.engine, "op-1", "sign_in", 60.0)
    nobody.get(f"/signin?token={link}")
    assert nobody.cookies.get("qd_session", domain="testserver.local") != "planted"
    nobody.cookies.clear()


def test_an_account_that_is_switched_off_is_signed_out(stand: Stand) -> None:
    accounts.add_user(stand.engine, "leaver", "operator", "test")
    with stand.client("leaver") as client:
        assert client.get("/episodes").status_code == 200
        accounts.change_user(stand.engine, "leaver", "test", active=False)
        assert client.get("/episodes").status_code == 303


@pytest.fixture(scope="module")
def accounted(stand: Stand) -> Iterator[TestClient]:
    with stand.client(
        name=None, settings=replace(stand.settings, sign_in="account", is_https=True)
    ) as client:
        yield client


@pytest.mark.parametrize(
    ("name", "password", "enters"),
    [
        ("pat", "correct horse battery", True),
        ("pat", "wrong horse battery", False),
        ("pat", "", False),
        ("nobody", "correct horse battery", False),
        ("op-1", "", False),
        ("pat", "x" * 1000, False),
    ],
    ids=["right", "wrong", "empty", "unknown", "without a password", "long"],
)
def test_name_and_password(accounted: TestClient, name: str, password: str, enters: bool) -> None:
    form = {"name": name, "password": password, "next": "/episodes"}
    answer = accounted.post("/signin", data=form, headers=HERE)
    assert answer.status_code == (303 if enters else 422)
    assert ("secure" in answer.headers.get("set-cookie", "").lower()) is enters
    if not enters:
        assert "Name or password is wrong." in answer.text
        assert password == "" or password not in answer.text
    accounted.cookies.clear()


def test_with_accounts_a_code_alone_opens_nothing(stand: Stand, accounted: TestClient) -> None:
    code = tokens.issue(stand.engine, "op-1", "sign_in", 60.0)
    assert accounted.post("/signin", data={"code": code}, headers=HERE).status_code == 422


@pytest.mark.parametrize("text", ["short", "x" * 1001], ids=["short", "long"])
def test_what_may_not_become_a_password(text: str) -> None:
    assert refuse_password(text) is not None


def test_passwords_are_hashed_with_salt() -> None:
    one, other = hash_password("correct horse battery"), hash_password("correct horse battery")
    assert one != other
    assert one.startswith("$argon2id$")
    assert is_password(one, "correct horse battery")
    assert not is_password(one, "Correct horse battery")
    assert not is_password("no hash at all", "anything")
    assert not is_password(None, "correct horse battery")
    assert not _hasher.check_needs_rehash(_NOBODY), "an unknown name is to take as long as any other"


NEXT = [
    ("/episodes/e1?tab=log", "/episodes/e1?tab=log"),
    ("", "/episodes"),
    ("//evil.example", "/episodes"),
    ("https://evil.example/", "/episodes"),
    ("/\\evil.example", "/episodes"),
    ("javascript:alert(1)", "/episodes"),
    ("/ok\r\nSet-Cookie: x=1", "/episodes"),
]


@pytest.mark.parametrize(("asked", "goes"), NEXT)
def test_where_to_go_afterwards_is_a_path_of_ours(asked: str, goes: str) -> None:
    assert own_path(asked) == goes


def test_who_is_signed_in_stays_so_while_nothing_can_be_written(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise StorageFull("The disk is full.")

    with stand.client() as client:
        monkeypatch.setattr(sessions, "writing", full)
        assert client.get("/episodes").status_code == 200


def test_who_tries_too_often_waits_and_is_told_how_long(stand: Stand) -> None:
    accounts.add_user(
        stand.engine, "target", "operator", "test", password_hash=hash_password("a long enough one")
    )
    settings = replace(stand.settings, sign_in="account")
    with stand.client(name=None, settings=settings) as client:
        wrong = {"name": "target", "password": "wrong wrong wrong"}
        statuses = [client.post("/signin", data=wrong, headers=HERE).status_code for _ in range(6)]
        assert statuses == [422] * 5 + [429]
        right = client.post("/signin", data={**wrong, "password": "a long enough one"}, headers=HERE)
        assert right.status_code == 429
        assert re.search(r"Too many tries\.</b> Wait \d+ s, then try again\.", right.text)
        assert "set-cookie" not in right.headers


def test_a_look_ahead_follows_no_link(stand: Stand, nobody: TestClient) -> None:
    link = tokens.issue(stand.engine, "op-1", "sign_in", 60.0)
    look = nobody.head(f"/signin?token={link}")
    assert (look.status_code, look.content) == (200, b"")
    assert nobody.get(f"/signin?token={link}").status_code == 303
    nobody.cookies.clear()


@pytest.mark.parametrize("path", ["/episodes", "/episodes/new", "/healthz", "/static/css/tokens.css"])
def test_pages_answer_head_as_get_without_a_body(stand: Stand, path: str) -> None:
    with stand.client() as client:
        got, looked = client.get(path), client.head(path)
    assert (looked.status_code, looked.content) == (got.status_code, b"")
    assert looked.headers["content-type"] == got.headers["content-type"]


def test_a_request_larger_than_any_of_ours_is_refused_unread(stand: Stand) -> None:
    with stand.client() as client:
        answer = client.post("/episodes", data={"mission": "x" * 1_100_000}, headers=HERE)
        assert answer.status_code == 413
        assert "A request may have 1,000,000 bytes." in answer.text
        chunks = (b"x" * 100_000 for _ in range(12))
        form = {**HERE, "content-type": "application/x-www-form-urlencoded"}
        assert client.post("/episodes", content=chunks, headers=form).status_code in (400, 413)


def test_over_tls_the_cookie_is_this_host_s_alone_and_browsers_are_told_to_stay(stand: Stand) -> None:
    link = tokens.issue(stand.engine, "op-1", "sign_in", 60.0)
    with stand.client(name=None, settings=replace(stand.settings, is_https=True)) as client:
        answer = client.get(f"/signin?token={link}")
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-qd_session=")
        assert "; Path=/" in cookie
        assert "secure" in cookie.lower()
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
