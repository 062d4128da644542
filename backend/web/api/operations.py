"""What an operation of the API is: an address, what goes in, what comes out, and the scope it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from backend.domain.access.scopes import Scope
from backend.web.guard.visitor import Visitor
from backend.web.pages.chrome import User

ROOT = "/api/v1"


class Call(Struct, frozen=True, kw_only=True):
    """One request for an operation, read and checked. `query` and `body`: of the operation's types. `key`:
    its Idempotency-Key, made safe for an id; empty without one."""

    user: User
    visitor: Visitor
    path: Mapping[str, str]
    query: Any = None
    body: Any = None
    key: str = ""


class Reply(Struct, frozen=True, kw_only=True):
    """`value`: of the operation's answer type."""

    value: Any
    status: int = 200


class Operation(Struct, frozen=True, kw_only=True):
    """`run` takes a Call and gives a Reply, itself or as a coroutine; what it refuses it raises.

    `query`, `body`, `answer`: msgspec Structs, or None. `is_own`: about what belongs to who calls, so that a
    session needs no scope for it; a token still does. `takes_key`: whether an answer may be kept for who
    sends the same again; never where a secret is in it. `replays`: whether one is, or it is done again, as a
    hold is: that the last one was applied stops no robot.
    """

    id: str
    method: Literal["GET", "POST", "DELETE"]
    path: str
    scope: Scope
    tag: str
    summary: str
    run: Callable[[Call], Any]
    text: str = ""
    query: type | None = None
    body: type | None = None
    answer: type | None = None
    status: int = 200
    is_own: bool = False
    takes_key: bool = True
    replays: bool = True
