"""Users and their roles. Each change leaves a row in the audit table; password hashes never do."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from sqlalchemy import Connection, Engine, delete, insert, select, update

from backend.persistence.connect import now_s, reading, utc_text, writing
from backend.persistence.errors import AccountRefused
from backend.persistence.plain import audited
from backend.persistence.tables.accounts import sessions, tokens, users

Role = Literal["viewer", "operator", "admin"]


class User(Struct, frozen=True, kw_only=True):
    name: str
    role: Role
    active: bool = True


def add_user(engine: Engine, name: str, role: Role, actor: str, *, password_hash: str | None = None) -> User:
    """Raises AccountRefused when the name is taken."""
    with writing(engine) as connection:
        if _user(connection, name) is not None:
            raise AccountRefused(
                f"There is a user {name} already.", field="name", remedy="Take another name."
            )
        user = User(name=name, role=role)
        values = {
            "name": name,
            "role": role,
            "password_hash": password_hash,
            "active": True,
            "utc": utc_text(now_s(connection)),
        }
        connection.execute(insert(users).values(values))
        audited(connection, actor, "user.added", name, None, user)
        return user


def change_user(
    engine: Engine, name: str, actor: str, *, role: Role | None = None, active: bool | None = None
) -> User:
    """Another role, or the account switched off (which revokes its tokens) or on. Either ends its sessions.

    Raises AccountRefused, also for the last admin who could undo it.
    """
    with writing(engine) as connection:
        before = _user(connection, name)
        if before is None:
            raise _no_such(name)
        after = User(
            name=name,
            role=before.role if role is None else role,
            active=before.active if active is None else active,
        )
        _refuse_last_admin(connection, before, after)
        mine = users.c.name == name
        connection.execute(update(users).where(mine).values(role=after.role, active=after.active))
        if not after.active:
            connection.execute(delete(tokens).where(tokens.c.user == name))
        if after != before:
            connection.execute(delete(sessions).where(sessions.c.user == name))
        audited(connection, actor, "user.changed", name, before, after)
        return after


def set_password_hash(
    engine: Engine, name: str, password_hash: str | None, actor: str, *, but: str = ""
) -> None:
    """Ends the account's sessions, all but `but`: whoever knew the old password is out.

    Raises AccountRefused.
    """
    with writing(engine) as connection:
        changed = update(users).where(users.c.name == name).values(password_hash=password_hash)
        if connection.execute(changed).rowcount != 1:
            raise _no_such(name)
        connection.execute(delete(sessions).where(sessions.c.user == name, sessions.c.id != but))
        audited(connection, actor, "user.password_set", name, None, None)


def password_hash_of(engine: Engine, name: str) -> str | None:
    """None for an unknown or inactive user, and for one who signs in by link or token alone."""
    query = select(users.c.password_hash).where(users.c.name == name, users.c.active)
    with reading(engine) as connection:
        found = connection.execute(query).scalar_one_or_none()
    return None if found is None else str(found)


def user_named(engine: Engine, name: str) -> User | None:
    with reading(engine) as connection:
        return _user(connection, name)


def all_users(engine: Engine) -> list[User]:
    with reading(engine) as connection:
        query = select(users.c.name, users.c.role, users.c.active).order_by(users.c.name)
        return [User(**row) for row in connection.execute(query).mappings()]


def _user(connection: Connection, name: str) -> User | None:
    query = select(users.c.name, users.c.role, users.c.active).where(users.c.name == name)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else User(**row)


def _refuse_last_admin(connection: Connection, before: User, after: User) -> None:
    """Where people sign in with passwords, one admin who can stays."""
    if before.role != "admin" or not before.active or (after.role == "admin" and after.active):
        return
    can = users.c.active & (users.c.role == "admin") & users.c.password_hash.is_not(None)
    admins = set(connection.execute(select(users.c.name).where(can)).scalars())
    if admins == {before.name}:
        raise AccountRefused(
            f"{before.name} is the only admin who can sign in.",
            field="role",
            remedy="Make another admin first.",
        )


def _no_such(name: str) -> AccountRefused:
    return AccountRefused(f"There is no user {name}.", field="name", remedy="Look at the list of users.")
