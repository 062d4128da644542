"""Sign in, by the one-time link that the server printed or by name and password; sign out; and a sign of
life."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import PlainTextResponse, Response

from backend.domain.access.attempts import Kind
from backend.domain.refusal import Refusal
from backend.web.console import Console
from backend.web.errors import TooMany
from backend.web.guard.heads import is_look
from backend.web.guard.passwords import is_password
from backend.web.guard.session import clear_session, session_of, set_session
from backend.web.guard.visitor import address_of
from backend.web.pages.parts import FieldError
from backend.web.pages.signin import SignInPage
from backend.web.responses import see

Field = Annotated[str, Form(max_length=1000)]
USED = FieldError(
    field="code",
    message="This link was used already, or is too old.",
    remedy="Each works once and not for long: take the newest from the server's terminal.",
)
WRONG = FieldError(field="", message="Name or password is wrong.", remedy="Try again.")


def router(console: Console) -> APIRouter:
    routes = APIRouter()
    deps = console.deps
    settings, accounts = deps.settings, deps.accounts

    @routes.get("/signin")
    def ask(request: Request, token: str = "", next: Annotated[str, Query(max_length=2000)] = "") -> Response:
        """With a token: the link itself. A look ahead (HEAD) follows no link."""
        back = own_path(next)
        if not token or is_look(request.scope):
            return console.html(page(request, back))
        return opened(request, token, back)

    @routes.post("/signin")
    def sign_in(
        request: Request, code: Field = "", name: Field = "", password: Field = "", next: Field = ""
    ) -> Response:
        back = own_path(next)
        if settings.sign_in == "link":
            return opened(request, code.strip(), back)
        keys: Mapping[Kind, str] = {"account": name, "address": address_of(request.scope)}
        refusal = deps.attempts.begin(keys)
        if refusal is not None:
            return console.html(page(request, back, name, (_wait(refusal),)), TooMany.status)
        if not is_password(accounts.password_hash(name), password):
            deps.attempts.failed(keys)
            return console.html(page(request, back, name, (WRONG,)), 422)
        deps.attempts.succeeded(keys)
        return welcomed(request, name, back)

    @routes.post("/signout")
    def sign_out(request: Request) -> Response:
        accounts.end_session(session_of(request.headers, settings.is_https))
        answer = see("/signin")
        clear_session(answer, settings)
        return answer

    @routes.get("/healthz")
    def healthz() -> Response:
        """Answers as soon as the console serves; says nothing about anybody."""
        return PlainTextResponse("ok\n")

    def opened(request: Request, code: str, back: str) -> Response:
        keys: Mapping[Kind, str] = {"address": address_of(request.scope)}
        refusal = deps.attempts.begin(keys)
        if refusal is not None:
            return console.html(page(request, back, errors=(_wait(refusal),)), TooMany.status)
        account = accounts.follow(code) if code else None
        if account is None:
            return console.html(page(request, back, errors=(USED,)), 422)
        deps.attempts.succeeded(keys)
        return welcomed(request, account.name, back)

    def welcomed(request: Request, name: str, back: str) -> Response:
        """Under a new cookie, whatever came: a session that somebody slipped in beforehand opens nothing."""
        answer = see(back)
        session = accounts.open_session(name, settings.session_idle_s, address_of(request.scope))
        set_session(answer, session, settings)
        return answer

    def page(request: Request, back: str, name: str = "", errors: tuple[FieldError, ...] = ()) -> SignInPage:
        chrome = console.chrome(request, "Sign in")
        return SignInPage(chrome=chrome, manner=settings.sign_in, next=back, name=name, errors=errors)

    return routes


def _wait(refusal: Refusal) -> FieldError:
    return FieldError(field="", message=refusal.message, remedy=refusal.remedy)


def own_path(asked: str) -> str:
    """Where to go afterwards: a path of this console, whatever was asked."""
    parts = urlsplit(asked.replace("\\", "/"))
    is_own = asked.startswith("/") and not asked.startswith("//") and not parts.netloc and not parts.scheme
    return asked if is_own and asked.isprintable() and "\\" not in asked else "/episodes"
