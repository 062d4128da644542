"""A tab that stays open while an episode of fifty thousand events goes by: what it and its server hold at the
end, and how heavy what it fetches has become. The journal, the server and the page are the console's own."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import uvicorn
from msgspec.structs import replace
from playwright.sync_api import CDPSession, Page, sync_playwright
from sqlalchemy import Engine

from backend.domain.execution.budgets import Budgets
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import Source
from backend.persistence import schema, tokens
from backend.persistence.connect import open_database, sqlite_url
from backend.persistence.inbox import SqlInbox
from backend.persistence.journal import SqlJournal
from backend.web.app import create_app
from tests.persistence.episodes import claimed, new_episode
from tests.support.chromium import VIEWPORT, launch
from tests.support.drill import CYCLE, MISSION, Drill
from tests.web.stand import Stand, prepared

EVENTS, STAGES = 50_000, 5
DELIVERIES_EVERY = 160
"""Events from one delivery to the next: an episode of this length has some three hundred."""
SEEN_AT_ONCE, ENTITIES = 10, 60
ENDLESS = Budgets(steps=None, decisions=None, tokens=None)
PANELS = ("map.json", "timeline.json", "memory", "audit", "log", "bar", "plan")


class Held(NamedTuple):
    """After so many events: megabytes of the page's heap, its nodes, and megabytes of the process that serves
    it and writes the journal."""

    events: int
    heap_mb: float
    nodes: int
    server_mb: float


class Tab(NamedTuple):
    """`kilobytes`: of what the page fetches again, compressed, at the end; `opened_s`: until a second tab
    shows its map."""

    held: tuple[Held, ...]
    kilobytes: dict[str, float]
    opened_s: float


def tab(events: int = EVENTS) -> Tab:
    with tempfile.TemporaryDirectory() as folder:
        engine = open_database(sqlite_url(Path(folder) / "bench.db"))
        schema.upgrade(engine)
        stand = prepared(engine, Path(folder))
        with _serving(stand) as url, sync_playwright() as playwright:
            long = Long(engine)
            long.until(200)
            browser = launch(playwright)
            page = browser.new_page(viewport=VIEWPORT, base_url=url)
            page.goto(f"/signin?token={tokens.issue(engine, 'op-1', 'sign_in', 600.0)}")
            page.goto(f"/episodes/{long.episode}")
            wire = page.context.new_cdp_session(page)
            held = []
            for stage in range(1, STAGES + 1):
                long.until(events * stage // STAGES)
                held.append(_held(page, wire, long.seq))
            kilobytes = {name: _kilobytes(page, f"/episodes/{long.episode}/{name}") for name in PANELS}
            opened_s = _opened_s(page, f"/episodes/{long.episode}")
            browser.close()
        engine.dispose()
    return Tab(tuple(held), kilobytes, opened_s)


class Long:
    """An episode without end: things are seen again elsewhere, and now and then one is delivered."""

    def __init__(self, engine: Engine) -> None:
        self.episode = new_episode(engine, "long")
        self._drill = Drill(episode=self.episode, mission=replace(MISSION, total=10_000, budgets=ENDLESS))
        self._journal = SqlJournal(engine, claimed(engine, self.episode, ttl_s=3600.0))
        self._inbox = SqlInbox(engine, self.episode)
        self._turn = 0
        self._next_delivery = 0

    @property
    def seq(self) -> int:
        return self._drill.state.seq

    def until(self, seq: int) -> None:
        while self.seq < seq:
            self._turn += 1
            self._drill.met_s += 1.0
            self._drill.tick(evidence=tuple(self._seen()))
            if self.seq >= self._next_delivery:
                self._next_delivery = self.seq + DELIVERIES_EVERY
                self._drill.run(CYCLE)
            self._store()
            if self._drill.state.ending is not None:
                raise SystemExit(f"The episode ended after {self.seq:,} events.")

    def _seen(self) -> Iterator[Evidence]:
        for each in range(SEEN_AT_ONCE):
            number = (self._turn * SEEN_AT_ONCE + each) % ENTITIES + ENTITIES * (self._turn // 2000)
            place = (self._turn + 3 * each) % 56
            yield Evidence(
                cls=("bottle", "can")[number % 2],
                pose=Pose(float(place % 7), float(place // 7)),
                confidence=0.9,
                source=Source.ONBOARD,
                stamp_s=self._drill.met_s,
                entity=f"thing_{number}",
                sensed_by="rover",
            )

    def _store(self) -> None:
        for commit in self._drill.commits:
            for intent in commit.intents:
                self._inbox.put(intent)
            self._journal.append(commit.events, commit.settled)
        self._drill.commits.clear()


@contextmanager
def _serving(stand: Stand) -> Iterator[str]:
    config = uvicorn.Config(create_app(stand.deps()), "127.0.0.1", 0, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    _wait(lambda: server.started)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(20)


def _held(page: Page, wire: CDPSession, seq: int) -> Held:
    page.wait_for_function(
        "(seq) => Number(document.querySelector('#timeline').dataset.head) >= seq", arg=seq, timeout=120_000
    )
    page.wait_for_timeout(3000)
    wire.send("HeapProfiler.collectGarbage")
    heap_mb = wire.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    nodes = int(wire.send("Memory.getDOMCounters")["nodes"])
    status = Path("/proc/self/status").read_text()
    server_mb = int(status.partition("VmRSS:")[2].split()[0]) / 1e3
    return Held(seq, heap_mb, nodes, server_mb)


def _kilobytes(page: Page, path: str) -> float:
    """As it goes over the wire."""
    measured = page.evaluate(
        """async (path) => {
          performance.clearResourceTimings();
          const answer = await fetch(path, { headers: { "HX-Request": "true" }, cache: "no-store" });
          await answer.arrayBuffer();
          return performance.getEntriesByName(answer.url).at(-1).encodedBodySize;
        }""",
        path,
    )
    return float(measured) / 1e3


def _opened_s(page: Page, path: str) -> float:
    begun_s = time.monotonic()
    page.goto(path)
    page.wait_for_selector(".map-mark.is-told, .map-crowd:not([hidden])")
    return time.monotonic() - begun_s


def _wait(reached: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + 60
    while not reached():
        if time.monotonic() > deadline_s:
            raise SystemExit("The server did not start.")
        time.sleep(0.02)


def built(found: Tab) -> dict[str, object]:
    return found._asdict() | {"held": [each._asdict() for each in found.held]}


def told(found: Tab) -> str:
    lines = [
        f"After {each.events:,} events: page {each.heap_mb:.1f} MB and {each.nodes:,} nodes,"
        f" server and journal's writer {each.server_mb:.0f} MB"
        for each in found.held
    ]
    weights = ", ".join(f"{name} {kilobytes:.1f}" for name, kilobytes in found.kilobytes.items())
    return "\n".join((*lines, f"Compressed, in kB: {weights}", f"Opened anew in {found.opened_s:.1f} s"))
