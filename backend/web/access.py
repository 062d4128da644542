"""What the web is given to see to accounts and tokens, and to answer a request that is sent twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from backend.domain.access.idempotency import Kept

Role = Literal["viewer", "operator", "admin"]


class User(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def role(self) -> Role: ...

    @property
    def active(self) -> bool: ...


class Token(Protocol):
    """What may be shown of a token; times in epoch seconds on the database's clock. `scopes`: with blanks
    between."""

    @property
    def id(self) -> str: ...

    @property
    def user(self) -> str: ...

    @property
    def label(self) -> str: ...

    @property
    def scopes(self) -> str: ...

    @property
    def created_s(self) -> float: ...

    @property
    def expires_s(self) -> float: ...

    @property
    def used_s(self) -> float | None: ...


class Change(Protocol):
    """A row of the audit table: who did what to which account or token."""

    @property
    def utc(self) -> str: ...

    @property
    def actor(self) -> str: ...

    @property
    def action(self) -> str: ...

    @property
    def subject(self) -> str: ...

    @property
    def after(self) -> Any: ...


class Registry(Protocol):
    """Accounts and tokens. What cannot be raises one of `Deps.denied`: `message`, `field` and `remedy`."""

    def users(self) -> Sequence[User]: ...

    def user(self, name: str) -> User | None: ...

    def has_password(self, name: str) -> bool: ...

    def add(self, name: str, role: Role, password_hash: str | None, by: str) -> User: ...

    def change(self, name: str, by: str, *, role: Role | None = None, active: bool | None = None) -> User: ...

    def set_password(self, name: str, password_hash: str, by: str, *, but: str = "") -> None:
        """Ends the account's sessions, all but the one named `but`."""

    def tokens(self, user: str | None = None) -> Sequence[Token]: ...

    def issue(self, user: str, label: str, scopes: Sequence[str], ttl_s: float, by: str) -> str:
        """The token, which nobody can be shown again."""

    def is_of(self, user: str, token: str) -> bool:
        """Whether this is an API token of that user; to be asked is no use of it."""

    def revoke(self, token_id: str, by: str, *, owner: str | None = None) -> bool:
        """False when there is none, or it is not `owner`'s."""

    def trail(self) -> Sequence[Change]:
        """The newest first."""


class Replies(Protocol):
    """What was answered to each Idempotency-Key."""

    def claim(self, user: str, key: str, request: str) -> Kept | None:
        """None: the key is new, and this request's from now on."""

    def keep(self, user: str, key: str, status: int, body: str) -> None: ...

    def forget(self, user: str, key: str) -> None: ...
