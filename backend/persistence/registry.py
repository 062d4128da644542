"""Accounts and API tokens as the pages and the API see to them. The work is done in
`backend.persistence.accounts` and `backend.persistence.tokens`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine

from backend.persistence import accounts, tokens
from backend.persistence.accounts import Role, User
from backend.persistence.connect import now_s, reading
from backend.persistence.plain import AuditEntry, audit_trail
from backend.persistence.tokens import TokenInfo

TRAIL = 30


class SqlRegistry:
    """For any number of threads. Each change leaves a row in the audit table. Raises AccountRefused."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def users(self) -> Sequence[User]:
        return accounts.all_users(self._engine)

    def user(self, name: str) -> User | None:
        return accounts.user_named(self._engine, name)

    def has_password(self, name: str) -> bool:
        return accounts.password_hash_of(self._engine, name) is not None

    def add(self, name: str, role: Role, password_hash: str | None, by: str) -> User:
        return accounts.add_user(self._engine, name, role, by, password_hash=password_hash)

    def change(self, name: str, by: str, *, role: Role | None = None, active: bool | None = None) -> User:
        return accounts.change_user(self._engine, name, by, role=role, active=active)

    def set_password(self, name: str, password_hash: str, by: str, *, but: str = "") -> None:
        accounts.set_password_hash(self._engine, name, password_hash, by, but=but)

    def tokens(self, user: str | None = None) -> Sequence[TokenInfo]:
        return tokens.api_tokens(self._engine, user)

    def issue(self, user: str, label: str, scopes: Sequence[str], ttl_s: float, by: str) -> str:
        return tokens.issue(self._engine, user, "api", ttl_s, label=label, scopes=scopes, by=by)

    def is_of(self, user: str, token: str) -> bool:
        return tokens.is_of(self._engine, user, token)

    def revoke(self, token_id: str, by: str, *, owner: str | None = None) -> bool:
        return tokens.revoke_id(self._engine, token_id, by, owner=owner)

    def trail(self) -> Sequence[AuditEntry]:
        """What was done to accounts, tokens and sessions last, the newest first."""
        return audit_trail(self._engine, limit=TRAIL, subjects=("user", "token", "session", "sign_in"))

    def clock_s(self) -> float:
        with reading(self._engine) as connection:
            return now_s(connection)
