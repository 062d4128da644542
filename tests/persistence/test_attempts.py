"""Tries at the sign-in are counted for all web processes, and many at once get no further than one by one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import Engine

from backend.domain.access.attempts import FREE
from backend.persistence.attempts import SqlAttempts


def test_a_few_tries_are_free_and_then_one_waits(engine: Engine) -> None:
    keys = {"account": "ada", "address": "10.0.0.1"}
    for _ in range(FREE["account"]):
        assert SqlAttempts(engine).begin(keys) is None  # type: ignore[arg-type]

    refusal = SqlAttempts(engine).begin(keys)  # type: ignore[arg-type]

    assert refusal is not None
    assert refusal.remedy == "Wait 15 s, then try again."
    assert SqlAttempts(engine).begin({"account": "bob", "address": "10.0.0.1"}) is None


def test_who_gets_in_begins_anew_and_the_address_is_counted_on(engine: Engine) -> None:
    attempts = SqlAttempts(engine)
    keys = {"account": "eve", "address": "10.0.0.2"}
    for _ in range(FREE["address"]):
        assert attempts.begin(keys) is None  # type: ignore[arg-type]
        attempts.succeeded(keys)  # type: ignore[arg-type]
    for number in range(FREE["address"]):
        assert attempts.begin({"account": f"name-{number}", "address": "10.0.0.2"}) is None

    assert attempts.begin({"account": "another", "address": "10.0.0.2"}) is not None


def test_many_tries_at_once_are_all_counted(engine: Engine) -> None:
    keys = {"account": "mallory", "address": "10.0.0.3"}
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: SqlAttempts(engine).begin(keys), range(16)))  # type: ignore[arg-type]

    assert len([each for each in found if each is None]) == FREE["account"]


def test_a_name_as_long_as_anything_is_counted_like_any_other(engine: Engine) -> None:
    attempts = SqlAttempts(engine)
    keys = {"account": "x" * 5000, "address": "10.0.0.4"}
    for _ in range(FREE["account"]):
        assert attempts.begin(keys) is None  # type: ignore[arg-type]
    assert attempts.begin(keys) is not None  # type: ignore[arg-type]
