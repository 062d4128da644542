"""Headers of every answer: nothing but our own files runs, is framed by nobody, and tells no other site
where from.

Threat: markup or script that slipped into a page, clickjacking of HOLD or Approve, a page kept by a shared
browser.
"""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
UNKEPT = "no-store"
TLS = {"Strict-Transport-Security": "max-age=31536000"}
"""Where a proxy serves the console over TLS: browsers come no other way from then on."""


class SecureHeaders:
    """Sets `HEADERS`, and `Cache-Control: no-store` wherever the answer says nothing of its own."""

    def __init__(self, app: ASGIApp, is_https: bool = False) -> None:
        self._app = app
        self._headers = {**HEADERS, **TLS} if is_https else HEADERS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", UNKEPT)
            await send(message)

        await self._app(scope, receive, sealed if scope["type"] == "http" else send)
