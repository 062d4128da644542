"""An address that holds a control character, such as %00: no link of ours has one, and stores differ in what
they make of it. Layout, as in a text that is looked for, may stand in the query."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

from starlette.types import ASGIApp, Receive, Scope, Send

from backend.domain.command.writing import LAYOUT, is_control
from backend.web.errors import Malformed
from backend.web.failures import Failures


def has_control(path: str, query: bytes) -> bool:
    asked = unquote_to_bytes(query.replace(b"+", b" ")).decode("utf-8", "replace")
    return any(is_control(each) or each in LAYOUT for each in path) or any(is_control(each) for each in asked)


class Addresses:
    def __init__(self, app: ASGIApp, failures: Failures) -> None:
        self._app = app
        self._failures = failures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and has_control(scope["path"], scope.get("query_string", b"")):
            error = Malformed(
                "The address holds a control character",
                remedy="Follow a link of the console, or write the address without.",
                code="control_character",
            )
            await self._failures.answer(scope, error)(scope, receive, send)
            return
        await self._app(scope, receive, send)
