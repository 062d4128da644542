"""Accounts, for admins; and one's own tokens and password. Plain forms: each leads back to its page."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from backend.web.access import Role
from backend.web.builders.access import account_row, change_row, roles, scopes, token_row
from backend.web.console import Console
from backend.web.errors import WebError
from backend.web.guard.heads import is_look
from backend.web.guard.visitor import visitor_of
from backend.web.once import carried, carry, drop
from backend.web.pages.access import AccessPage, AccountsPage
from backend.web.pages.parts import FieldError
from backend.web.people import People
from backend.web.responses import see

Text = Annotated[str, Form(max_length=2000)]
UNPACKED = {"Content-Encoding": "identity"}
"""Of an answer with a secret in it: how well it packs would tell of it (BREACH)."""


def router(console: Console) -> APIRouter:
    routes = APIRouter()
    registry, people = console.deps.registry, People(console.deps)
    is_https = console.deps.settings.is_https

    @routes.get("/accounts")
    def accounts(request: Request) -> Response:
        """Who may sign in, and what was done last. For admins."""
        return console.html(accounts_page(request))

    @routes.post("/accounts")
    def add(
        request: Request, role: Annotated[Role, Form()] = "operator", name: Text = "", password: Text = ""
    ) -> Response:
        try:
            people.add(name, role, password or None, console.user(request))
        except WebError as error:
            return console.html(accounts_page(request, name=name, errors=(_told(error),)), error.status)
        return see("/accounts")

    @routes.post("/accounts/{name}/role")
    def change_role(request: Request, name: str, role: Annotated[Role, Form()]) -> Response:
        """Another role; it ends the account's sessions."""
        try:
            people.change(name, console.user(request), role=role)
        except WebError as error:
            return row_refused(request, name, error)
        return see("/accounts")

    @routes.post("/accounts/{name}/access")
    def change_access(
        request: Request, name: str, active: Annotated[Literal["yes", "no"], Form()]
    ) -> Response:
        """Switched off, which ends its sessions and revokes its tokens; or on."""
        try:
            people.change(name, console.user(request), active=active == "yes")
        except WebError as error:
            return row_refused(request, name, error)
        return see("/accounts")

    @routes.post("/accounts/{name}/password")
    def set_password(request: Request, name: str, password: Text = "") -> Response:
        """Another password; it ends the account's sessions."""
        try:
            people.set_password(name, password, console.user(request), but="")
        except WebError as error:
            return row_refused(request, name, error)
        return see("/accounts")

    @routes.get("/tokens")
    def access(request: Request) -> Response:
        """One's own API tokens and password; for admins the tokens of all. A token just made is shown."""
        made = "" if is_look(request.scope) else carried(request.headers, is_https)
        if not made:
            return console.html(access_page(request))
        shown = made if registry.is_of(console.user(request).name, made) else ""
        return drop(console.html(access_page(request, made=shown), headers=UNPACKED), "/tokens", is_https)

    @routes.post("/tokens")
    def make(
        request: Request,
        label: Text = "",
        days: Text = "30",
        scope: Annotated[list[str] | None, Form()] = None,
    ) -> Response:
        """A new token, which the page it leads to shows once."""
        user, chosen = console.user(request), scope or []
        try:
            made = people.make_token(user, user.name, label.strip(), chosen, _number(days))
        except WebError as error:
            page = access_page(request, errors=(_told(error),), label=label, days=days, chosen=chosen)
            return console.html(page, error.status)
        return carry(see("/tokens"), made, "/tokens", is_https)

    @routes.post("/tokens/{token}/revocation")
    def revoke(request: Request, token: str) -> Response:
        people.revoke_token(console.user(request), token)
        return see("/tokens")

    @routes.post("/password")
    def own_password(request: Request, old: Text = "", new: Text = "") -> Response:
        """Another password of one's own; every other browser is signed out."""
        visitor = visitor_of(request.scope)
        session = visitor.session if visitor is not None else ""
        try:
            people.set_own_password(console.user(request), old, new, session)
        except WebError as error:
            return console.html(access_page(request, errors=(_told(error),)), error.status)
        return see("/tokens")

    def row_refused(request: Request, name: str, error: WebError) -> Response:
        return console.html(accounts_page(request, wrong=name, row_errors=(_told(error),)), error.status)

    def accounts_page(
        request: Request,
        *,
        name: str = "",
        errors: tuple[FieldError, ...] = (),
        wrong: str = "",
        row_errors: tuple[FieldError, ...] = (),
    ) -> AccountsPage:
        me, users = console.user(request).name, registry.users()
        if wrong not in [user.name for user in users]:
            errors = (*errors, *row_errors)
        return AccountsPage(
            chrome=console.chrome(request, "Accounts"),
            rows=tuple(
                account_row(u, me, registry.has_password(u.name), row_errors if u.name == wrong else ())
                for u in users
            ),
            roles=roles("operator"),
            changes=tuple(change_row(each) for each in registry.trail()),
            name=name,
            errors=errors,
        )

    def access_page(
        request: Request,
        *,
        made: str = "",
        errors: tuple[FieldError, ...] = (),
        label: str = "",
        days: str = "30",
        chosen: list[str] | None = None,
    ) -> AccessPage:
        user, now_s = console.user(request), console.deps.clock_s()
        found = registry.tokens(None if user.role == "admin" else user.name)
        return AccessPage(
            chrome=console.chrome(request, "Your access"),
            rows=tuple(token_row(each, now_s) for each in found),
            scopes=scopes(user.role, chosen if chosen is not None else ["read"]),
            has_password=registry.has_password(user.name),
            made=made,
            label=label,
            days=days,
            errors=errors,
        )

    return routes


def _told(error: WebError) -> FieldError:
    return FieldError(field=error.field, message=f"{error.title.removesuffix('.')}.", remedy=error.remedy)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
