"""Whose commands were refused lately, so that no script fills a journal with refusals."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from backend.domain.access.floods import MOST_STOPS, WITHIN_S, refuse_flood
from backend.domain.command.intents import Action
from backend.web.errors import TooMany


class Floods:
    """Those of this process's requests. For any number of threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._refused_s: dict[tuple[str, str], deque[float]] = {}

    def check(self, episode: str, name: str, action: Action) -> None:
        """Raises TooMany."""
        with self._lock:
            refused_s = tuple(self._refused_s.get((episode, name), ()))
        refusal = refuse_flood(refused_s, action, self._clock())
        if refusal is not None:
            raise TooMany(refusal.message, remedy=refusal.remedy, kept="Nothing was done.", code=refusal.code)

    def note(self, episode: str, name: str) -> None:
        now_s = self._clock()
        with self._lock:
            old = [key for key, at_s in self._refused_s.items() if now_s - at_s[-1] >= WITHIN_S]
            for key in old:
                del self._refused_s[key]
            self._refused_s.setdefault((episode, name), deque(maxlen=MOST_STOPS)).append(now_s)
