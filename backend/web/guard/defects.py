"""What nobody foresaw, answered in here: further out the answer would go without the headers of every
other."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.web.failures import Failures


class Defects:
    def __init__(self, app: ASGIApp, failures: Failures) -> None:
        self._app = app
        self._failures = failures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = has_begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            if has_begun:
                raise
            await self._failures.answer(scope, error)(scope, receive, send)
