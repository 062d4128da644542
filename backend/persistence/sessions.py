"""Who signs in and stays signed in, as the web asks it: links, passwords, sessions that end when idle.

A session's cookie is renewed each hour: the new one is sent, and the old one is good until the new one has
come back, and a moment longer for requests that are under way. So a cookie that leaked is soon worth nothing,
and an answer that got lost signs nobody out.
"""

from __future__ import annotations

import logging
import secrets

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Engine, delete, insert, or_, select, update
from sqlalchemy.engine import RowMapping

from backend.domain.digests import digest_of_text
from backend.persistence import tokens
from backend.persistence.accounts import Role, User, password_hash_of
from backend.persistence.connect import now_s, reading, writing
from backend.persistence.errors import AccountRefused, StorageFailure
from backend.persistence.plain import audited
from backend.persistence.tables.accounts import sessions, users

log = logging.getLogger(__name__)

WRITE_EVERY_S = 60.0
"""A session in use is written this often, not at each request."""
ROTATE_EVERY_S = 3600.0
PREVIOUS_FOR_S = 60.0
UNSEEN_FOR_S = 600.0
"""A cookie that was sent and did not come back in this long is sent anew."""


class Visitor(Struct, frozen=True, kw_only=True):
    """Who asks. `session` names the sign-in, whatever its cookie; `cookie`: to be sent in place of the one
    that came; empty: it stays."""

    name: str
    role: Role
    session: str
    cookie: str = ""


class SqlAccounts:
    """For any number of threads. `max_s`: how long a session lasts at the most, in use or not."""

    def __init__(self, engine: Engine, max_s: float = 30 * 86_400.0) -> None:
        self._engine = engine
        self._max_s = max_s

    def follow(self, code: str) -> User | None:
        """Whose sign-in link `code` is, the first time that it is followed; None ever after."""
        return tokens.use_once(self._engine, code)

    def password_hash(self, name: str) -> str | None:
        """None for an unknown or inactive account, and for one without a password."""
        return password_hash_of(self._engine, name)

    def bearer(self, token: str) -> tokens.Bearer | None:
        """Who comes with this API token, and for what."""
        return tokens.bearer(self._engine, token)

    def open_session(self, name: str, ttl_s: float, address: str = "") -> str:
        """A new session's cookie. Raises AccountRefused."""
        cookie = secrets.token_urlsafe(32)
        with writing(self._engine) as connection:
            active = select(users.c.active).where(users.c.name == name)
            if not connection.execute(active).scalar_one_or_none():
                raise AccountRefused(f"{name} may not sign in.", field="user", remedy="Ask an administrator.")
            clock_s = now_s(connection)
            values = {
                "id": secrets.token_hex(8),
                "user": name,
                "digest": digest_of_text(cookie),
                "began_s": clock_s,
                "rotated_s": clock_s,
                "used_s": clock_s,
                "expires_s": clock_s + ttl_s,
                "address": address,
            }
            connection.execute(delete(sessions).where(sessions.c.expires_s <= clock_s))
            connection.execute(insert(sessions).values(values))
            audited(connection, name, "session.opened", name, None, {"address": address})
        return cookie

    def who(self, cookie: str, ttl_s: float) -> Visitor | None:
        """Whose session this is, kept open for another `ttl_s`; None when it ran out or was ended."""
        digest = digest_of_text(cookie)
        with reading(self._engine) as connection:
            clock_s = now_s(connection)
            row = self._row(connection, digest, clock_s)
        if row is None:
            return None
        fresh = ""
        is_new = row["next"] == digest
        is_due = row["digest"] == digest and clock_s - row["rotated_s"] >= ROTATE_EVERY_S
        is_due = is_due and (row["next_s"] is None or clock_s - row["next_s"] >= UNSEEN_FOR_S)
        if is_new or is_due or clock_s - row["used_s"] >= WRITE_EVERY_S:
            fresh = self._keep_open(row, digest, ttl_s, is_due)
        return Visitor(name=row["name"], role=row["role"], session=row["id"], cookie=fresh)

    def is_open(self, session: str, ttl_s: float) -> bool:
        """Whether this session goes on: for sockets, which outlive their cookie. An open page is use."""
        with reading(self._engine) as connection:
            clock_s = now_s(connection)
            row = self._row(connection, "", clock_s, session)
        if row is not None and clock_s - row["used_s"] >= WRITE_EVERY_S:
            self._keep_open(row, "", ttl_s, False)
        return row is not None

    def end_session(self, cookie: str) -> None:
        digest = digest_of_text(cookie)
        with writing(self._engine) as connection:
            connection.execute(delete(sessions).where(_known_by(digest)))

    def _row(
        self, connection: Connection, digest: str, clock_s: float, session: str | None = None
    ) -> RowMapping | None:
        mine = _known_by(digest) if session is None else sessions.c.id == session
        query = (
            select(sessions, users.c.name, users.c.role)
            .join(users, users.c.name == sessions.c.user)
            .where(mine, users.c.active, sessions.c.expires_s > clock_s)
            .where(sessions.c.began_s > clock_s - self._max_s)
        )
        row = connection.execute(query).mappings().first()
        if row is None or row["previous"] != digest or row["previous_until_s"] > clock_s:
            return row
        return None

    def _keep_open(self, row: RowMapping, digest: str, ttl_s: float, is_due: bool) -> str:
        """The cookie to send instead, where one is due and nobody else has sent one meanwhile."""
        mine = sessions.c.id == row["id"]
        try:
            with writing(self._engine) as connection:
                clock_s = now_s(connection)
                used = {"used_s": clock_s, "expires_s": clock_s + ttl_s}
                connection.execute(update(sessions).where(mine).values(used))
                came_back = {
                    "digest": digest,
                    "previous": row["digest"],
                    "previous_until_s": clock_s + PREVIOUS_FOR_S,
                    "next": None,
                    "next_s": None,
                    "rotated_s": clock_s,
                }
                connection.execute(update(sessions).where(mine, sessions.c.next == digest).values(came_back))
                if not is_due:
                    return ""
                cookie = secrets.token_urlsafe(32)
                unsent = or_(sessions.c.next_s.is_(None), sessions.c.next_s <= clock_s - UNSEEN_FOR_S)
                sent = {"next": digest_of_text(cookie), "next_s": clock_s}
                written = connection.execute(update(sessions).where(mine, unsent).values(sent))
                return cookie if written.rowcount == 1 else ""
        except StorageFailure as error:
            # Who is signed in stays so while nothing can be written: they may have to stop a robot.
            log.warning("a session is not renewed: %s", error)
            return ""


def _known_by(digest: str) -> ColumnElement[bool]:
    return or_(sessions.c.digest == digest, sessions.c.next == digest, sessions.c.previous == digest)
