"""Whether a request comes from this console's own pages, as tables; and that the application asks before
anything else."""

import pytest

from backend.web.guard.origin import refuse_foreign_host, refuse_foreign_post, refuse_foreign_socket
from tests.web.stand import Stand

OWN = "http://console.local:8300"
HOST = {"host": "console.local:8300"}

POSTS = {
    "from its own page": ({"sec-fetch-site": "same-origin"}, True),
    "typed or bookmarked": ({"sec-fetch-site": "none"}, True),
    "from a sibling host": ({"sec-fetch-site": "same-site"}, False),
    "from another site": ({"sec-fetch-site": "cross-site"}, False),
    "from a site that claims to be ours": ({"sec-fetch-site": "cross-site", "origin": OWN}, False),
    "with a word that no browser says": ({"sec-fetch-site": "yes"}, False),
    "an older browser, its own page": ({"origin": OWN}, True),
    "an older browser, another site": ({"origin": "http://evil.example"}, False),
    "another port": ({"origin": "http://console.local:9000"}, False),
    "a sandboxed page": ({"origin": "null"}, False),
    "an origin that is none": ({"origin": "http://[::1"}, False),
    "no browser": ({}, True),
}


@pytest.mark.parametrize(("headers", "passes"), POSTS.values(), ids=POSTS)
def test_a_post(headers: dict[str, str], passes: bool) -> None:
    assert (refuse_foreign_post("POST", {**HOST, **headers}) is None) is passes


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reading_is_never_refused(method: str) -> None:
    assert refuse_foreign_post(method, {**HOST, "sec-fetch-site": "cross-site"}) is None


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])
def test_whatever_may_change_something_is_asked(method: str) -> None:
    assert refuse_foreign_post(method, {**HOST, "sec-fetch-site": "cross-site"}) is not None


SOCKETS = {
    "its own page": ({"origin": OWN}, True),
    "another site": ({"origin": "https://evil.example"}, False),
    "no origin at all": ({}, False),
    "a sandboxed page": ({"origin": "null"}, False),
    "no host": ({"origin": "http://"}, False),
}


@pytest.mark.parametrize(("headers", "passes"), SOCKETS.values(), ids=SOCKETS)
def test_a_socket(headers: dict[str, str], passes: bool) -> None:
    assert (refuse_foreign_socket({**HOST, **headers}) is None) is passes


NAMES = ("console.local", "127.0.0.1", "[::1]")
HOSTS = {
    "by name": ("console.local:8300", True),
    "by name, in capitals": ("Console.Local", True),
    "by address": ("127.0.0.1:8300", True),
    "by IPv6 address": ("[::1]:8300", True),
    "by a name that was made to point here": ("rebound.example:8300", False),
    "by none": ("", False),
}


@pytest.mark.parametrize(("host", "passes"), HOSTS.values(), ids=HOSTS)
def test_a_host(host: str, passes: bool) -> None:
    assert (refuse_foreign_host(host, NAMES) is None) is passes


def test_with_no_names_given_any_host_is_taken() -> None:
    assert refuse_foreign_host("anything", ()) is None


def test_a_foreign_post_is_refused_before_it_is_looked_at(stand: Stand) -> None:
    with stand.client() as client:
        answer = client.post("/episodes/none/holds", headers={"sec-fetch-site": "cross-site"})
        assert answer.status_code == 403
        assert "Nothing was done." in answer.text
        assert client.post("/signout", headers={"origin": "http://evil.example"}).status_code == 403
        assert client.get("/episodes").status_code == 200


def test_a_foreign_socket_is_told_nothing(stand: Stand) -> None:
    with (
        stand.client() as client,
        client.websocket_connect("/live?episode=x", headers={"origin": "http://e"}) as live,
    ):
        assert live.receive() == {"type": "websocket.close", "code": 4403, "reason": ""}


def test_the_headers_of_every_answer(stand: Stand) -> None:
    with stand.client() as client:
        answers = [
            client.get("/episodes"),
            client.get("/nowhere"),
            client.get("/static/css/tokens.css"),
            client.post("/episodes/none/holds", headers={"sec-fetch-site": "cross-site"}),
            client.get("/episodes/none"),
        ]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert answers[0].headers["cache-control"] == "no-store"
    assert answers[2].headers["cache-control"] == "public, max-age=0, must-revalidate"
