"""Users, sign-in links, sessions and API tokens: hashed, bounded in time, and audited."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, select

from backend.domain.digests import digest_of_text
from backend.persistence import accounts
from backend.persistence import tokens as tokens_module
from backend.persistence.accounts import User
from backend.persistence.connect import reading
from backend.persistence.errors import AccountRefused
from backend.persistence.plain import audit_trail
from backend.persistence.tables.accounts import tokens
from backend.persistence.tokens import api_tokens, bearer, issue, revoke_id, use_once

_numbers = itertools.count(1)


@pytest.fixture
def user(engine: Engine) -> User:
    return accounts.add_user(engine, f"user-{next(_numbers)}", "operator", "admin", password_hash="hashed")


def test_a_user_is_known_with_role_and_password_hash(engine: Engine, user: User) -> None:
    assert accounts.user_named(engine, user.name) == User(name=user.name, role="operator", active=True)
    assert accounts.password_hash_of(engine, user.name) == "hashed"
    assert user in accounts.all_users(engine)
    assert accounts.user_named(engine, "nobody") is None
    assert accounts.password_hash_of(engine, "nobody") is None


def test_a_name_is_given_once(engine: Engine, user: User) -> None:
    with pytest.raises(AccountRefused, match=f"a user {user.name} already"):
        accounts.add_user(engine, user.name, "admin", "admin")

    assert accounts.user_named(engine, user.name) == user


def test_an_inactive_user_has_no_password_no_token_and_no_new_one(engine: Engine, user: User) -> None:
    token = issue(engine, user.name, "api", 60)

    accounts.change_user(engine, user.name, "admin", active=False)

    assert bearer(engine, token) is None
    assert accounts.password_hash_of(engine, user.name) is None
    with pytest.raises(AccountRefused, match="may not sign in"):
        issue(engine, user.name, "api", 60)


@pytest.mark.parametrize("name", ["nobody", ""])
def test_changes_to_nobody_are_refused(engine: Engine, name: str) -> None:
    with pytest.raises(AccountRefused, match="There is no user"):
        accounts.change_user(engine, name, "admin", role="viewer")
    with pytest.raises(AccountRefused, match="There is no user"):
        accounts.set_password_hash(engine, name, "x", "admin")


def test_a_token_says_who_comes_and_for_what_until_it_runs_out(engine: Engine, user: User) -> None:
    token = issue(engine, user.name, "api", 60, scopes=("read", "hold"))

    found = bearer(engine, token)

    assert found is not None
    assert (found.name, found.role, found.scopes) == (user.name, "operator", ("read", "hold"))
    assert token.startswith("qdt_")
    assert bearer(engine, issue(engine, user.name, "api", 0)) is None
    assert bearer(engine, "anything") is None


def test_a_token_s_use_is_noted(engine: Engine, user: User) -> None:
    token = issue(engine, user.name, "api", 60)
    assert api_tokens(engine, user.name)[0].used_s is None
    bearer(engine, token)
    assert api_tokens(engine, user.name)[0].used_s is not None


def test_a_role_taken_away_counts_at_once(engine: Engine, user: User) -> None:
    token = issue(engine, user.name, "api", 60)

    accounts.change_user(engine, user.name, "admin", role="viewer")

    found = bearer(engine, token)
    assert found is not None
    assert found.role == "viewer"


def test_a_token_is_good_for_its_own_kind_alone(engine: Engine, user: User) -> None:
    api, link = issue(engine, user.name, "api", 60), issue(engine, user.name, "sign_in", 60)

    assert bearer(engine, link) is None
    assert use_once(engine, api) is None


def test_the_last_admin_who_can_sign_in_stays_one(engine: Engine) -> None:
    for each in accounts.all_users(engine):
        if each.role == "admin":
            accounts.change_user(engine, each.name, "test", role="viewer")
    accounts.add_user(engine, "chief", "admin", "test", password_hash="hashed")
    for change in ({"role": "operator"}, {"active": False}):
        with pytest.raises(AccountRefused, match="chief is the only admin"):
            accounts.change_user(engine, "chief", "test", **change)  # type: ignore[arg-type]
    accounts.add_user(engine, "deputy", "admin", "test", password_hash="hashed")
    assert accounts.change_user(engine, "chief", "test", role="operator").role == "operator"


def test_a_sign_in_link_is_good_once(engine: Engine, user: User) -> None:
    link = issue(engine, user.name, "sign_in", 60)

    with ThreadPoolExecutor(8) as pool:
        signed_in = list(pool.map(lambda _: use_once(engine, link), range(8)))

    assert [found for found in signed_in if found is not None] == [user]
    assert use_once(engine, issue(engine, user.name, "sign_in", 0)) is None


def test_no_token_is_stored(engine: Engine, user: User) -> None:
    token = issue(engine, user.name, "api", 60, label="notebook")

    with reading(engine) as connection:
        stored = [str(row) for row in connection.execute(select(tokens))]
    assert not any(token in row for row in stored)
    (info,) = api_tokens(engine, user.name)
    assert (info.token_digest, info.label, info.kind) == (digest_of_text(token), "notebook", "api")
    assert info.expires_s == pytest.approx(info.created_s + 60)


def test_a_token_can_be_revoked_by_its_id_and_by_its_owner_alone(engine: Engine, user: User) -> None:
    token = issue(engine, user.name, "api", 60)
    (info,) = api_tokens(engine, user.name)

    assert not revoke_id(engine, info.id, "somebody", owner="somebody")
    assert not revoke_id(engine, "", "admin")
    assert revoke_id(engine, info.id, "admin")
    assert not revoke_id(engine, info.id, "admin")
    assert bearer(engine, token) is None


def test_tokens_are_long_and_never_alike() -> None:
    drawn = {tokens_module.secrets.token_urlsafe(32) for _ in range(100)}

    assert len(drawn) == 100
    assert min(map(len, drawn)) >= 43


def test_each_change_is_audited_and_no_hash_is(engine: Engine, user: User) -> None:
    accounts.change_user(engine, user.name, "root", role="admin")
    accounts.set_password_hash(engine, user.name, "another hash", "root")

    entries = [entry for entry in audit_trail(engine) if entry.subject == user.name]

    assert [(entry.action, entry.actor) for entry in entries] == [
        ("user.password_set", "root"),
        ("user.changed", "root"),
        ("user.added", "admin"),
    ]
    assert (entries[1].before["role"], entries[1].after["role"]) == ("operator", "admin")
    assert not any("hash" in str((entry.before, entry.after)) for entry in entries)
