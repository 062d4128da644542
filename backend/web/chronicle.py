"""The newest state of an episode, kept up with its journal event by event, so that a request folds nothing
anew.

Beside the state it keeps what every page needs of the whole journal and no table gives at a cursor: the
timeline, and at which seq each kind of event stands.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

from backend.domain.episode.events import PlanProposed, PlanRequested
from backend.domain.episode.evolve import evolve, fold
from backend.domain.episode.state import State
from backend.domain.hindsight.belief import Trace
from backend.domain.plans.validity import Cause
from backend.usecases.reading import Entry, Reader
from backend.web.builders.score_chart import Sample, Sampled
from backend.web.builders.timeline import Gathered
from backend.web.checkpoints import Checkpoints
from backend.web.errors import NotBegun
from backend.web.pages.timeline import TimelineData

KEPT = 64
"""Episodes whose newest state is kept; the one that nobody asked for longest goes first."""
PAGE = 1000
RECENT = 5
"""Events of a kind whose time of writing is kept."""


Look = TypeVar("Look")


class Newest(Struct, frozen=True):
    """`utc`: when the state's last event was written."""

    state: State
    utc: str


class Chronicle:
    """One episode. For any number of threads."""

    def __init__(self, reader: Reader, episode: str) -> None:
        self._reader = reader
        self._episode = episode
        self._lock = threading.Lock()
        self._newest: Newest | None = None
        self._gathered = Gathered()
        self._sampled = Sampled()
        self._checkpoints = Checkpoints()
        self._trace = Trace()
        self._look: tuple[int, Any] | None = None
        self._seqs: dict[str, list[int]] = {}
        self._written: dict[str, deque[str]] = {}
        self._cause: Cause | None = None
        self._timeline: tuple[int, TimelineData] | None = None

    def newest(self) -> Newest:
        """The state at the journal's head. Raises NotBegun while nothing is journalled."""
        with self._lock:
            self._catch_up()
            if self._newest is None:
                raise NotBegun(
                    f"Episode {self._episode} has not begun",
                    text="Its runner is starting.",
                    remedy="This page looks again by itself.",
                )
            return self._newest

    def at(self, seq: int) -> Newest:
        """The state after an event up to the newest, as quick in a long episode as in a short one."""
        newest = self.newest().state
        with self._lock:
            start = self._checkpoints.before(seq, newest)
        entries = self._reader.events(self._episode, after=start.seq - 1, until=seq, limit=None)
        return Newest(fold((entry.recorded for entry in entries[1:]), start), entries[-1].utc)

    def news(self, after: int) -> list[Entry]:
        """Events past `after`, by reading; and the state goes with them."""
        with self._lock:
            read = self._catch_up()
        if read and read[0].recorded.seq <= after + 1:
            return [entry for entry in read if entry.recorded.seq > after]
        return self._reader.events(self._episode, after=after, limit=None)

    def timeline(self) -> TimelineData:
        with self._lock:
            self._catch_up()
            head = self._newest.state.seq if self._newest is not None else 0
            if self._timeline is None or self._timeline[0] != head:
                self._timeline = (head, self._gathered.data())
            return self._timeline[1]

    def samples(self, state: State) -> list[Sample]:
        """What memory was at moments up to this state of the episode."""
        with self._lock:
            self._catch_up()
            return self._sampled.until(state)

    def looked_back(self, look: Callable[[Trace], Look]) -> Look:
        """What `look` makes of what was believed and relied on so far; made anew with the next event. Raises
        NotBegun."""
        head = self.newest().state.seq
        with self._lock:
            if self._look is None or self._look[0] < head:
                self._look = (head, look(self._trace))
            made: Look = self._look[1]
            return made

    def seqs(self, kind: str, until: int, count: int) -> list[int]:
        """Where the newest `count` events of a kind stand, up to `until`, in order."""
        with self._lock:
            found = self._seqs.get(kind, [])
            end = bisect_right(found, until)
            return found[max(0, end - count) : end]

    def written(self) -> dict[str, tuple[str, ...]]:
        """By kind, when its newest `RECENT` events were written, in order, ISO 8601."""
        with self._lock:
            self._catch_up()
            return {kind: tuple(utcs) for kind, utcs in self._written.items()}

    def cause(self) -> Cause | None:
        """Why the newest plan was asked for; None where a person made it of another."""
        with self._lock:
            self._catch_up()
            return self._cause

    def _catch_up(self) -> list[Entry]:
        read: list[Entry] = []
        while True:
            after = self._newest.state.seq if self._newest is not None else 0
            page = self._reader.events(self._episode, after=after, limit=PAGE)
            for entry in page:
                self._take(entry)
            read += page
            if len(page) < PAGE:
                return read

    def _take(self, entry: Entry) -> None:
        before = self._newest.state if self._newest is not None else None
        state = evolve(before, entry.recorded)
        self._gathered.add(entry.recorded, state)
        self._sampled.add(state)
        self._checkpoints.add(state)
        self._trace.add(entry.recorded, state)
        self._seqs.setdefault(entry.kind, []).append(entry.recorded.seq)
        self._written.setdefault(entry.kind, deque(maxlen=RECENT)).append(entry.utc)
        event = entry.recorded.event
        if isinstance(event, PlanRequested):
            self._cause = event.cause
        elif isinstance(event, PlanProposed) and event.plan.edits is not None:
            self._cause = None
        self._newest = Newest(state, entry.utc)


class Chronicles:
    """Those of the episodes asked for last."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Chronicle] = OrderedDict()

    def of(self, episode: str) -> Chronicle:
        with self._lock:
            chronicle = self._kept.pop(episode, None) or Chronicle(self._reader, episode)
            self._kept[episode] = chronicle
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return chronicle
