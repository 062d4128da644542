"""Who signs in and stays signed in, as the web asks it: links, passwords, sessions that end when idle."""

from __future__ import annotations

import logging
import threading
import time

from sqlalchemy import Engine, update

from backend.domain.digests import digest_of_text
from backend.persistence import tokens
from backend.persistence.accounts import User, password_hash_of
from backend.persistence.connect import now_s, writing
from backend.persistence.errors import StorageFailure
from backend.persistence.tables.accounts import tokens as table

log = logging.getLogger(__name__)

RENEW_EVERY_S = 60.0
"""A session in use is written this often, not at each request."""


class SqlAccounts:
    """For any number of threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._renewed_s: dict[str, float] = {}

    def follow(self, code: str) -> User | None:
        """Whose sign-in link `code` is, the first time that it is followed; None ever after."""
        return tokens.use_once(self._engine, code)

    def password_hash(self, name: str) -> str | None:
        """None for an unknown or inactive account, and for one without a password."""
        return password_hash_of(self._engine, name)

    def open_session(self, name: str, ttl_s: float) -> str:
        """A new session token. Raises AccountRefused."""
        return tokens.issue(self._engine, name, "session", ttl_s)

    def who(self, session: str, ttl_s: float) -> User | None:
        """Whose session this is, kept open for another `ttl_s`; None when it ran out or was ended."""
        user = tokens.user_of(self._engine, session, "session")
        if user is not None:
            self._renew(session, ttl_s)
        return user

    def end_session(self, session: str) -> None:
        tokens.revoke(self._engine, session)

    def _renew(self, session: str, ttl_s: float) -> None:
        digest = digest_of_text(session)
        now = time.monotonic()
        with self._lock:
            if now - self._renewed_s.get(digest, float("-inf")) < RENEW_EVERY_S:
                return
            self._renewed_s = {
                key: at_s for key, at_s in self._renewed_s.items() if now - at_s < RENEW_EVERY_S
            }
            self._renewed_s[digest] = now
        mine = (table.c.token_digest == digest) & (table.c.kind == "session")
        try:
            with writing(self._engine) as connection:
                clock_s = now_s(connection)
                live = table.c.expires_s > clock_s
                connection.execute(
                    update(table).where(mine, live).values(expires_s=clock_s + ttl_s, used_s=clock_s)
                )
        except StorageFailure as error:
            # Who is signed in stays so while nothing can be written: they may have to stop a robot.
            log.warning("a session is not renewed: %s", error)
