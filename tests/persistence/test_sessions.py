"""Sign-in as the console asks it: a link is good once, a session stays open while it is used."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, or_, select, update
from sqlalchemy.engine import RowMapping

from backend.domain.digests import digest_of_text
from backend.persistence.accounts import add_user, change_user, set_password_hash, user_named
from backend.persistence.connect import now_s, reading, writing
from backend.persistence.sessions import (
    PREVIOUS_FOR_S,
    ROTATE_EVERY_S,
    UNSEEN_FOR_S,
    WRITE_EVERY_S,
    SqlAccounts,
)
from backend.persistence.tables.accounts import sessions
from backend.persistence.tokens import issue


@pytest.fixture(scope="module", autouse=True)
def mara(engine: Engine) -> None:
    add_user(engine, "mara", "operator", "test", password_hash="$argon2id$stored")
    add_user(engine, "noor", "viewer", "test")


def row_of(engine: Engine, cookie: str) -> RowMapping:
    digest = digest_of_text(cookie)
    mine = or_(sessions.c.digest == digest, sessions.c.next == digest, sessions.c.previous == digest)
    with reading(engine) as connection:
        return connection.execute(select(sessions).where(mine)).mappings().one()


def later(engine: Engine, cookie: str, seconds: float) -> None:
    """As if so much time had passed since the session was last written."""
    row = row_of(engine, cookie)
    times = {name: row[name] - seconds for name in ("rotated_s", "used_s", "began_s")}
    times |= {name: row[name] - seconds for name in ("next_s", "previous_until_s") if row[name] is not None}
    with writing(engine) as connection:
        connection.execute(update(sessions).where(sessions.c.id == row["id"]).values(times))


def left_s(engine: Engine, cookie: str) -> float:
    with reading(engine) as connection:
        clock_s = now_s(connection)
    return float(row_of(engine, cookie)["expires_s"]) - clock_s


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

    accounts.who(session, 9000)
    assert left_s(engine, session) <= 1000, "it was written a moment ago"
    later(engine, session, WRITE_EVERY_S)
    accounts.who(session, 9000)
    assert 8980 < left_s(engine, session) <= 9000


def test_a_cookie_is_renewed_each_hour_and_the_old_one_ends_when_the_new_one_has_come(engine: Engine) -> None:
    accounts = SqlAccounts(engine)
    old = accounts.open_session("mara", 9000)
    later(engine, old, ROTATE_EVERY_S)

    visitor = accounts.who(old, 9000)
    assert visitor is not None
    new = visitor.cookie
    assert new
    again = accounts.who(old, 9000)
    assert again is not None
    assert again.cookie == "", "one is under way already"
    came = accounts.who(new, 9000)
    assert came is not None
    assert (came.session, came.cookie) == (visitor.session, "")
    assert accounts.who(old, 9000) is not None, "requests under way still carry it"
    later(engine, new, PREVIOUS_FOR_S)
    assert accounts.who(old, 9000) is None
    assert accounts.who(new, 9000) is not None


def test_a_new_cookie_that_got_lost_signs_nobody_out(engine: Engine) -> None:
    accounts = SqlAccounts(engine)
    old = accounts.open_session("mara", 9000)
    later(engine, old, ROTATE_EVERY_S)
    lost = accounts.who(old, 9000)
    later(engine, old, UNSEEN_FOR_S)

    found = accounts.who(old, 9000)

    assert lost is not None
    assert found is not None
    assert found.cookie not in ("", lost.cookie)
    assert accounts.who(lost.cookie, 9000) is None


def test_many_requests_at_once_are_sent_one_new_cookie(engine: Engine) -> None:
    accounts = SqlAccounts(engine)
    old = accounts.open_session("mara", 9000)
    later(engine, old, ROTATE_EVERY_S)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: accounts.who(old, 9000), range(8)))

    assert len([visitor for visitor in found if visitor is not None and visitor.cookie]) == 1


def test_a_session_lasts_no_longer_than_it_may_in_use_or_not(engine: Engine) -> None:
    accounts = SqlAccounts(engine, max_s=7200)
    session = accounts.open_session("mara", 9000)
    later(engine, session, 7199)
    assert accounts.who(session, 9000) is not None
    later(engine, session, 2)
    assert accounts.who(session, 9000) is None


def test_a_socket_knows_its_session_after_the_cookie_was_renewed(engine: Engine) -> None:
    accounts = SqlAccounts(engine)
    cookie = accounts.open_session("mara", 9000)
    visitor = accounts.who(cookie, 9000)
    assert visitor is not None
    assert accounts.is_open(visitor.session, 9000)
    accounts.end_session(cookie)
    assert not accounts.is_open(visitor.session, 9000)
    assert not accounts.is_open("", 9000)


def test_a_session_that_ran_out_is_nobody_s(engine: Engine) -> None:
    accounts = SqlAccounts(engine)

    assert accounts.who(accounts.open_session("mara", -1), 60) is None


CHANGES: dict[str, Callable[[Engine], object]] = {
    "another role": lambda engine: change_user(engine, "guest-1", "test", role="operator"),
    "switched off": lambda engine: change_user(engine, "guest-1", "test", active=False),
    "another password": lambda engine: set_password_hash(engine, "guest-1", "new", "test"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_changes_an_account_ends_its_sessions(
    engine: Engine, change: Callable[[Engine], object]
) -> None:
    if user_named(engine, "guest-1") is None:
        add_user(engine, "guest-1", "viewer", "test")
    change_user(engine, "guest-1", "test", role="viewer", active=True)
    accounts = SqlAccounts(engine)
    session = accounts.open_session("guest-1", 60)

    change(engine)

    assert accounts.who(session, 60) is None


def test_one_s_own_new_password_leaves_one_signed_in_here_alone(engine: Engine) -> None:
    accounts = SqlAccounts(engine)
    here, there = accounts.open_session("noor", 60), accounts.open_session("noor", 60)
    visitor = accounts.who(here, 60)
    assert visitor is not None

    set_password_hash(engine, "noor", "new", "noor", but=visitor.session)

    assert accounts.who(here, 60) is not None
    assert accounts.who(there, 60) is None


def test_who_was_switched_off_is_signed_out(engine: Engine) -> None:
    add_user(engine, "guest", "viewer", "test")
    accounts = SqlAccounts(engine)
    session = accounts.open_session("guest", 60)
    change_user(engine, "guest", "test", active=False)

    assert accounts.who(session, 60) is None
    assert accounts.password_hash("guest") is None
    assert accounts.password_hash("mara") == "$argon2id$stored"
