"""A runner that dies at any step between journal and bridge, and a robot that remembers what it was sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from backend.bridge.in_process import InProcessBridge
from backend.domain.command.conn import OnOperatorLoss
from backend.domain.command.intents import Action, Intent, Settlement
from backend.domain.command.policy import Policy
from backend.domain.episode.events import EvidenceJudged, Recorded, RunnerStarted, StepDispatched
from backend.domain.episode.evolve import evolve, fold
from backend.domain.episode.state import State
from backend.domain.execution.budgets import Budgets
from backend.domain.memory.evidence import Evidence
from backend.domain.mission.mission import Mission, World
from backend.planners.policy import PolicyPlanner
from backend.usecases.doubles import MemoryEpisode, MemoryInbox, MemoryJournal
from backend.usecases.loop import EpisodeLoop
from backend.usecases.opening import opening
from backend.usecases.ports import Reports
from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.world import GridWorld
from tests.support.episodes import AtOnce

POINTS = (
    "before append", "after append", "before submit", "after submit", "before stop", "after stop",
    "before cancel", "after cancel", "before release", "after release",
)  # fmt: skip


class Killed(BaseException):
    """The process is gone: nobody catches it, and nothing that it had in memory is left."""


class Fuse:
    """`lit`: the point at which the runner dies, once."""

    def __init__(self) -> None:
        self.lit = ""

    def burn(self, point: str) -> None:
        if self.lit == point:
            self.lit = ""
            raise Killed


class FusedJournal:
    def __init__(self, inner: MemoryJournal, fuse: Fuse) -> None:
        self.inner = inner
        self.fuse = fuse

    def append(self, events: Sequence[Recorded], settled: Sequence[Settlement] = ()) -> None:
        self.fuse.burn("before append")
        self.inner.append(events, settled)
        self.fuse.burn("after append")

    def read(self, after: int = 0) -> Any:
        return self.inner.read(after)


class Robot:
    """The grid's bridge, which outlives its runners. `sent`: every step that reached it, in order.

    `committed`: whether the journal held its dispatch by then. `sightings` go with the next report.
    """

    def __init__(self, episode: MemoryEpisode, fuse: Fuse, seed: int) -> None:
        self.inner = InProcessBridge(GridWorld(SCENARIOS["s-6"], seed))
        self.episode = episode
        self.fuse = fuse
        self.sent: list[str] = []
        self.committed: list[bool] = []
        self.sightings: list[Evidence] = []

    def submit(self, epoch: int, dispatch_id: str, *rest: Any) -> None:
        self.fuse.burn("before submit")
        self.sent.append(dispatch_id)
        told = [r.event for r in self.episode.events if isinstance(r.event, StepDispatched)]
        self.committed.append(any(each.dispatch_id == dispatch_id for each in told))
        self.inner.submit(epoch, dispatch_id, *rest)
        self.fuse.burn("after submit")

    def stop(self, stop_id: str, by: str) -> None:
        self.fuse.burn("before stop")
        self.inner.stop(stop_id, by)
        self.fuse.burn("after stop")

    def cancel(self, epoch: int, dispatch_id: str) -> None:
        self.fuse.burn("before cancel")
        self.inner.cancel(epoch, dispatch_id)
        self.fuse.burn("after cancel")

    def release(self, epoch: int, stop_id: str) -> None:
        self.fuse.burn("before release")
        self.inner.release(epoch, stop_id)
        self.fuse.burn("after release")

    def poll(self) -> Reports:
        reports = self.inner.poll()
        seen, self.sightings = tuple(self.sightings), []
        return msgspec.structs.replace(reports, evidence=(*reports.evidence, *seen))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class Mortal:
    """One episode through the lives of its runners. `lives` counts them."""

    def __init__(
        self, policy: Policy, expires_s: float | None, seed: int, on_operator_loss: OnOperatorLoss = "go_on"
    ) -> None:
        self.clock = [1000.0]
        self.episode = MemoryEpisode(lambda: self.clock[0])
        self.inbox = MemoryInbox(self.episode)
        self.fuse = Fuse()
        self.robot = Robot(self.episode, self.fuse, seed)
        self.mission = Mission(
            name="s-6",
            title="S-6",
            goal="Bring every container to its station.",
            completion="All containers stand at their stations and nothing is held.",
            world=World(name="grid", scenario="s-6"),
            policy=policy,
            budgets=Budgets(steps=None, decisions=None, tokens=None),
            approval_expires_s=expires_s,
            on_operator_loss=on_operator_loss,
        )
        self.lives = 0
        self.told = 0
        self.revive()

    @property
    def state(self) -> State:
        return self.loop.state

    def revive(self) -> None:
        """A new runner: a new epoch, and nothing known but the journal, read back as it was stored."""
        self.lives += 1
        journal = FusedJournal(self.episode.claim(), self.fuse)
        hello = self.robot.hello(journal.inner.epoch)
        past = [msgspec.json.decode(msgspec.json.encode(each), type=Recorded) for each in journal.read()]
        fresh: list[Recorded] = []
        if not past:
            first = opening("e1", self.mission, hello, planner="policy", seed=1, code_version="test")
            past, fresh = [first], [first]
        state = fold(past)
        started = RunnerStarted(epoch=journal.inner.epoch, code_version="test", ledger_id=hello.ledger_id)
        fresh.append(Recorded(seq=state.seq + 1, met_s=state.met_s, actor="system", event=started))
        journal.inner.append(fresh)
        self.loop = EpisodeLoop(
            evolve(state, fresh[-1]),
            journal,
            self.inbox,
            PolicyPlanner(),
            self.robot,
            AtOnce(),
            monotonic=lambda: self.clock[0],
        )
        if not any(isinstance(each.event, EvidenceJudged) for each in past):
            self.loop.begin(hello.initial)
        try:
            self.loop.resume(hello.latched, hello.ledger_id)
        except Killed:
            self.revive()

    def tick(self, times: int = 1) -> None:
        for _ in range(times):
            try:
                self.loop.tick()
            except Killed:
                self.revive()

    def click(self, action: Action, actor: str = "ada", role: str = "operator", in_s: float = 10.0) -> None:
        self.told += 1
        self.inbox.put(
            Intent(
                id=f"i{self.told}", actor=actor, role=role, action=action, not_after_s=self.clock[0] + in_s
            )
        )
