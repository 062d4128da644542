"""Who may what: scopes of a token, tries at the sign-in, and requests sent twice."""

from __future__ import annotations

import pytest

from backend.domain.access.attempts import FORGET_S, FREE, LONGEST_WAIT_S, Kind, Tries, refuse_attempt, wait_s
from backend.domain.access.idempotency import Kept, refuse_key, refuse_replay
from backend.domain.access.scopes import SCOPES, Scope, refuse_role_for, refuse_scope

NOW_S = 10_000.0


@pytest.mark.parametrize("needed", SCOPES)
def test_a_token_does_what_it_was_made_for_and_nothing_else(needed: Scope) -> None:
    others = [scope for scope in SCOPES if scope != needed]
    assert refuse_scope([needed], needed) is None
    refusal = refuse_scope(others, needed)
    assert refusal is not None
    assert f"not for {needed}" in refusal.message
    assert f"--scope {needed}" in refusal.remedy
    assert refuse_scope([], needed) is not None


@pytest.mark.parametrize(("role", "may"), [("viewer", False), ("operator", False), ("admin", True)])
def test_accounts_are_an_admin_s_matter(role: str, may: bool) -> None:
    assert (refuse_role_for(role, "admin") is None) is may
    assert refuse_role_for(role, "command") is None


WAITS = {
    "the first": (0, 0.0),
    "the last free": (4, 0.0),
    "one more": (5, 15.0),
    "two": (6, 30.0),
    "many": (99, 900.0),
}


@pytest.mark.parametrize(("failures", "waits_s"), WAITS.values(), ids=WAITS.keys())
def test_the_wait_doubles_up_to_a_bound(failures: int, waits_s: float) -> None:
    assert wait_s("account", failures) == waits_s
    assert wait_s("account", 10**6) == LONGEST_WAIT_S


TRIES: dict[str, tuple[dict[Kind, Tries], str]] = {
    "never": ({"account": Tries(), "address": Tries()}, ""),
    "freely": ({"account": Tries(failures=4, last_s=NOW_S)}, ""),
    "too soon": ({"account": Tries(failures=5, last_s=NOW_S - 5)}, "Wait 10 s, then try again."),
    "late enough": ({"account": Tries(failures=5, last_s=NOW_S - 15)}, ""),
    "from one address": ({"account": Tries(), "address": Tries(failures=24, last_s=NOW_S)}, "Wait 4 min"),
    "long forgotten": ({"account": Tries(failures=99, last_s=NOW_S - FORGET_S - 1)}, ""),
}


@pytest.mark.parametrize(("tries", "says"), TRIES.values(), ids=TRIES.keys())
def test_who_tries_too_often_is_told_how_long_to_wait(tries: dict[Kind, Tries], says: str) -> None:
    refusal = refuse_attempt(tries, NOW_S)
    assert (refusal is None) is (says == "")
    if refusal is not None:
        assert refusal.remedy.startswith(says)


def test_an_address_has_more_tries_than_an_account() -> None:
    assert FREE["address"] > FREE["account"]


@pytest.mark.parametrize(
    ("kept", "code"),
    [
        (Kept(request="a", status=200, body="{}"), None),
        (Kept(request="b", status=200, body="{}"), "key_reused"),
        (Kept(request="a"), "key_busy"),
    ],
    ids=["again", "another", "under way"],
)
def test_a_key_stands_for_one_request(kept: Kept, code: str | None) -> None:
    refusal = refuse_replay(kept, "a")
    assert (refusal.code if refusal is not None else None) == code


@pytest.mark.parametrize(
    ("key", "good"), [("a-1", True), ("", False), ("x" * 129, False), ("a b", False), ("é", False)]
)
def test_keys_are_short_and_plain(key: str, good: bool) -> None:
    assert (refuse_key(key) is None) is good
