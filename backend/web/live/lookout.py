"""Tells every tab of what needs a person in any episode, and keeps those episodes watched meanwhile, so that
the age of each link is known.

It looks whether or not a page is open, though less often: an alarm that comes and goes while nobody looks is
kept for whoever looks next."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from starlette.concurrency import run_in_threadpool

from backend.web.live.messages import age_text, queue_text
from backend.web.live.tab import Tab
from backend.web.queue import Sight

log = logging.getLogger(__name__)

LOOK_S = 1.0
ALONE_S = 3.0
"""While no page is open."""


class Lookout:
    """Lives on one event loop, from `open` to `close`. `look` blocks; `keep` is told the episodes that go
    on."""

    def __init__(self, look: Callable[[], Sight], keep: Callable[[Sequence[str]], None]) -> None:
        self._look = look
        self._keep = keep
        self._tabs: set[Tab] = set()
        self._alone: set[Tab] = set()
        self._task: asyncio.Task[None] | None = None
        self._told = ""
        self._wanted = asyncio.Event()

    def open(self) -> None:
        """On the loop that runs now; each opening may have one of its own."""
        self._wanted = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="lookout")

    @asynccontextmanager
    async def tab(self, tab: Tab, *, alone: bool = False) -> AsyncIterator[None]:
        """`alone`: a tab that watches no episode, and is told the ages by the lookout."""
        self._tabs.add(tab)
        if alone:
            self._alone.add(tab)
        if self._told:
            tab.latest("queue", self._told)
        self._wanted.set()
        try:
            yield
        finally:
            self._tabs.discard(tab)
            self._alone.discard(tab)
            if not self._tabs:
                self._told = ""
                self._wanted.clear()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), ALONE_S)
            try:
                self._tell(await run_in_threadpool(self._look))
            except Exception:
                # Nothing is told then, and the pages say by themselves how old they are.
                log.exception("looking for what needs a person failed; it is tried again")
            await asyncio.sleep(LOOK_S)

    def _tell(self, sight: Sight) -> None:
        self._keep([each.summary.episode for each in sight.going if each.state is not None])
        text = queue_text(sight.body)
        if text != self._told and self._tabs:
            self._told = text
            for tab in self._tabs:
                tab.latest("queue", text)
        ages = age_text("", 0.0, {"server": 0.0, **sight.ages_s})
        for tab in self._alone:
            tab.latest("links", ages)
