"""What surrounds every page: title, theme, who is signed in, and the server's clock."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import Notice
from backend.web.pages.view import View

Theme = Literal["system", "light", "dark"]


class User(Struct, frozen=True, kw_only=True):
    name: str
    initials: str
    role: Literal["viewer", "operator", "admin"]


class Chrome(Struct, frozen=True, kw_only=True):
    """`title` without the product's name. `server_ms`: UTC in epoch milliseconds when the page was made.

    `theme` is what the person chose, before sign-in what the cookie `qd_theme` says; with the page it is
    there before the first paint. `sound`, `notify`: whether new needs are heard and shown by the desktop.
    """

    title: str
    server_ms: int
    utc: str
    utc_iso: str
    user: User | None = None
    theme: Theme = "system"
    needs_person: int = 0
    notice: Notice | None = None
    sound: bool = False
    notify: bool = False


class Page(View, frozen=True, kw_only=True):
    """A whole document. Its variable is `page`; `layout.html` reads `page.chrome`."""

    variable = "page"
    chrome: Chrome


class NoticeView(View, frozen=True, kw_only=True):
    """What an htmx request that was refused (400 to 499, save 409 and 422) is answered with; swapped into
    #notice.
    """

    template = "_notice.html"
    variable = "told"
    notice: Notice | None
