"""Whole episodes in a database, with people's commands in them: what is replayed, sent and taken in."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine

from backend.domain.command.intents import Action, Guide, Hold, Intent, Release
from backend.domain.episode.events import Recorded, RunnerStarted
from backend.domain.episode.evolve import fold
from backend.evaluation.arms import arm
from backend.evaluation.bare import mission_of
from backend.persistence.connect import reading
from backend.persistence.heads import head_of, order_episode
from backend.persistence.inbox import SqlInbox
from backend.persistence.journal import SqlJournal
from backend.persistence.leases import claim, release
from backend.planners.policy import PolicyPlanner
from backend.rig import grid_bridge
from backend.usecases.inline import InlineExecutor
from backend.usecases.loop import EpisodeLoop
from backend.usecases.opening import opening
from backend.usecases.ordering import request_of

DEEDS: tuple[tuple[int, Action], ...] = (
    (4, Guide(text="Mind the step.")),
    (9, Hold(stop_id="stop-1", reason="somebody walks there")),
    (14, Release(stop_ids=("stop-1",))),
)


class _Busy:
    """An Inbox into which ada puts a command at the nth pass."""

    def __init__(self, inbox: SqlInbox, deeds: Sequence[tuple[int, Action]]) -> None:
        self._inbox = inbox
        self._deeds = dict(deeds)
        self._passes = 0

    def take(self) -> tuple[Sequence[Intent], float]:
        self._passes += 1
        action = self._deeds.get(self._passes)
        if action is not None:
            self._inbox.put(
                Intent(id=f"i{self._passes}", actor="ada", role="operator", action=action, not_after_s=4e9)
            )
        return self._inbox.take()


def record(
    engine: Engine, episode: str, *, seed: int = 3, deeds: Sequence[tuple[int, Action]] = DEEDS
) -> str:
    """Plays s-6 into the database, to its end; gives the content digest."""
    chosen = arm("s-6", "attention")
    order_episode(engine, episode, request_of(episode, mission_of(chosen), "policy", seed), "ada")
    lease = claim(engine, episode, [f"sim-{episode}"], "runner", ttl_s=600.0)
    journal, bridge = SqlJournal(engine, lease), grid_bridge(chosen, seed)
    hello = bridge.hello(lease.epoch)
    opened = opening(episode, mission_of(chosen), hello, planner="policy", seed=seed, code_version="recorded")
    started = RunnerStarted(epoch=lease.epoch, code_version="recorded")
    first = [opened, Recorded(seq=2, met_s=opened.met_s, actor="system", event=started)]
    journal.append(first)
    loop = EpisodeLoop(
        fold(first), journal, _Busy(SqlInbox(engine, episode), deeds), PolicyPlanner(), bridge,
        InlineExecutor(), monotonic=lambda: 0.0,
    )  # fmt: skip
    loop.begin(hello.initial)
    for _ in range(2_000):
        loop.tick()
        if loop.state.ending is not None:
            break
    assert loop.state.ending is not None
    release(engine, lease)
    with reading(engine) as connection:
        return str(head_of(connection, episode)["content"])
