"""What the contract suite runs against: an episode's journal and inbox, in memory or on a database."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqlalchemy import Engine

from backend.domain.access.floods import Sent
from backend.domain.command.intents import Intent, Settlement
from backend.persistence.heads import order_episode
from backend.persistence.inbox import SqlInbox
from backend.persistence.journal import SqlJournal
from backend.persistence.leases import claim
from backend.usecases.doubles import MemoryEpisode, MemoryInbox
from backend.usecases.ports import Inbox, Journal

_numbers = itertools.count(1)


class WebInbox(Inbox, Protocol):
    """The inbox with the side that the web writes to."""

    def put(self, intent: Intent) -> None: ...

    def outcome(self, intent_id: str) -> Settlement | None: ...

    def withdraw(self, intent_id: str) -> bool: ...

    def came_s(self, intent_id: str) -> float | None: ...

    def lately(self, actor: str, within_s: float) -> tuple[Sequence[Sent], float]: ...


class Episode(Protocol):
    """`name` is unique among all tests. Each `claim` is another runner's, which may take over at once."""

    name: str

    def claim(self, ttl_s: float = 60.0) -> Journal: ...

    def inbox(self) -> WebInbox: ...

    def another(self) -> Episode:
        """A further episode in the same store."""


@dataclass
class InMemory:
    name: str = field(default_factory=lambda: f"episode-{next(_numbers)}")
    shared: MemoryEpisode = field(default_factory=MemoryEpisode)

    def claim(self, ttl_s: float = 60.0) -> Journal:
        return self.shared.claim(ttl_s)

    def inbox(self) -> WebInbox:
        return MemoryInbox(self.shared)

    def another(self) -> Episode:
        return InMemory()


@dataclass
class OnDatabase:
    engine: Engine
    name: str = field(default_factory=lambda: f"episode-{next(_numbers)}")

    def __post_init__(self) -> None:
        order_episode(self.engine, self.name, {}, "ada")

    def claim(self, ttl_s: float = 60.0) -> Journal:
        lease = claim(self.engine, self.name, [f"robot of {self.name}"], "runner", ttl_s=ttl_s)
        return SqlJournal(self.engine, lease, snapshot_every=20)

    def inbox(self) -> WebInbox:
        return SqlInbox(self.engine, self.name)

    def another(self) -> Episode:
        return OnDatabase(self.engine)
