"""What routes share: how to read, command and answer. One for each app, frozen, handed to every router."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from jinja2 import Environment
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from backend.web.chronicle import Chronicles
from backend.web.commanding import Commands
from backend.web.deps import Deps
from backend.web.desk import Desk
from backend.web.failures import Failures
from backend.web.listing import Listing
from backend.web.live.hub import Hub
from backend.web.pages.chrome import Chrome, User
from backend.web.pages.parts import Notice
from backend.web.pages.view import View
from backend.web.responses import html
from backend.web.surround import THEME_COOKIE, chrome


class Console(Struct, frozen=True, kw_only=True):
    deps: Deps
    environment: Environment
    failures: Failures
    chronicles: Chronicles
    desk: Desk
    listing: Listing
    hub: Hub
    commands: Commands

    def user(self, request: Request) -> User:
        """Who asks. `SignedIn` let nobody through without."""
        return cast(User, request.scope["state"]["user"])

    def chrome(self, request: Request, title: str, *, notice: Notice | None = None) -> Chrome:
        """Blocking: it counts the episodes that need a person."""
        user: User | None = request.scope.get("state", {}).get("user")
        needs = len(self.deps.reader.episodes(show="need")) if user is not None else 0
        theme = request.cookies.get(THEME_COOKIE)
        return chrome(title, user, theme, self.deps.clock_s(), needs_person=needs, notice=notice)

    def html(self, view: View, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
        return html(self.environment, view, status, headers)
