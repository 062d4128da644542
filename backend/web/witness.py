"""Keeps in an episode's journal what was tried upon it and refused before it could become a command: a forged
origin, a token without the scope.

Only of people whom the guard knows, so that nobody from outside fills a journal; and no more than one of a
kind in `PAUSE_S`, so that no page or script does.
"""

from __future__ import annotations

import logging
import re
import threading
import time

from starlette.concurrency import run_in_threadpool
from starlette.types import Scope

from backend.domain.command.intents import Attempted
from backend.domain.refusal import Refusal
from backend.web.commanding import Commands
from backend.web.deps import Role

log = logging.getLogger(__name__)

PAUSE_S = 10.0
_EPISODE = re.compile(r"(?:/api/v1)?/episodes/([^/]{1,200})/(.{1,200})")


class Witness:
    """For any number of requests. `expected`: the store's errors, upon which the attempt goes unkept."""

    def __init__(self, commands: Commands, expected: tuple[type[Exception], ...]) -> None:
        self._commands = commands
        self._expected = expected
        self._lock = threading.Lock()
        self._told_s: dict[tuple[str, str, str], float] = {}

    async def keep(self, scope: Scope, name: str, role: Role, refusal: Refusal) -> None:
        found = _EPISODE.fullmatch(scope["path"])
        if found is None or scope["method"] in ("GET", "HEAD"):
            return
        episode, what = found.groups()
        if not self._is_due((name, episode, refusal.code)):
            return
        attempt = Attempted(
            what=what.removeprefix("commands/"),
            code=refusal.code,
            message=refusal.message,
            remedy=refusal.remedy,
        )
        try:
            await run_in_threadpool(self._commands.put, episode, name, role, attempt)
        except self._expected as error:
            log.warning("an attempt of %s upon episode %s is not kept: %s", name, episode, error)

    def _is_due(self, key: tuple[str, str, str]) -> bool:
        now = time.monotonic()
        with self._lock:
            self._told_s = {each: at_s for each, at_s in self._told_s.items() if now - at_s < PAUSE_S}
            return self._told_s.setdefault(key, now) == now
