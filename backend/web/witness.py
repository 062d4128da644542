"""Keeps in an episode's journal what was tried upon it and refused before it could become a command: a forged
origin, a token without the scope, a body that cannot be read, a key that was another request's.

Only of people whom the guard knows, so that nobody from outside fills a journal; and no more than one of a
kind in `PAUSE_S`, so that no page or script does.
"""

from __future__ import annotations

import logging
import re
import threading
import time

from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.types import Scope

from backend.domain.command.intents import Attempted
from backend.domain.refusal import Refusal
from backend.usecases.reading import Reader
from backend.web.commanding import Commands
from backend.web.deps import Role
from backend.web.errors import Forbidden, Malformed, TooMany, WebError
from backend.web.guard.visitor import visitor_of

log = logging.getLogger(__name__)

PAUSE_S = 10.0
_EPISODE = re.compile(r"(?:/api/v1)?/episodes/([^/]{1,200})/(.+)", re.DOTALL)
LONGEST = 200


_KEPT_CODES = ("key_reused", "key_spent", "unknown_command")


def attempt_of(error: Exception) -> Refusal | None:
    """What an error says of a request that was wrong in itself; None for what the journal has already, and
    for what only came too late or found nothing there."""
    if isinstance(error, RequestValidationError):
        return Refusal("malformed", "A field of the request cannot be read.", "Do it from the page.")
    if not isinstance(error, WebError) or error.is_on_record:
        return None
    if isinstance(error, Forbidden | Malformed | TooMany) or error.code in _KEPT_CODES:
        return Refusal(error.code, error.title, error.remedy)
    return None


class Witness:
    """For any number of requests. `expected`: the store's errors, upon which the attempt goes unkept."""

    def __init__(self, commands: Commands, reader: Reader, expected: tuple[type[Exception], ...]) -> None:
        self._commands = commands
        self._reader = reader
        self._expected = expected
        self._lock = threading.Lock()
        self._told_s: dict[tuple[str, str, str], float] = {}

    async def saw(self, scope: Scope, error: Exception) -> None:
        """A request of somebody known that ended in `error`."""
        visitor, refusal = visitor_of(scope), attempt_of(error)
        if visitor is not None and refusal is not None:
            await self.keep(scope, visitor.name, visitor.role, refusal)

    async def keep(self, scope: Scope, name: str, role: Role, refusal: Refusal) -> None:
        found = _EPISODE.fullmatch(scope["path"])
        if found is None or scope["method"] in ("GET", "HEAD"):
            return
        episode, what = found.groups()
        if not self._is_due((name, episode, refusal.code)):
            return
        attempt = Attempted(
            what=_shown(what.removeprefix("commands/")),
            code=refusal.code,
            message=refusal.message,
            remedy=refusal.remedy,
        )
        try:
            await run_in_threadpool(self._put, episode, name, role, attempt)
        except self._expected as error:
            log.warning("an attempt of %s upon episode %s is not kept: %s", name, episode, error)

    def _put(self, episode: str, name: str, role: Role, attempt: Attempted) -> None:
        """Nobody takes it once the episode has ended: its journal is closed."""
        if self._reader.episode(episode).outcome is None:
            self._commands.put(episode, name, role, attempt)

    def _is_due(self, key: tuple[str, str, str]) -> bool:
        now = time.monotonic()
        with self._lock:
            self._told_s = {each: at_s for each, at_s in self._told_s.items() if now - at_s < PAUSE_S}
            return self._told_s.setdefault(key, now) == now


def _shown(what: str) -> str:
    """An address is typed by whoever sends it."""
    return "".join(each if each.isprintable() else "�" for each in what[:LONGEST])
