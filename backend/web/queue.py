"""Reads the queue of what needs a person, over all episodes. It is the same for everybody, so it is read at
most once a second for however many look."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from msgspec import Struct

from backend.domain.command.alarms import after, upkeep
from backend.web.builders.alarms import holding, unjudged
from backend.web.builders.listed import Listed
from backend.web.builders.queue import queue_body, queue_items, queue_view, returned_items
from backend.web.deps import Alarms
from backend.web.listing import Listing
from backend.web.pages.chrome import User
from backend.web.pages.live import QueueBody
from backend.web.pages.queue import QueueItem, QueueView

KEPT_S = 0.9


class Sight(Struct, frozen=True, kw_only=True):
    """What was seen at once: the items, alarms that are over unseen, what a tab is told of them, and the
    episodes that go on."""

    items: tuple[QueueItem, ...]
    returned: tuple[QueueItem, ...]
    body: QueueBody
    going: tuple[Listed, ...]

    @property
    def ages_s(self) -> dict[str, float | None]:
        """By link, how long ago each episode's robot was heard."""
        return {f"episode:{each.summary.episode}": each.robot_age_s for each in self.going}


class Queue:
    """For any number of threads. Each look also keeps what has come and gone since the last one."""

    def __init__(self, listing: Listing, alarms: Alarms, clock_s: Callable[[], float]) -> None:
        self._listing = listing
        self._alarms = alarms
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._seen: tuple[float, Sight] | None = None

    def sight(self, *, fresh: bool = False) -> Sight:
        """As it was within the last `KEPT_S`, or, `fresh`, as it is now."""
        with self._lock:
            now_s = time.monotonic()
            if fresh or self._seen is None or now_s - self._seen[0] > KEPT_S:
                self._seen = (time.monotonic(), self._look())
            return self._seen[1]

    def view(self, user: User, *, fresh: bool = False) -> QueueView:
        sight = self.sight(fresh=fresh)
        return queue_view(sight.items, user, sight.returned)

    def _look(self) -> Sight:
        going, now_s = tuple(self._listing.going()), self._clock_s()
        items = queue_items(going, now_s)
        known = self._alarms.known()
        changed = upkeep(known, holding(going, now_s), now_s, unjudged=unjudged(going))
        self._alarms.keep(changed)
        alarms = after(known, changed)
        returned = returned_items(alarms, self._listing.titles(each.episode for each in alarms), now_s)
        return Sight(items=items, returned=returned, body=queue_body(items, going, returned), going=going)
