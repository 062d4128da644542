"""What surrounds every page: who is signed in, the theme that the browser's cookie asks for, the server's
clock."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

from backend.web.builders.words import initials
from backend.web.deps import Account
from backend.web.guard.visitor import Visitor
from backend.web.pages.chrome import Chrome, Theme, User
from backend.web.pages.parts import Notice

THEMES = ("light", "dark")
THEME_COOKIE = "qd_theme"


def user_of(account: Account | Visitor) -> User:
    return User(name=account.name, initials=initials(account.name), role=account.role)


def chrome(
    title: str,
    user: User | None,
    theme: str | None,
    now_s: float,
    *,
    needs_person: int = 0,
    notice: Notice | None = None,
    sound: bool = False,
    notify: bool = False,
) -> Chrome:
    """`theme`: what the person chose, else the cookie's value, which anybody may have written. `now_s`: epoch
    seconds."""
    iso = datetime.fromtimestamp(now_s, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return Chrome(
        title=title,
        server_ms=int(now_s * 1000),
        utc=iso[11:19],
        utc_iso=iso,
        user=user,
        theme=cast(Theme, theme) if theme in THEMES else "system",
        needs_person=needs_person,
        notice=notice,
        sound=sound,
        notify=notify,
    )
