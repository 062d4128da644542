"""Who has signed in, as the console asks it: links, passwords and sessions over the tables of accounts."""

from __future__ import annotations

from sqlalchemy import Engine, select, update

from backend.domain.digests import digest_of_text
from backend.persistence import tokens
from backend.persistence.accounts import User, password_hash_of
from backend.persistence.connect import now_s, reading, writing
from backend.persistence.tables.accounts import tokens as tokens_table


class SqlAccounts:
    """For any number of threads and processes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def follow(self, code: str) -> User | None:
        """Whose sign-in link this is, the first time that it is followed; None ever after."""
        return tokens.use_once(self._engine, code)

    def password_hash(self, name: str) -> str | None:
        return password_hash_of(self._engine, name)

    def open_session(self, name: str, ttl_s: float) -> str:
        """A new session token. Raises AccountRefused for an unknown or inactive user."""
        return tokens.issue(self._engine, name, "session", ttl_s)

    def who(self, session: str, ttl_s: float) -> User | None:
        """Whose session this is, kept open for `ttl_s` more once an eighth of that has passed."""
        user = tokens.user_of(self._engine, session, "session")
        if user is not None:
            self._keep_open(session, ttl_s)
        return user

    def end_session(self, session: str) -> None:
        tokens.revoke(self._engine, session)

    def _keep_open(self, session: str, ttl_s: float) -> None:
        """Written rarely: each request of a page would else be a write."""
        mine = tokens_table.c.token_digest == digest_of_text(session)
        with reading(self._engine) as connection:
            found = connection.execute(select(tokens_table.c.expires_s).where(mine)).scalar_one_or_none()
            if found is None or found > now_s(connection) + ttl_s * 7 / 8:
                return
        with writing(self._engine) as connection:
            until_s = now_s(connection) + ttl_s
            connection.execute(update(tokens_table).where(mine).values(expires_s=until_s))
