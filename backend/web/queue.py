"""Reads the queue of what needs a person, over all episodes. It is the same for everybody, so it is read at
most once a second for however many look."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from msgspec import Struct

from backend.web.builders.listed import Listed
from backend.web.builders.queue import queue_body, queue_items, queue_view
from backend.web.listing import Listing
from backend.web.pages.chrome import User
from backend.web.pages.live import QueueBody
from backend.web.pages.queue import QueueItem, QueueView

KEPT_S = 0.9


class Sight(Struct, frozen=True, kw_only=True):
    """What was seen at once: the items, what a tab is told of them, and the episodes that go on."""

    items: tuple[QueueItem, ...]
    body: QueueBody
    going: tuple[Listed, ...]

    @property
    def ages_s(self) -> dict[str, float | None]:
        """By link, how long ago each episode's robot was heard."""
        return {f"episode:{each.summary.episode}": each.robot_age_s for each in self.going}


class Queue:
    """For any number of threads."""

    def __init__(self, listing: Listing, clock_s: Callable[[], float]) -> None:
        self._listing = listing
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._seen: tuple[float, Sight] | None = None

    def sight(self, *, fresh: bool = False) -> Sight:
        """As it was within the last `KEPT_S`, or, `fresh`, as it is now."""
        with self._lock:
            now_s = time.monotonic()
            if fresh or self._seen is None or now_s - self._seen[0] > KEPT_S:
                going = tuple(self._listing.going())
                items = queue_items(going, self._clock_s())
                sight = Sight(items=items, body=queue_body(items, going), going=going)
                self._seen = (time.monotonic(), sight)
            return self._seen[1]

    def view(self, user: User, *, fresh: bool = False) -> QueueView:
        return queue_view(self.sight(fresh=fresh).items, user)
