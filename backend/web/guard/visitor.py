"""Who comes, as the guard found out: by the cookie of a session, or by an API token."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.types import Scope as AsgiScope

from backend.domain.access.scopes import SCOPES, Scope

Role = Literal["viewer", "operator", "admin"]
API = "/api/"
BEARER = "bearer "


class Visitor(Struct, frozen=True, kw_only=True):
    """`scopes`: what the request may be for: all, by session; what its token says, by token. `session`: of a
    session, its name; `token`: of a token, its id; the other is empty."""

    name: str
    role: Role
    scopes: tuple[str, ...]
    session: str = ""
    token: str = ""


def by_session(name: str, role: Role, session: str) -> Visitor:
    scopes: tuple[Scope, ...] = SCOPES if role == "admin" else tuple(s for s in SCOPES if s != "admin")
    return Visitor(name=name, role=role, scopes=scopes, session=session)


def bearer_of(headers: Headers) -> str | None:
    """The API token that came with the request; None where none did."""
    value = headers.get("authorization", "")
    return value[len(BEARER) :].strip() if value[: len(BEARER)].lower() == BEARER else None


def visitor_of(scope: AsgiScope) -> Visitor | None:
    found = scope.get("state", {}).get("visitor")
    return found if isinstance(found, Visitor) else None


def address_of(scope: AsgiScope) -> str:
    """Where the request came from: behind a proxy that is trusted, what the proxy says."""
    client = scope.get("client")
    return str(client[0]) if client else ""
