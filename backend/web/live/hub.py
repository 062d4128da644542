"""Every episode that somebody watches through this process: one watch each, shared by all its tabs.

A watch begins with the first tab or command and outlasts the last tab for a while, so that a page that is
reloaded, and forms that are sent without a socket, find it still there.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager

from backend.web.chronicle import Chronicles
from backend.web.deps import Deps
from backend.web.live.tab import Tab
from backend.web.live.watch import Watch

LINGER_S = 30.0


class Hub:
    """Lives on one event loop; `ages_s` and `readings` may be asked from any thread."""

    def __init__(self, deps: Deps, chronicles: Chronicles) -> None:
        self._deps = deps
        self._chronicles = chronicles
        self._watches: dict[str, Watch] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._reaping: dict[str, asyncio.TimerHandle] = {}

    @asynccontextmanager
    async def tab(self, episode: str, after: int) -> AsyncIterator[Tab]:
        """Raises the store's error for an unknown episode."""
        watch = self._watch(episode)
        try:
            tab = await watch.join(after)
        except BaseException:
            self._linger(episode)
            raise
        try:
            yield tab
        finally:
            watch.leave(tab)
            self._linger(episode)

    def keep(self, episodes: Iterable[str]) -> None:
        """Go on watching these a while, whether or not a page shows them: their links have ages then."""
        for episode in episodes:
            self._watch(episode)
            self._linger(episode)

    async def nudge(self, episode: str) -> None:
        """Wake the episode's runner, if it is linked already; the link is made for the next time if it is
        not."""
        watch = self._watch(episode)
        self._linger(episode)
        await watch.nudge()

    def ages_s(self, episode: str) -> Mapping[str, float | None]:
        """Empty for an episode that nobody watches."""
        watch = self._watches.get(episode)
        return {} if watch is None else watch.ages_s()

    def readings(self, episode: str, robot: str) -> Mapping[str, str]:
        """What telemetry last said of a robot, as the page writes it; empty for what nobody watches."""
        watch = self._watches.get(episode)
        return {} if watch is None else watch.readings(robot)

    async def close(self) -> None:
        for handle in self._reaping.values():
            handle.cancel()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self._watches.clear()
        self._tasks.clear()

    def _watch(self, episode: str) -> Watch:
        reaping = self._reaping.pop(episode, None)
        if reaping is not None:
            reaping.cancel()
        if episode not in self._watches:
            watch = Watch(episode, self._deps.reader, self._chronicles.of(episode), self._deps.connect)
            self._watches[episode] = watch
            self._tasks[episode] = asyncio.create_task(watch.run(), name=f"watch {episode}")
        return self._watches[episode]

    def _linger(self, episode: str) -> None:
        watch = self._watches.get(episode)
        if watch is None or watch.tabs or episode in self._reaping:
            return
        loop = asyncio.get_running_loop()
        self._reaping[episode] = loop.call_later(LINGER_S, self._reap, episode)

    def _reap(self, episode: str) -> None:
        self._reaping.pop(episode, None)
        watch = self._watches.get(episode)
        if watch is not None and not watch.tabs:
            del self._watches[episode]
            self._tasks.pop(episode).cancel()
