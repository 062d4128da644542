"""Who asks: the session cookie, before any route. Deny by default: what is not on the list of open addresses
needs one.

Threat: a route whose author forgot to ask; a token read by a script, sent by a foreign page or kept after
sign-out. So the cookie is HttpOnly and SameSite=Strict, the store holds hashes alone, and an idle session
ends.
"""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from backend.domain.command.intents import COMMANDING
from backend.domain.refusal import Refusal
from backend.web.deps import Account, Accounts, Settings
from backend.web.errors import Forbidden, SignedOut
from backend.web.failures import Failures
from backend.web.guard.origin import SAFE
from backend.web.surround import user_of

COOKIE = "qd_session"
OPEN = ("/signin", "/healthz")
OPEN_BELOW = ("/static/",)
JUDGED_BELOW = "/episodes/"
"""What is posted below here becomes an intent, and `decide` judges who may: a viewer may hold."""
SIGNED_OUT = 4401


def is_open(path: str) -> bool:
    return path in OPEN or path.startswith(OPEN_BELOW)


def refuse_role(role: str, method: str, path: str) -> Refusal | None:
    """Viewers look, sign out, and send intents; nothing else that changes anything."""
    if method in SAFE or role in COMMANDING or path == "/signout" or path.startswith(JUDGED_BELOW):
        return None
    return Refusal("role", "A viewer may watch and hold.", "Ask an operator to do this.")


def session_of(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def set_session(response: Response, token: str, settings: Settings) -> None:
    """A session cookie ends with the browser, too."""
    response.set_cookie(COOKIE, token, path="/", httponly=True, samesite="strict", secure=settings.is_https)


def clear_session(response: Response, settings: Settings) -> None:
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict", secure=settings.is_https)


class SignedIn:
    """Puts the `User` into the scope's state, or answers instead of the route."""

    def __init__(self, app: ASGIApp, accounts: Accounts, settings: Settings, failures: Failures) -> None:
        self._app = app
        self._accounts = accounts
        self._idle_s = settings.session_idle_s
        self._failures = failures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            account = await self._who(scope)
        except Exception as error:
            await self._refuse(scope, receive, send, error)
            return
        if account is not None:
            scope.setdefault("state", {})["user"] = user_of(account)
        refusal = self._refusal(scope, account)
        if refusal is not None:
            await self._refuse(scope, receive, send, refusal)
            return
        await self._app(scope, receive, send)

    async def _who(self, scope: Scope) -> Account | None:
        if scope["path"].startswith(OPEN_BELOW):
            return None
        token = session_of(Headers(scope=scope))
        return await run_in_threadpool(self._accounts.who, token, self._idle_s) if token else None

    def _refusal(self, scope: Scope, account: Account | None) -> Exception | None:
        if is_open(scope["path"]):
            return None
        if account is None:
            return SignedOut("You are signed out", remedy="Sign in; what you typed is kept.")
        if scope["type"] == "websocket":
            return None
        refused = refuse_role(account.role, scope["method"], scope["path"])
        return None if refused is None else Forbidden(refused.message, remedy=refused.remedy)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, error: Exception) -> None:
        if scope["type"] == "http":
            await self._failures.answer(scope, error)(scope, receive, send)
            return
        # Accepted only to be closed with a code: a refused handshake tells a page nothing but to try again.
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        await socket.close(SIGNED_OUT if isinstance(error, SignedOut) else 1011)
