"""Sign in: by the one-time link that the server printed, or with an account."""

from __future__ import annotations

from typing import Literal

from backend.web.pages.chrome import Page
from backend.web.pages.parts import FieldError


class SignInPage(Page, frozen=True, kw_only=True):
    """`link`: a one-time code, field `code`.

    `account`: fields `name`, `password`. `next`: where to go afterwards.
    """

    template = "signin.html"

    manner: Literal["link", "account"]
    next: str
    name: str = ""
    errors: tuple[FieldError, ...] = ()
