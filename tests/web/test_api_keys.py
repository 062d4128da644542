"""A request with an Idempotency-Key is done once, however often and from however many places it is sent."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from backend.domain.episode.events import GuidanceGiven
from backend.persistence.inbox import SqlInbox
from tests.web.stand import Played, Stand
from tests.web.test_api import V1, api, played, token

__all__ = ["api", "played"]


@pytest.fixture
def headers(stand: Stand) -> dict[str, str]:
    return token(stand)


def guide(
    api: TestClient, played: Played, headers: dict[str, str], key: str, text: str = "Left."
) -> Response:
    path = f"{V1}/episodes/{played.episode}/commands/guide"
    return api.post(path, json={"text": text}, headers={**headers, "idempotency-key": key})


def given(stand: Stand, played: Played) -> int:
    entries = stand.deps().reader.events(played.episode, kinds=("guidance.given",), limit=None)
    return sum(isinstance(entry.recorded.event, GuidanceGiven) for entry in entries)


def test_the_first_answer_is_given_again(
    stand: Stand, api: TestClient, played: Played, headers: dict[str, str]
) -> None:
    first, again = guide(api, played, headers, "k1"), guide(api, played, headers, "k1")

    assert (first.status_code, first.json()["applied"]) == (200, True)
    assert (again.status_code, again.content) == (200, first.content)
    assert again.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    assert given(stand, played) == 1


def test_a_refusal_is_an_answer_too(api: TestClient, played: Played, headers: dict[str, str]) -> None:
    first, again = guide(api, played, headers, "k2", " "), guide(api, played, headers, "k2", " ")
    assert (first.status_code, again.status_code, again.content) == (422, 422, first.content)
    assert again.headers["content-type"] == "application/problem+json"


def test_the_same_key_with_another_request_is_refused(
    stand: Stand, api: TestClient, played: Played, headers: dict[str, str]
) -> None:
    guide(api, played, headers, "k3")
    other = guide(api, played, headers, "k3", "Right.")

    assert (other.status_code, other.json()["code"]) == (409, "key_reused")
    assert given(stand, played) == 1


def test_a_key_that_was_forgotten_may_come_with_another_request(
    stand: Stand, api: TestClient, played: Played, headers: dict[str, str]
) -> None:
    """Its first answer is kept for a day; the inbox remembers longer, and is not to answer for the other."""
    guide(api, played, headers, "k9")
    stand.deps().replies.forget("op-1", "k9")

    other = guide(api, played, headers, "k9", "Right.")

    assert (other.status_code, given(stand, played)) == (200, 2)
    assert "idempotency-replayed" not in other.headers


def test_a_day_later_the_same_request_under_its_key_is_refused_and_done_no_second_time(
    stand: Stand, api: TestClient, played: Played, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither is it told the old outcome, as if that were today's."""
    guide(api, played, headers, "k10")
    stand.deps().replies.forget("op-1", "k10")
    assert guide(api, played, headers, "k10").status_code == 200, "within the day it is the same"
    stand.deps().replies.forget("op-1", "k10")
    monkeypatch.setattr("backend.domain.access.idempotency.KEPT_S", 0.0)

    late = guide(api, played, headers, "k10")

    assert (late.status_code, late.json()["code"]) == (409, "key_spent")
    assert "new key" in late.json()["remedy"]
    assert given(stand, played) == 1


def test_each_account_has_keys_of_its_own(stand: Stand, api: TestClient, played: Played) -> None:
    assert guide(api, played, token(stand), "k4").status_code == 200
    assert guide(api, played, token(stand, "op-2"), "k4").json()["code"] == "conn"


def test_twenty_at_once_are_one(
    stand: Stand, api: TestClient, played: Played, headers: dict[str, str]
) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: guide(api, played, headers, "k5"), range(20)))

    assert given(stand, played) == 1
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert guide(api, played, headers, "k5").status_code == 200


def test_a_request_that_broke_off_and_is_sent_again_does_nothing_twice(
    stand: Stand, api: TestClient, played: Played, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the process had died after the intent was put, before its answer was kept."""
    monkeypatch.setattr(type(stand.deps().replies), "keep", lambda *_: None)
    monkeypatch.setattr("backend.persistence.replies.BUSY_S", -1.0)
    put: list[Any] = []
    real = SqlInbox.put

    def noted(inbox: SqlInbox, intent: Any) -> None:
        put.append(intent.id)
        real(inbox, intent)

    monkeypatch.setattr(SqlInbox, "put", noted)

    first, again = guide(api, played, headers, "k6"), guide(api, played, headers, "k6")

    assert (first.status_code, again.status_code) == (200, 200)
    assert (len(put), len(set(put))) == (2, 1)
    assert given(stand, played) == 1


@pytest.mark.parametrize("key", ["", "x" * 129, "a b"], ids=["empty", "long", "blank"])
def test_a_key_that_cannot_be(api: TestClient, played: Played, headers: dict[str, str], key: str) -> None:
    answer = guide(api, played, headers, key)
    assert (answer.status_code, answer.json()["code"]) == (422, "key")


def test_no_secret_is_kept_for_a_second_asking(stand: Stand, api: TestClient) -> None:
    admin = {**token(stand, "boss", "admin"), "idempotency-key": "k7"}
    answer = api.post(f"{V1}/tokens", json={"scopes": ["read"]}, headers=admin)
    assert (answer.status_code, answer.json()["title"]) == (422, "This takes no Idempotency-Key")
