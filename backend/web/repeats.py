"""HOLD pressed over and over by one person: for a moment, where the first of these stops is in force and
standstill was measured for it, the next press is that stop. So a script that holds fills neither journal nor
ledger. Nothing is gated: whatever is not certain to be in force already goes out as a stop of its own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

from backend.domain.command.hold import Stop

WITHIN_S = 1.0
"""Shorter than anybody takes to see what came of the first press."""


class Repeats:
    """Of this process's requests: each further process adds one stop in that time. For any number of
    threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._held: dict[tuple[str, str], tuple[str, float]] = {}

    def recent(self, episode: str, name: str) -> str:
        """The stop that this person asked for within the moment; empty where there is none."""
        with self._lock:
            stop_id, asked_s = self._held.get((episode, name), ("", 0.0))
            return stop_id if self._clock() - asked_s < WITHIN_S else ""

    def note(self, episode: str, name: str, stop_id: str) -> None:
        now_s = self._clock()
        with self._lock:
            self._held = {key: each for key, each in self._held.items() if now_s - each[1] < WITHIN_S}
            self._held[episode, name] = stop_id, now_s


def stands_for(stop_id: str, stops: Iterable[Stop]) -> bool:
    """Whether that stop is in force and standstill was measured for it."""
    return any(each.id == stop_id and each.confirmed for each in stops)
