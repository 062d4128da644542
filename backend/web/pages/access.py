"""Accounts, for admins; and each person's own access: tokens and password."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.parts import Choice, FieldError


class AccountRow(Struct, frozen=True, kw_only=True):
    """`is_me`: one's own role and access are another admin's to change. `errors`: of a form in this row."""

    name: str
    roles: tuple[Choice, ...]
    active: bool
    signs_in_by: str
    is_me: bool
    errors: tuple[FieldError, ...] = ()


class ChangeRow(Struct, frozen=True, kw_only=True):
    utc: str
    actor: str
    what: str
    subject: str


class AccountsPage(Page, frozen=True, kw_only=True):
    """`name`: what was typed for a new account, kept when it is refused; a password never is."""

    template = "accounts/show.html"

    rows: tuple[AccountRow, ...]
    roles: tuple[Choice, ...]
    changes: tuple[ChangeRow, ...]
    name: str = ""
    errors: tuple[FieldError, ...] = ()


class TokenRow(Struct, frozen=True, kw_only=True):
    id: str
    label: str
    owner: str
    scopes: str
    made: str
    ends: str
    used: str
    is_over: bool


class AccessPage(Page, frozen=True, kw_only=True):
    """`made`: a token that was just made, shown this once; empty otherwise."""

    template = "access/show.html"

    rows: tuple[TokenRow, ...]
    scopes: tuple[Choice, ...]
    has_password: bool
    made: str = ""
    label: str = ""
    days: str = "30"
    errors: tuple[FieldError, ...] = ()
