"""Sign-in links, sessions and API tokens: random, shown once, stored as SHA-256 only.

A token carries 256 random bits, so that a plain hash keeps it; passwords need a slow one and are not hashed
here.
"""

from __future__ import annotations

import secrets
from typing import Literal

from msgspec import Struct
from sqlalchemy import Engine, delete, insert, select, update

from backend.domain.digests import digest_of_text
from backend.persistence.accounts import User
from backend.persistence.connect import now_s, reading, writing
from backend.persistence.errors import AccountRefused
from backend.persistence.plain import audited
from backend.persistence.tables.accounts import tokens, users

TokenKind = Literal["sign_in", "session", "api"]


class TokenInfo(Struct, frozen=True, kw_only=True):
    """What may be shown of a token: never the token. Times in epoch seconds on the database's clock."""

    token_digest: str
    kind: TokenKind
    user: str
    label: str
    created_s: float
    expires_s: float
    used_s: float | None


def issue(engine: Engine, user: str, kind: TokenKind, ttl_s: float, *, label: str = "") -> str:
    """A new token, which nobody can be shown again. Raises AccountRefused for an unknown or inactive user."""
    token = secrets.token_urlsafe(32)
    with writing(engine) as connection:
        active = select(users.c.active).where(users.c.name == user)
        if not connection.execute(active).scalar_one_or_none():
            raise AccountRefused(f"{user} may not sign in.", field="user", remedy="Ask an administrator.")
        clock_s = now_s(connection)
        values = {
            "token_digest": digest_of_text(token),
            "kind": kind,
            "user": user,
            "label": label,
            "created_s": clock_s,
            "expires_s": clock_s + ttl_s,
        }
        connection.execute(insert(tokens).values(values))
        if kind == "api":
            audited(connection, user, "token.issued", label, None, None)
    return token


def use_once(engine: Engine, token: str) -> User | None:
    """Whose sign-in link this is, the first time it is followed; None ever after, and for anything else."""
    digest = digest_of_text(token)
    with writing(engine) as connection:
        clock_s = now_s(connection)
        mine = (tokens.c.token_digest == digest) & (tokens.c.kind == "sign_in")
        fresh = tokens.c.used_s.is_(None) & (tokens.c.expires_s > clock_s)
        used = connection.execute(update(tokens).where(mine, fresh).values(used_s=clock_s))
        if used.rowcount != 1:
            return None
    return _user_of(engine, digest, "sign_in")


def user_of(engine: Engine, token: str, kind: Literal["session", "api"]) -> User | None:
    """Who comes with this token; None when it ran out, was revoked, or its user may not sign in."""
    return _user_of(engine, digest_of_text(token), kind)


def revoke(engine: Engine, token: str) -> None:
    with writing(engine) as connection:
        connection.execute(delete(tokens).where(tokens.c.token_digest == digest_of_text(token)))


def revoke_digest(engine: Engine, token_digest: str, actor: str) -> bool:
    """Revokes a token that is known by its digest alone, as lists show it. False when there is none."""
    with writing(engine) as connection:
        gone = connection.execute(delete(tokens).where(tokens.c.token_digest == token_digest)).rowcount == 1
        if gone:
            audited(connection, actor, "token.revoked", token_digest[:12], None, None)
        return gone


def tokens_of(engine: Engine, user: str) -> list[TokenInfo]:
    with reading(engine) as connection:
        query = select(tokens).where(tokens.c.user == user).order_by(tokens.c.created_s)
        return [TokenInfo(**row) for row in connection.execute(query).mappings()]


def sweep(engine: Engine) -> int:
    """Deletes tokens that ran out; how many."""
    with writing(engine) as connection:
        return connection.execute(delete(tokens).where(tokens.c.expires_s <= now_s(connection))).rowcount


def _user_of(engine: Engine, digest: str, kind: TokenKind) -> User | None:
    with reading(engine) as connection:
        query = (
            select(users.c.name, users.c.role, users.c.active)
            .join(tokens, tokens.c.user == users.c.name)
            .where(
                tokens.c.token_digest == digest,
                tokens.c.kind == kind,
                tokens.c.expires_s > now_s(connection),
                users.c.active,
            )
        )
        row = connection.execute(query).mappings().one_or_none()
    return None if row is None else User(**row)
