"""Every address and socket with each role, each token and none: nobody gets further than they may.

The table below says who may, apart from the code that decides it; an address that is not in it is for
operators where it changes something, and for everyone signed in where it does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from backend.domain.access.scopes import SCOPES
from backend.persistence import tokens
from backend.web.api.routes import operations
from backend.web.app import console_of, create_app
from backend.web.guard.session import OPEN
from tests.web.stand import HERE, ORIGIN, Stand
from tests.web.walk import SOCKET, addresses

ROLES = {"watcher": 0, "op-1": 1, "boss": 2}
ANYONE, OPERATOR, ADMIN = range(3)
ONES_OWN = ("/signout", "/preferences", "/password", "/tokens", "/api/v1/tokens")
"""What concerns nobody but who asks."""
JUDGED = ("/episodes/{episode}/", "/api/v1/episodes/{episode}/")
"""What becomes an intent: `decide` judges, and a viewer may hold."""
ADMINS = (
    "/accounts",
    "/api/v1/accounts",
    "/storage/removal",
    "/api/v1/storage/removal",
    "/api/v1/storage/preview",
)
OPERATORS = ("/new", "/acknowledgements", "/experiments")
"""What only operators need, although it is a page or below an episode; by how it ends."""


def least(method: str, path: str) -> int:
    if any(path == each or path.startswith(f"{each}/") for each in ADMINS):
        return ADMIN
    if path.endswith(OPERATORS):
        return OPERATOR
    if method != "GET" and path.startswith("/episodes/{episode}/annotations"):
        return OPERATOR
    if method == "GET" or path.startswith(JUDGED):
        return ANYONE
    if any(path == each or path.startswith(f"{each}/") for each in ONES_OWN):
        return ANYONE
    return OPERATOR


def concrete(declared: str) -> str:
    return re.sub(r"{\w+}", "x1", declared.replace("{command}", "hold"))


def is_turned_away(status: int, location: str) -> bool:
    return status in (401, 403) or location.startswith("/signin")


@pytest.fixture(scope="module")
def walked(stand: Stand) -> list[tuple[str, str]]:
    found = addresses(create_app(stand.deps()))
    assert len(found) > 60
    return [each for each in found if each[1] not in OPEN]


@pytest.fixture(scope="module", params=ROLES)
def signed_in(request: pytest.FixtureRequest, stand: Stand) -> Iterator[tuple[TestClient, int]]:
    with stand.client(request.param) as client:
        yield client, ROLES[request.param]


def test_each_role_gets_as_far_as_it_may(
    signed_in: tuple[TestClient, int], walked: list[tuple[str, str]]
) -> None:
    client, role = signed_in
    wrong = []
    for method, declared in walked:
        if method == SOCKET or declared == "/signout":
            continue
        answer = client.request(method, concrete(declared), headers=HERE)
        turned = is_turned_away(answer.status_code, answer.headers.get("location", ""))
        if turned is not (role < least(method, declared)):
            wrong.append((method, declared, answer.status_code))
    assert wrong == []


def test_without_a_session_nobody_gets_anywhere(stand: Stand, walked: list[tuple[str, str]]) -> None:
    with stand.client(name=None) as client:
        for method, declared in walked:
            if method == SOCKET:
                with client.websocket_connect(declared, headers={"origin": ORIGIN}) as socket:
                    assert socket.receive()["code"] == 4401, declared
                continue
            answer = client.request(method, concrete(declared), headers=HERE)
            assert is_turned_away(answer.status_code, answer.headers.get("location", "")), (method, declared)


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_of_one_scope_reaches_what_takes_that_scope_and_nothing_else(
    stand: Stand, walked: list[tuple[str, str]], scope: str
) -> None:
    made = tokens.issue(stand.engine, "boss", "api", 600.0, scopes=(scope,))
    headers = {**HERE, "authorization": f"Bearer {made}"}
    with stand.client(name=None) as client:
        for method, declared in walked:
            if method == SOCKET or declared.startswith("/api/"):
                continue
            answer = client.request(method, concrete(declared), headers=headers)
            assert is_turned_away(answer.status_code, answer.headers.get("location", "")), (method, declared)
        for each in operations(console_of(stand.deps())):
            path = each.path.replace("{command}", each.id.removeprefix("command_"))
            answer = client.request(each.method, concrete(path), headers=headers)
            turned = is_turned_away(answer.status_code, "")
            assert turned is (each.scope != scope), (each.id, answer.status_code)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://testserver.evil.example", ""])
def test_no_address_takes_anything_from_another_site(
    stand: Stand, walked: list[tuple[str, str]], origin: str
) -> None:
    with stand.client("boss") as client:
        for method, declared in walked:
            if method == SOCKET:
                with client.websocket_connect(declared, headers={"origin": origin}) as socket:
                    assert socket.receive()["code"] == 4403, declared
            elif method != "GET":
                answer = client.request(method, concrete(declared), headers={"origin": origin})
                assert answer.status_code == 403, (method, declared, origin)
