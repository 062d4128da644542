"""One watched episode: its runner's socket while there is a runner, the database when there is none, and the
tabs.

Every event is read from the database, whoever told of it: the socket says only that it is time to look. So a
runner that dies, restarts or falls silent costs half a second, and nothing is told that was not committed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool

from backend.usecases.live import AgeMessage, LiveMessage, TelemetryMessage
from backend.usecases.reading import Reader
from backend.web.builders.links import is_link
from backend.web.chronicle import Chronicle
from backend.web.deps import Connect
from backend.web.errors import NotBegun
from backend.web.live.link import RunnerLink
from backend.web.live.messages import age_text, event_text, shown_of, telemetry_text
from backend.web.live.tab import Tab, TabAheadError

log = logging.getLogger(__name__)

LOOK_S = 0.5
"""How often the database is read while no runner tells."""
SILENT_S = 3.0
BEAT_S = 1.0
RESUMED = 500
"""Events that a tab is told one by one when it comes back; past that only the last: it fetches everything."""


class Watch:
    """Lives on one event loop, from the first tab to a while after the last."""

    def __init__(self, episode: str, reader: Reader, chronicle: Chronicle, connect: Connect) -> None:
        self.episode = episode
        self.tabs: set[Tab] = set()
        self._reader = reader
        self._chronicle = chronicle
        self._connect = connect
        self._link: RunnerLink | None = None
        self._seq = 0
        self._met_s = 0.0
        self._ages_s: dict[str, float | None] = {}
        self._heard_s = time.monotonic()
        self._looking = asyncio.Lock()
        self._telemetry: dict[str, str] = {}
        self._readings: dict[str, Mapping[str, str]] = {}

    async def run(self) -> None:
        """Follow until cancelled."""
        beat = asyncio.create_task(self._beat())
        try:
            while True:
                try:
                    await self._follow()
                except NotBegun:
                    await asyncio.sleep(LOOK_S)
                except Exception:
                    log.exception("watching episode %s failed; it is tried again", self.episode)
                    await asyncio.sleep(BEAT_S)
        finally:
            beat.cancel()

    async def join(self, after: int) -> Tab:
        """A new tab that has been shown everything up to `after`. Raises the store's error for an unknown
        episode, and TabAheadError for an `after` that has not happened."""
        tab = Tab(after)
        self.tabs.add(tab)
        try:
            await self.look()
            if after > self._seq:
                raise TabAheadError(f"after {after} is past the newest event, {self._seq}: read it again")
            first = after if self._seq - after <= RESUMED else self._seq - 1
            missed = await run_in_threadpool(
                self._reader.events, self.episode, after=first, until=self._seq, limit=None
            )
        except BaseException:
            self.tabs.discard(tab)
            raise
        tab.resumed([(entry.recorded.seq, event_text(self.episode, entry)) for entry in missed])
        for stream, text in self._telemetry.items():
            tab.latest(stream, text)
        tab.latest("links", self._age_text())
        return tab

    def leave(self, tab: Tab) -> None:
        self.tabs.discard(tab)

    async def nudge(self) -> None:
        if self._link is not None:
            await self._link.nudge()

    async def look(self) -> None:
        """Read what is new, and tell it."""
        async with self._looking:
            if self._seq == 0:
                newest = await run_in_threadpool(self._chronicle.newest)
                self._seq, self._met_s = newest.state.seq, newest.state.met_s
                return
            for entry in await run_in_threadpool(self._chronicle.news, self._seq):
                self._seq, self._met_s = entry.recorded.seq, entry.recorded.met_s
                self._tell(entry.recorded.seq, event_text(self.episode, entry))

    def ages_s(self) -> dict[str, float | None]:
        """Seconds since each link was last heard, as the runner said and the time since."""
        since_s = time.monotonic() - self._heard_s
        known = {
            key: None if age_s is None else age_s + since_s
            for key, age_s in self._ages_s.items()
            if is_link(key)
        }
        return {"server": 0.0, **known, "planner": None}

    def readings(self, robot: str) -> Mapping[str, str]:
        """A robot's readings as last told, while they are fresh."""
        return {} if self._is_silent() else self._readings.get(robot, {})

    async def _follow(self) -> None:
        address = await self._address()
        pump = asyncio.create_task(self._pump(address)) if address else None
        try:
            while True:
                await asyncio.wait([pump], timeout=LOOK_S) if pump else await asyncio.sleep(LOOK_S)
                if pump is not None and not pump.done() and not self._is_silent():
                    continue
                await self.look()
                if await self._address() != address or (pump is not None and pump.done()):
                    await asyncio.sleep(LOOK_S / 2)
                    return
        finally:
            if pump is not None:
                pump.cancel()
                with contextlib.suppress(asyncio.CancelledError, OSError):
                    await pump

    async def _address(self) -> str:
        return (await run_in_threadpool(self._reader.episode, self.episode)).address

    async def _pump(self, address: str) -> None:
        try:
            async with self._connect(address) as link:
                self._link = link
                async for message in link.messages():
                    await self._heard(message)
        except OSError:
            return
        finally:
            self._link = None

    async def _heard(self, message: LiveMessage) -> None:
        self._heard_s = time.monotonic()
        if isinstance(message, TelemetryMessage):
            shown = shown_of(message)
            text = telemetry_text(message, shown)
            self._telemetry[message.stream], self._readings[message.stream] = text, shown.readings
            for tab in self.tabs:
                tab.latest(message.stream, text)
            return
        if isinstance(message, AgeMessage):
            self._ages_s, self._met_s = dict(message.body.ages_s), message.met_s
            if message.body.seq > self._seq:
                await self.look()
        elif message.seq > self._seq:
            await self.look()

    def _is_silent(self) -> bool:
        return time.monotonic() - self._heard_s > SILENT_S

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            text = self._age_text()
            for tab in self.tabs:
                tab.latest("links", text)

    def _age_text(self) -> str:
        return age_text(self.episode, self._met_s, self.ages_s())

    def _tell(self, seq: int, text: str) -> None:
        for tab in self.tabs:
            tab.event(seq, text)
