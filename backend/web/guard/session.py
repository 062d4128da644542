"""Who asks: a session's cookie, or an API token, before any route. Deny by default: what is not on the list
of open addresses needs one.

Threat: a route whose author forgot to ask; a cookie read by a script, sent by a foreign page, leaked, or kept
after sign-out. So the cookie is HttpOnly and SameSite=Strict and is renewed as it is used, the store holds
hashes alone, and an idle session ends. Tokens are for the API and open no page.
"""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from backend.domain.command.intents import COMMANDING
from backend.domain.refusal import Refusal
from backend.web.deps import Accounts, Settings
from backend.web.errors import Forbidden, SignedOut
from backend.web.failures import Failures
from backend.web.guard.origin import SAFE
from backend.web.guard.visitor import API, Visitor, bearer_of, by_session
from backend.web.surround import user_of

COOKIE = "qd_session"
OPEN = ("/signin", "/healthz")
OPEN_BELOW = ("/static/",)
ONES_OWN = ("/signout", "/preferences", "/tokens", "/password")
"""What is posted here, or below, concerns nobody but who posts it."""
ADMIN = ("/accounts",)
"""Here and below, only admins."""
JUDGED_BELOW = ("/episodes/", f"{API}v1/episodes/")
"""What is posted below here becomes an intent, and `decide` judges who may: a viewer may hold."""
SIGNED_OUT = 4401


def is_open(path: str) -> bool:
    return path in OPEN or path.startswith(OPEN_BELOW)


def is_at(path: str, places: tuple[str, ...]) -> bool:
    """At one of these addresses, or below."""
    return any(path == place or path.startswith(f"{place}/") for place in places)


def refuse_role(role: str, method: str, path: str) -> Refusal | None:
    """Viewers look, see to what is their own, and send intents; accounts are an admin's matter."""
    if is_at(path, (*ADMIN, f"{API}v1/accounts")) and role != "admin":
        return Refusal("role", "Only an admin sees to accounts.", "Ask an admin.")
    if method in SAFE or role in COMMANDING or path.startswith(JUDGED_BELOW):
        return None
    if is_at(path, (*ONES_OWN, f"{API}v1/tokens")):
        return None
    return Refusal("role", "A viewer may watch and hold.", "Ask an operator to do this.")


def cookie_name(is_https: bool) -> str:
    """Over TLS one that browsers take from this host alone, never from a neighbour under the same domain."""
    return f"__Host-{COOKIE}" if is_https else COOKIE


def session_of(headers: Headers, is_https: bool = False) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(cookie_name(is_https))
    except CookieError:
        return ""
    return found.value if found is not None else ""


def set_session(response: Response, token: str, settings: Settings) -> None:
    """A session cookie ends with the browser, too."""
    name = cookie_name(settings.is_https)
    response.set_cookie(name, token, path="/", httponly=True, samesite="strict", secure=settings.is_https)


def clear_session(response: Response, settings: Settings) -> None:
    name = cookie_name(settings.is_https)
    response.delete_cookie(name, path="/", httponly=True, samesite="strict", secure=settings.is_https)


class SignedIn:
    """Puts the `User` and the `Visitor` into the scope's state, or answers instead of the route."""

    def __init__(self, app: ASGIApp, accounts: Accounts, settings: Settings, failures: Failures) -> None:
        self._app = app
        self._accounts = accounts
        self._settings = settings
        self._failures = failures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            visitor, cookie = await self._who(scope)
        except Exception as error:
            await self._refuse(scope, receive, send, error)
            return
        if visitor is not None:
            scope.setdefault("state", {}).update(user=user_of(visitor), visitor=visitor)
        refusal = self._refusal(scope, visitor)
        if refusal is not None:
            await self._refuse(scope, receive, send, refusal)
            return
        renews = cookie and scope["type"] == "http"
        await self._app(scope, receive, self._renewing(send, cookie) if renews else send)

    async def _who(self, scope: Scope) -> tuple[Visitor | None, str]:
        """Who comes, and the cookie to be sent in place of theirs."""
        path, headers = scope["path"], Headers(scope=scope)
        if path.startswith(OPEN_BELOW):
            return None, ""
        token = bearer_of(headers)
        if token is not None:
            found = await run_in_threadpool(self._accounts.bearer, token) if path.startswith(API) else None
            if found is None:
                return None, ""
            return Visitor(name=found.name, role=found.role, scopes=found.scopes, token=found.token), ""
        cookie = session_of(headers, self._settings.is_https)
        if not cookie:
            return None, ""
        session = await run_in_threadpool(self._accounts.who, cookie, self._settings.session_idle_s)
        if session is None:
            return None, ""
        return by_session(session.name, session.role, session.session), session.cookie

    def _refusal(self, scope: Scope, visitor: Visitor | None) -> Exception | None:
        if is_open(scope["path"]):
            return None
        if visitor is None:
            return SignedOut("You are signed out", remedy=_way_in(scope))
        if scope["type"] == "websocket":
            return None
        refused = refuse_role(visitor.role, scope["method"], scope["path"])
        return None if refused is None else Forbidden(refused.message, remedy=refused.remedy)

    def _renewing(self, send: Send, cookie: str) -> Send:
        """`send`, with the new cookie in the answer, unless the route sets or clears one itself."""
        name = cookie_name(self._settings.is_https)

        async def renewing(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if not any(value.startswith(f"{name}=") for value in headers.getlist("set-cookie")):
                    carrier = Response()
                    set_session(carrier, cookie, self._settings)
                    headers.append("set-cookie", carrier.headers["set-cookie"])
            await send(message)

        return renewing

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, error: Exception) -> None:
        if scope["type"] == "http":
            await self._failures.answer(scope, error)(scope, receive, send)
            return
        # Accepted only to be closed with a code: a refused handshake tells a page nothing but to try again.
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        await socket.close(SIGNED_OUT if isinstance(error, SignedOut) else 1011)


def _way_in(scope: Scope) -> str:
    if scope["path"].startswith(API):
        return "Send a token: Authorization: Bearer …. Make one: quarterdeck tokens create."
    return "Sign in; what you typed is kept."
