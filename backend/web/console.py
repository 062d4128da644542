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
from backend.web.live.lookout import Lookout
from backend.web.pages.chrome import Chrome, User
from backend.web.pages.parts import Notice
from backend.web.pages.view import View
from backend.web.queue import Queue
from backend.web.responses import html
from backend.web.surround import THEME_COOKIE, chrome
from backend.web.witness import Witness


class Console(Struct, frozen=True, kw_only=True):
    deps: Deps
    environment: Environment
    failures: Failures
    chronicles: Chronicles
    desk: Desk
    listing: Listing
    queue: Queue
    lookout: Lookout
    hub: Hub
    commands: Commands
    witness: Witness

    def user(self, request: Request) -> User:
        """Who asks. `SignedIn` let nobody through without."""
        return cast(User, request.scope["state"]["user"])

    def chrome(self, request: Request, title: str, *, notice: Notice | None = None) -> Chrome:
        """Blocking: it counts what needs a person, and reads how this one likes the console."""
        user: User | None = request.scope.get("state", {}).get("user")
        theme, now_s = request.cookies.get(THEME_COOKIE), self.deps.clock_s()
        if user is None:
            return chrome(title, None, theme, now_s, notice=notice)
        likes = self.deps.preferences.of(user.name)
        return chrome(
            title,
            user,
            likes.get("theme", theme),
            now_s,
            needs_person=self.queue.sight().body.active,
            notice=notice,
            sound=likes.get("sound") == "on",
            notify=likes.get("notify") == "on",
        )

    def html(self, view: View, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
        return html(self.environment, view, status, headers)
