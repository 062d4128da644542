"""Whether a request comes from a page of this console: by `Sec-Fetch-Site`, else by `Origin`; sockets by
`Origin`.

Threat: another site's page sends a form, or opens a socket, in the name of whoever is signed in here (CSRF,
cross-site WebSocket hijacking); a name that was made to point here (DNS rebinding). A browser sets these
headers itself and lets no script forge them. A request with neither header does not come from a browser's
page.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from backend.domain.refusal import Refusal
from backend.web.errors import ForeignPage
from backend.web.failures import Failures

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
HERE = frozenset({"same-origin", "none"})
"""`none`: the person typed the address or followed a bookmark."""

FOREIGN = 4403

Told = Callable[[Scope, Refusal], Awaitable[None]]


def refuse_foreign_host(host: str, hosts: tuple[str, ...]) -> Refusal | None:
    """The name by which the console was addressed must be one of its own; with none given, any is."""
    name = _name(host)
    if hosts and name not in hosts:
        return Refusal(
            "host", f"This console does not go by the name {name[:80]!r}.", f"Open it as {hosts[0]}."
        )
    return None


def refuse_foreign_post(method: str, headers: Mapping[str, str]) -> Refusal | None:
    """For a request that may change something."""
    if method in SAFE:
        return None
    site = headers.get("sec-fetch-site")
    if site is not None:
        return None if site in HERE else _foreign(f"a {site} page")
    origin = headers.get("origin")
    if origin is None or _is_own(origin, headers):
        return None
    return _foreign(origin[:80])


def refuse_foreign_socket(headers: Mapping[str, str]) -> Refusal | None:
    """A browser always names the page that opens a socket."""
    origin = headers.get("origin")
    if origin is not None and _is_own(origin, headers):
        return None
    return _foreign(origin[:80] if origin is not None else "no page")


def _is_own(origin: str, headers: Mapping[str, str]) -> bool:
    try:
        return urlsplit(origin).netloc == headers.get("host", "") != ""
    except ValueError:
        return False


def _name(host: str) -> str:
    """The host without its port; IPv6 addresses come in brackets."""
    return host.partition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0].lower()


def _foreign(whence: str) -> Refusal:
    return Refusal(
        "origin", f"This was sent by {whence}, not by this console.", "Do it from the console's own page."
    )


class OwnPagesOnly:
    """Refuses foreign requests before anything of them is looked at. `told`: is told of each first."""

    def __init__(
        self, app: ASGIApp, hosts: tuple[str, ...], failures: Failures, told: Told | None = None
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._failures = failures
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = refuse_foreign_host(headers.get("host", ""), self._hosts)
        if scope["type"] == "websocket":
            refusal = refusal or refuse_foreign_socket(headers)
            if refusal is not None:
                # Accepted only to be closed with a code that the page can tell from a lost network.
                socket = WebSocket(scope, receive, send)
                await socket.accept()
                await socket.close(FOREIGN)
                return
        else:
            refusal = refusal or refuse_foreign_post(scope["method"], headers)
            if refusal is not None:
                if self._told is not None:
                    await self._told(scope, refusal)
                error = ForeignPage(refusal.message, remedy=refusal.remedy, kept="Nothing was done.")
                await self._failures.answer(scope, error)(scope, receive, send)
                return
        await self._app(scope, receive, send)
