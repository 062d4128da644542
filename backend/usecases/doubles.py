"""Journal and Inbox in memory, held to the databases' contract. Evaluation runs on them by the thousand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence

from backend.domain.access.floods import UNBOUNDED, Sent
from backend.domain.command.intents import STOPPING, Intent, Settlement, kind_of
from backend.domain.episode.events import Recorded
from backend.usecases.append_guards import Head, refuse_dispatch_over_stop, refuse_fenced_append
from backend.usecases.ports import IntentWithdrawn, LostLease, StopPending


class MemoryEpisode:
    """What the journal and the inbox of one episode share. `clock_s` stands for the database's clock."""

    def __init__(self, clock_s: Callable[[], float] = time.time) -> None:
        self.clock_s = clock_s
        self.events: list[Recorded] = []
        self.undecided: dict[str, Intent] = {}
        self.outcomes: dict[str, Settlement | None] = {}
        self.put_s: dict[str, tuple[Intent, float]] = {}
        self.epoch = 0
        self.expires_s = 0.0
        self.lock = threading.Lock()

    def claim(self, ttl_s: float = float("inf")) -> MemoryJournal:
        """The journal under a new epoch; whoever held an older one writes no more."""
        with self.lock:
            self.epoch += 1
            self.expires_s = self.clock_s() + ttl_s
            return MemoryJournal(self, self.epoch)


class MemoryJournal:
    """A Journal that lasts as long as the process. `MemoryJournal()` is an episode of its own."""

    def __init__(self, episode: MemoryEpisode | None = None, epoch: int = 1) -> None:
        if episode is None:
            episode = MemoryEpisode()
            episode.epoch, episode.expires_s = epoch, float("inf")
        self.episode = episode
        self.epoch = epoch

    def append(self, events: Sequence[Recorded], settled: Sequence[Settlement] = ()) -> None:
        episode = self.episode
        with episode.lock:
            head = Head(seq=len(episode.events), epoch=episode.epoch, expires_s=episode.expires_s)
            refusal = refuse_fenced_append(head, self.epoch, events, episode.clock_s())
            if refusal is not None:
                raise LostLease(str(refusal))
            if episode.undecided or settled:
                self._settle(events, settled)
            episode.events.extend(events)

    def _settle(self, events: Sequence[Recorded], settled: Sequence[Settlement]) -> None:
        undecided = self.episode.undecided
        decided = {settlement.intent_id for settlement in settled}
        withdrawn = decided - undecided.keys()
        if withdrawn:
            raise IntentWithdrawn(f"No longer undecided: {', '.join(sorted(withdrawn))}.")
        stops = [key for key, intent in undecided.items() if _is_stopping(intent) and key not in decided]
        refusal = refuse_dispatch_over_stop(events, stops)
        if refusal is not None:
            raise StopPending(str(refusal))
        for settlement in settled:
            del undecided[settlement.intent_id]
            self.episode.outcomes[settlement.intent_id] = settlement

    def read(self, after: int = 0) -> Iterable[Recorded]:
        return self.episode.events[after:]


class MemoryInbox:
    """An Inbox, and the side of it that the web writes to."""

    def __init__(self, episode: MemoryEpisode) -> None:
        self.episode = episode

    def take(self) -> tuple[Sequence[Intent], float]:
        with self.episode.lock:
            return tuple(self.episode.undecided.values()), self.episode.clock_s()

    def put(self, intent: Intent) -> None:
        """The same id again changes nothing."""
        with self.episode.lock:
            if intent.id not in self.episode.undecided and intent.id not in self.episode.outcomes:
                self.episode.undecided[intent.id] = intent
                self.episode.put_s[intent.id] = intent, self.episode.clock_s()

    def outcome(self, intent_id: str) -> Settlement | None:
        return self.episode.outcomes.get(intent_id)

    def withdraw(self, intent_id: str) -> bool:
        """True: it will never be applied. False: it is decided, unknown, or a stop."""
        with self.episode.lock:
            intent = self.episode.undecided.get(intent_id)
            if intent is None or _is_stopping(intent):
                return False
            del self.episode.undecided[intent_id]
            self.episode.outcomes[intent_id] = None
            return True

    def came_s(self, intent_id: str) -> float | None:
        return self.episode.put_s[intent_id][1] if intent_id in self.episode.put_s else None

    def lately(self, actor: str, within_s: float) -> tuple[Sequence[Sent], float]:
        with self.episode.lock:
            now_s = self.episode.clock_s()
            mine = [each for each in self.episode.put_s.values() if each[0].actor == actor]
            return [
                Sent(at_s=at_s, kind=kind_of(intent.action), applied=self._applied(intent.id))
                for intent, at_s in mine
                if at_s > now_s - within_s and kind_of(intent.action) not in UNBOUNDED
            ], now_s

    def _applied(self, intent_id: str) -> bool | None:
        settled = self.episode.outcomes.get(intent_id)
        return None if settled is None else settled.applied


def _is_stopping(intent: Intent) -> bool:
    return isinstance(intent.action, STOPPING)
