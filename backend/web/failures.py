"""The one place where an error becomes an answer: a notice for htmx, a page for everyone else, in plain
words.

An error of ours keeps its status. What the store does not know is 404; what it cannot do is 503, or 424 to
htmx, which shows no 5xx. Anything else is a defect: the log has it, the answer says what was not done and
that the journal stands.
"""

from __future__ import annotations

import logging
import time
from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote

from fastapi.exceptions import RequestValidationError
from jinja2 import Environment
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from backend.usecases.ports import JournalError
from backend.web.api.problems import problem_of
from backend.web.errors import Forbidden, Malformed, NotBegun, NotThere, SignedOut, Unanswered, WebError
from backend.web.guard.visitor import API
from backend.web.pages.chrome import NoticeView, User
from backend.web.pages.error import ErrorPage
from backend.web.pages.parts import Link, Notice
from backend.web.responses import html, see, wants_fragment
from backend.web.surround import THEME_COOKIE, chrome

log = logging.getLogger(__name__)

STORE_FAILED = 503
KEPT = "The journal is untouched, and HOLD works."


class Failures:
    """`missing`, `failed`, `pending`: the store's own errors (see `Deps`)."""

    def __init__(
        self,
        environment: Environment,
        missing: tuple[type[Exception], ...] = (),
        failed: tuple[type[Exception], ...] = (),
        pending: tuple[type[Exception], ...] = (),
    ) -> None:
        self._environment = environment
        self._missing = missing
        self._failed = (*failed, JournalError)
        self._pending = pending

    @property
    def known(self) -> tuple[type[Exception], ...]:
        """Errors of the store that have an answer of their own."""
        return (*self._missing, *self._failed, *self._pending)

    def answer(self, scope: Scope, error: Exception) -> Response:
        """Whatever went wrong, said to whoever asked."""
        told, status = self._told(error, scope["path"]), None
        headers = Headers(scope=scope)
        if scope["path"].startswith(API):
            status = STORE_FAILED if isinstance(told, Unanswered) else told.status
            return problem_of(told, status, scope["path"])
        fragment = wants_fragment(headers)
        if isinstance(told, SignedOut) and not fragment and scope["method"] in ("GET", "HEAD"):
            return see(f"/signin?next={quote(_address(scope), safe='')}")
        status = told.status
        if isinstance(told, Unanswered) and not fragment:
            status = STORE_FAILED
        if fragment:
            return html(self._environment, NoticeView(notice=_notice(told, headers)), status)
        return html(self._environment, _page(told, status, scope), status, _again(told))

    def _told(self, error: Exception, path: str) -> WebError:
        if isinstance(error, WebError):
            return error
        if isinstance(error, self._pending):
            return NotBegun(_words(error), remedy=getattr(error, "remedy", ""))
        if isinstance(error, self._missing):
            return NotThere(_words(error), remedy="The list names the episodes there are.")
        if isinstance(error, self._failed):
            log.warning("the store failed: %s", error)
            return Unanswered(_words(error), remedy=getattr(error, "remedy", ""), kept="Nothing was done.")
        if isinstance(error, HTTPException):
            return _of_framework(error, _list_of(path)[0])
        if isinstance(error, RequestValidationError):
            return _of_fields(error)
        log.error("a request failed", exc_info=error)
        return Broken()


class Broken(WebError):
    """A defect of ours."""

    status = 500

    def __init__(self) -> None:
        super().__init__(
            "The console failed",
            text="What you asked for was not done.",
            remedy="Reload the page; if it stays, look at the server’s log.",
            kept=KEPT,
        )


def _of_framework(error: HTTPException, where: str) -> WebError:
    if error.status_code == 404:
        return NotThere("There is no such page", remedy=f"Go to {where}.")
    if error.status_code == 405:
        wrong = Forbidden("This address does not take that", remedy=f"Go to {where}.")
        wrong.status = 405
        return wrong
    told = WebError(str(error.detail) or "The request cannot be read", remedy="Go back and try again.")
    told.status = error.status_code
    return told


def _list_of(path: str) -> tuple[str, Link]:
    """The list that a page belongs to, in words and as a way there."""
    if path == "/evaluation" or path.startswith("/evaluation/"):
        return "the list of evaluation runs", Link(label="Evaluation", href="/evaluation")
    return "the list of episodes", Link(label="Episodes", href="/episodes")


def _of_fields(error: RequestValidationError) -> WebError:
    """The first parameter or hidden field that cannot be read; typed fields are checked by their own
    forms."""
    first = error.errors()[0]
    name = str(first["loc"][-1]) if first.get("loc") else "request"
    said = str(first.get("msg", "cannot be read"))
    return Malformed(
        f"{name} cannot be read",
        text=f"{said}.",
        remedy="Open the page again and do it from there.",
        kept="Nothing was done.",
    )


def _words(error: Exception) -> str:
    return str(getattr(error, "message", "") or error)


def _notice(error: WebError, headers: Headers) -> Notice:
    way = None
    if isinstance(error, SignedOut):
        back = headers.get("hx-current-url", "")
        path = "/" + back.split("/", 3)[3] if back.count("/") >= 3 else "/"
        way = Link(label="Sign in", href=f"/signin?next={quote(path, safe='')}")
    elif error.way is not None:
        way = Link(label=error.way[0], href=error.way[1])
    text = " ".join(part for part in (error.text, error.remedy, error.kept) if part)
    return Notice(icon="bad", title=_sentence(error.title), text=text, tone="alarm", way=way)


def _page(error: WebError, status: int, scope: Scope) -> ErrorPage:
    user: User | None = scope.get("state", {}).get("user")
    page_chrome = chrome(error.title, user, _theme(scope), time.time())
    onward = _list_of(scope["path"])[1]
    if error.way is not None:
        onward = Link(label=error.way[0], href=error.way[1])
    return ErrorPage(
        chrome=page_chrome,
        status=status,
        title=error.title,
        text=error.text,
        remedy=error.remedy,
        kept=error.kept,
        way=onward if user is not None else Link(label="Sign in", href="/signin"),
    )


def _again(error: WebError) -> dict[str, str]:
    """A page that will be there in a moment fetches itself."""
    return {"Refresh": "1"} if isinstance(error, NotBegun) else {}


def _theme(scope: Scope) -> str | None:
    try:
        cookies = SimpleCookie(Headers(scope=scope).get("cookie", ""))
    except CookieError:
        return None
    found = cookies.get(THEME_COOKIE)
    return found.value if found is not None else None


def _address(scope: Scope) -> str:
    query = scope.get("query_string", b"").decode("latin-1")
    path = str(scope["path"])
    return f"{path}?{query}" if query else path


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
