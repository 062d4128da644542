"""One answer for a key, whoever sends it again and however many at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, update

from backend.domain.access.idempotency import BUSY_S, KEPT_S, Kept
from backend.persistence.accounts import add_user
from backend.persistence.connect import writing
from backend.persistence.replies import SqlReplies
from backend.persistence.tables.accounts import replies


@pytest.fixture(scope="module", autouse=True)
def people(engine: Engine) -> None:
    for name in ("ada", "bob"):
        add_user(engine, name, "operator", "test")


def later(engine: Engine, key: str, seconds: float) -> None:
    with writing(engine) as connection:
        moved = update(replies).where(replies.c.key == key).values(put_s=replies.c.put_s - seconds)
        connection.execute(moved)


def test_the_first_answer_is_given_again(engine: Engine) -> None:
    kept = SqlReplies(engine)
    assert kept.claim("ada", "k1", "request") is None
    assert kept.claim("ada", "k1", "request") == Kept(request="request")
    kept.keep("ada", "k1", 200, "{}")

    assert kept.claim("ada", "k1", "request") == Kept(request="request", status=200, body="{}")
    assert kept.claim("bob", "k1", "request") is None, "each has keys of their own"
    later(engine, "k1", KEPT_S)
    assert kept.claim("ada", "k1", "request") is None


def test_a_request_that_came_to_nothing_may_be_sent_again(engine: Engine) -> None:
    kept = SqlReplies(engine)
    kept.claim("ada", "k2", "request")
    kept.forget("ada", "k2")
    assert kept.claim("ada", "k2", "request") is None


def test_a_request_that_broke_off_is_taken_up_and_by_nothing_else(engine: Engine) -> None:
    kept = SqlReplies(engine)
    kept.claim("ada", "k3", "request")
    later(engine, "k3", BUSY_S)
    assert kept.claim("ada", "k3", "another") == Kept(request="request")
    assert kept.claim("ada", "k3", "request") is None


def test_of_many_at_once_one_is_the_first(engine: Engine) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: SqlReplies(engine).claim("ada", "k4", "request"), range(8)))

    assert found.count(None) == 1
