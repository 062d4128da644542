"""Sign-in as the console asks it: a link is good once, a session stays open while it is used."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, select

from backend.persistence.accounts import add_user, change_user
from backend.persistence.connect import now_s, reading
from backend.persistence.sessions import SqlAccounts
from backend.persistence.tables.accounts import tokens
from backend.persistence.tokens import issue


@pytest.fixture(scope="module", autouse=True)
def mara(engine: Engine) -> None:
    add_user(engine, "mara", "operator", "test", password_hash="$argon2id$stored")
    add_user(engine, "noor", "viewer", "test")


def left_s(engine: Engine) -> float:
    """Until the newest session ends."""
    with reading(engine) as connection:
        expires = select(tokens.c.expires_s).where(tokens.c.kind == "session")
        return max(connection.execute(expires).scalars()) - now_s(connection)


def test_a_link_signs_in_once(engine: Engine) -> None:
    accounts, code = SqlAccounts(engine), issue(engine, "mara", "sign_in", 60)

    followed = accounts.follow(code)

    assert followed is not None
    assert (followed.name, followed.role) == ("mara", "operator")
    assert accounts.follow(code) is None
    assert accounts.follow("anything") is None


def test_a_session_is_known_until_it_is_ended(engine: Engine) -> None:
    accounts = SqlAccounts(engine)
    session = accounts.open_session("noor", 60)

    assert accounts.who(session, 60) is not None
    accounts.end_session(session)
    assert accounts.who(session, 60) is None
    assert accounts.who("anything", 60) is None


def test_a_session_is_kept_open_by_use_and_rarely_written(engine: Engine) -> None:
    accounts = SqlAccounts(engine)
    session = accounts.open_session("mara", 1000)

    accounts.who(session, 2000)
    assert 1980 < left_s(engine) <= 2000
    accounts.who(session, 9000)
    assert left_s(engine) <= 2000, "it was written a moment ago"
    SqlAccounts(engine).who(session, 9000)
    assert 8980 < left_s(engine) <= 9000, "another process knows nothing of that"


def test_a_session_that_ran_out_is_nobody_s(engine: Engine) -> None:
    accounts = SqlAccounts(engine)

    assert accounts.who(accounts.open_session("mara", -1), 60) is None


def test_who_was_switched_off_is_signed_out(engine: Engine) -> None:
    add_user(engine, "guest", "viewer", "test")
    accounts = SqlAccounts(engine)
    session = accounts.open_session("guest", 60)
    change_user(engine, "guest", "test", active=False)

    assert accounts.who(session, 60) is None
    assert accounts.password_hash("guest") is None
    assert accounts.password_hash("mara") == "$argon2id$stored"
