"""One open page: what it is still to be told. Events wait in order and are never dropped; of all else only
the latest counts. A tab that falls too far behind is cut off, and resumes by seq."""

from __future__ import annotations

import asyncio
from collections import deque

BEHIND = 1000
"""Events that may wait for one tab."""


class TabBehindError(Exception):
    """The tab took too long; it is to resume by `after`."""


class TabAheadError(Exception):
    """The tab knows of events that the journal does not have: it is to begin anew."""


class Tab:
    """Filled and emptied on one event loop."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self._events: deque[str] = deque()
        self._latest: dict[str, str] = {}
        self._wake = asyncio.Event()
        self._is_behind = False
        self._early: list[tuple[int, str]] | None = []

    def event(self, seq: int, text: str) -> None:
        """One that is not past what the tab was told already is left out."""
        if self._early is not None:
            self._early.append((seq, text))
            return
        if seq <= self.seq:
            return
        if len(self._events) >= BEHIND:
            self._is_behind = True
        else:
            self._events.append(text)
        self.seq = seq
        self._wake.set()

    def resumed(self, missed: list[tuple[int, str]]) -> None:
        """What the tab missed before it came; what was told meanwhile follows."""
        early, self._early = self._early or [], None
        for seq, text in (*missed, *early):
            self.event(seq, text)

    def latest(self, stream: str, text: str) -> None:
        self._latest[stream] = text
        self._wake.set()

    async def next(self) -> str:
        """The next message; events first. Raises TabBehindError."""
        while True:
            if self._is_behind:
                raise TabBehindError
            if self._events:
                return self._events.popleft()
            if self._latest:
                return self._latest.pop(next(iter(self._latest)))
            self._wake.clear()
            await self._wake.wait()
