"""Episodes on a database for tests: ordered, claimed, and filled from a drill."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from sqlalchemy import Engine

from backend.persistence.heads import order_episode
from backend.persistence.inbox import SqlInbox
from backend.persistence.journal import SqlJournal
from backend.persistence.leases import Lease, claim
from tests.support.drill import Commit, Drill, whole

_numbers = itertools.count(1)


def new_episode(engine: Engine, prefix: str = "episode") -> str:
    """The id of an episode that was ordered and not begun."""
    name = f"{prefix}-{next(_numbers)}"
    order_episode(engine, name, {"mission": "drill"}, "ada")
    return name


def claimed(engine: Engine, episode: str, *, ttl_s: float = 60.0) -> Lease:
    return claim(engine, episode, [f"robot of {episode}"], "runner", ttl_s=ttl_s)


def fill(engine: Engine, episode: str, commits: Sequence[Commit], *, snapshot_every: int = 20) -> None:
    journal = SqlJournal(engine, claimed(engine, episode), snapshot_every=snapshot_every)
    inbox = SqlInbox(engine, episode)
    for commit in commits:
        for intent in commit.intents:
            inbox.put(intent)
        journal.append(commit.events, commit.settled)


def stored_whole(engine: Engine) -> Drill:
    """A long episode with something of everything, stored."""
    drill = whole(new_episode(engine))
    fill(engine, drill.episode, drill.commits)
    return drill
