"""Sign-in links and API tokens: random, shown once, stored as SHA-256 only.

A token carries 256 random bits, so that a plain hash keeps it; passwords need a slow one and are not hashed
here.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from sqlalchemy import Engine, delete, func, insert, select, update

from backend.domain.digests import digest_of_text
from backend.persistence.accounts import Role, User
from backend.persistence.connect import now_s, reading, writing
from backend.persistence.errors import AccountRefused, StorageFailure
from backend.persistence.plain import audited
from backend.persistence.tables.accounts import tokens, users

log = logging.getLogger(__name__)

ID_CHARACTERS = 12
USED_EVERY_S = 60.0
"""A token's use is noted this often, not at each request."""
KEEP_S = 7 * 86_400.0
"""One that ran out stays in the list this long, so that a script's failure is explained."""

TokenKind = Literal["sign_in", "api"]
API = "qdt_"
"""What an API token begins with, so that whoever finds one knows what it is."""


class TokenInfo(Struct, frozen=True, kw_only=True):
    """What may be shown of a token: never the token. Times in epoch seconds on the database's clock."""

    token_digest: str
    kind: TokenKind
    user: str
    label: str
    created_s: float
    expires_s: float
    used_s: float | None
    scopes: str = ""

    @property
    def id(self) -> str:
        """By which it is revoked."""
        return self.token_digest[:ID_CHARACTERS]


class Bearer(Struct, frozen=True, kw_only=True):
    """Who comes with an API token, and for what. `token` is its id."""

    name: str
    role: Role
    scopes: tuple[str, ...]
    token: str


def issue(
    engine: Engine,
    user: str,
    kind: TokenKind,
    ttl_s: float,
    *,
    label: str = "",
    scopes: Sequence[str] = (),
    by: str = "",
) -> str:
    """A new token, which nobody can be shown again. Raises AccountRefused for an unknown or inactive user."""
    token = (API if kind == "api" else "") + secrets.token_urlsafe(32)
    with writing(engine) as connection:
        active = select(users.c.active).where(users.c.name == user)
        if not connection.execute(active).scalar_one_or_none():
            raise AccountRefused(f"{user} may not sign in.", field="user", remedy="Ask an administrator.")
        clock_s = now_s(connection)
        digest = digest_of_text(token)
        values = {
            "token_digest": digest,
            "kind": kind,
            "user": user,
            "label": label,
            "created_s": clock_s,
            "expires_s": clock_s + ttl_s,
            "scopes": " ".join(scopes),
        }
        connection.execute(delete(tokens).where(tokens.c.expires_s <= clock_s - KEEP_S))
        connection.execute(insert(tokens).values(values))
        if kind == "api":
            made = {"user": user, "label": label, "scopes": list(scopes)}
            audited(connection, by or user, "token.issued", digest[:ID_CHARACTERS], None, made)
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


def bearer(engine: Engine, token: str) -> Bearer | None:
    """Who comes with this API token; None when it ran out, was revoked, or its user may not sign in."""
    digest = digest_of_text(token)
    mine = (tokens.c.token_digest == digest) & (tokens.c.kind == "api")
    with reading(engine) as connection:
        clock_s = now_s(connection)
        query = (
            select(users.c.name, users.c.role, tokens.c.scopes, tokens.c.used_s)
            .join(tokens, tokens.c.user == users.c.name)
            .where(mine, tokens.c.expires_s > clock_s, users.c.active)
        )
        row = connection.execute(query).mappings().one_or_none()
    if row is None:
        return None
    if row["used_s"] is None or clock_s - row["used_s"] >= USED_EVERY_S:
        try:
            with writing(engine) as connection:
                connection.execute(update(tokens).where(mine).values(used_s=clock_s))
        except StorageFailure as error:
            log.warning("a token's use is not noted: %s", error)
    scopes = tuple(row["scopes"].split())
    return Bearer(name=row["name"], role=row["role"], scopes=scopes, token=digest[:ID_CHARACTERS])


def is_of(engine: Engine, user: str, token: str) -> bool:
    """Whether this is an API token of that user; to be asked is no use of it."""
    digest = digest_of_text(token)
    mine = (tokens.c.token_digest == digest) & (tokens.c.kind == "api") & (tokens.c.user == user)
    with reading(engine) as connection:
        return connection.execute(select(tokens.c.user).where(mine)).first() is not None


def discard(engine: Engine, token: str) -> None:
    """Ends a token that was made for a moment; its end needs no row of its own."""
    with writing(engine) as connection:
        connection.execute(delete(tokens).where(tokens.c.token_digest == digest_of_text(token)))


def revoke_id(engine: Engine, token_id: str, actor: str, *, owner: str | None = None) -> bool:
    """Revokes a token that is known by its id, as lists show it. `owner`: only one of theirs. False when
    there is none."""
    mine = (func.substr(tokens.c.token_digest, 1, ID_CHARACTERS) == token_id) & (tokens.c.kind == "api")
    if owner is not None:
        mine &= tokens.c.user == owner
    with writing(engine) as connection:
        gone = connection.execute(delete(tokens).where(mine)).rowcount > 0
        if gone:
            audited(connection, actor, "token.revoked", token_id, None, None)
        return gone


def api_tokens(engine: Engine, user: str | None = None) -> list[TokenInfo]:
    """Of one user, or all of them; those that ran out too, for a while."""
    query = select(tokens).where(tokens.c.kind == "api").order_by(tokens.c.user, tokens.c.created_s)
    if user is not None:
        query = query.where(tokens.c.user == user)
    with reading(engine) as connection:
        return [TokenInfo(**row) for row in connection.execute(query).mappings()]


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
