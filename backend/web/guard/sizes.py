"""How much one request may send. Threat: a body that fills memory before any field of it is looked at."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.web.errors import TooLarge
from backend.web.failures import Failures

LARGEST = 1_000_000
"""Bytes: a plan of a thousand steps has a tenth of that."""
LARGER = {"/sites/maps": 20_000_000}
"""Where files come: a map of 4,000 × 4,000 pixels, a byte each."""


class Sizes:
    def __init__(self, app: ASGIApp, failures: Failures) -> None:
        self._app = app
        self._failures = failures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = Headers(scope=scope).get("content-length", "0")
        most = LARGER.get(scope["path"], LARGEST)
        if not said.isdecimal() or int(said) > most:
            await self._failures.answer(scope, _too_large(most))(scope, receive, send)
            return
        came = 0

        async def counted() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > most:
                raise _too_large(most)
            return message

        await self._app(scope, counted, send)


def _too_large(most: int) -> TooLarge:
    return TooLarge(
        "This is too large", text=f"A request may have {most:,} bytes.", remedy="Send less at once."
    )
