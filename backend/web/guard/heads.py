"""HEAD, for every address that has GET: the same answer without its body. No route is asked to know of it."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


def is_look(scope: Scope) -> bool:
    """Whether this GET was a HEAD: a look ahead, which uses nothing up."""
    return bool(scope.get("state", {}).get("is_look"))


class Heads:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        asked = {**scope, "method": "GET", "state": {**scope.get("state", {}), "is_look": True}}

        async def headless(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self._app(asked, receive, headless)
