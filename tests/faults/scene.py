"""One mission through real processes, and what may be asked of it afterwards.

A `Person` decides what is left to people, so that a mission ends whatever was killed. What was executed is
counted in the bridge's ledger; the journal is asked only for what was approved.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine

from backend.bootstrap import mission_files
from backend.bridge.addresses import robot_home
from backend.config import load_settings
from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Action, Approve, AskAgain, Hold, Intent, Release, Resolve
from backend.domain.episode import events as e
from backend.domain.episode.events import Recorded
from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.domain.memory.configuration import NAMED
from backend.domain.mission.mission import Mission
from backend.persistence.heads import order_episode
from backend.persistence.inbox import SqlInbox
from backend.persistence.reader import SqlReader
from backend.processes.exits import Exit
from backend.processes.keeper import Keeper
from backend.usecases.ordering import RunRequest, request_of, with_policy
from backend.usecases.reading import EpisodeSummary
from robot_bridge.ledger import Dispatch
from robot_bridge.sqlite_ledger import SqliteLedger
from tests.support.homes import new_home

PATIENCE_S = 240.0
"""Far past what any of this takes, on a busy machine too."""
CLICK_WITHIN_S = 60.0


class Person:
    """Looks at the state and decides: approves, releases, tells what became of a step in doubt."""

    def __init__(self, engine: Engine, episode: str) -> None:
        self._inbox = SqlInbox(engine, episode)
        self._seq = 0
        self.is_away = False

    def look(self, state: State) -> None:
        if self.is_away or state.seq == self._seq or state.ending is not None:
            return
        action = self.decide(state)
        if action is not None:
            self._seq = state.seq
            self.put(action)

    def decide(self, state: State) -> Action | None:
        approval, dispatch = state.approval, state.dispatch
        if dispatch is not None and dispatch.in_doubt:
            return Resolve(dispatch_id=dispatch.id, executed=False, account="It stands where it started.")
        if state.stops and dispatch is None:
            return Release(stop_ids=tuple(stop.id for stop in state.stops))
        if state.asks_person:
            return AskAgain()
        if approval is not None and approval.status is ApprovalStatus.PENDING and not state.stops:
            return Approve(
                approval_id=approval.id,
                plan_digest=approval.pins.plan_digest,
                pins_digest=approval.pins_digest,
            )
        return None

    def put(self, action: Action) -> None:
        _, now_s = self._inbox.take()
        self._inbox.put(
            Intent(
                id=f"person-{os.getpid()}-{time.monotonic_ns()}",
                actor="mara",
                role="operator",
                action=action,
                not_after_s=now_s + CLICK_WITHIN_S,
            )
        )


class Scene:
    """An episode on a home of its own. `play` runs it to its end under the keeper that `serve` uses."""

    def __init__(
        self, home: Path, mission: Mission, *, seed: int = 1, planner: str = "policy", **given: Any
    ) -> None:
        """`given`: settings."""
        self.settings, self.engine = new_home(home, **given)
        self.episode = "e1"
        self.request: RunRequest = request_of(self.episode, mission, planner, seed)
        order_episode(self.engine, self.episode, self.request, "mara")
        self.robot = robot_home(home, self.request.robot)
        self.person = Person(self.engine, self.episode)
        self.reader = SqlReader(self.engine)
        self._state: State | None = None
        self.logs = home / "logs"
        self.logs.mkdir()

    def keeper(self) -> Keeper:
        return Keeper(self.settings, self.episode, self.request, logs=self.logs)

    def play(
        self,
        until: Callable[[State], bool] | None = None,
        keeper: Keeper | None = None,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        """To the episode's end, or until `until` holds of its state; the keeper given is left running.

        `meanwhile` is called again and again, and before anything that died is started anew.
        """
        kept = keeper or self.keeper()
        if keeper is None:
            kept.start()
        deadline_s = time.monotonic() + PATIENCE_S
        try:
            while kept.tend() is not Exit.OK:
                meanwhile()
                state = self.state()
                if state is not None:
                    self.person.look(state)
                    if until is not None and until(state):
                        return
                if time.monotonic() > deadline_s:
                    raise AssertionError(f"The episode is stuck: {self.told()}")
                time.sleep(0.03)
        finally:
            if keeper is None:
                kept.end()

    def state(self) -> State | None:
        """None before the first event. Folds on from where it was."""
        after = self._state.seq if self._state is not None else 0
        for entry in self.reader.events(self.episode, after=after, limit=None):
            self._state = evolve(self._state, entry.recorded)
        return self._state

    def summary(self) -> EpisodeSummary:
        return self.reader.episode(self.episode)

    def journal(self) -> list[Recorded]:
        return [entry.recorded for entry in self.reader.events(self.episode, limit=None)]

    def ledger(self) -> Mapping[str, Dispatch]:
        """What the bridge wrote down before it moved. Ask when the bridge has ended."""
        ledger = SqliteLedger(self.robot / "ledger.sqlite")
        try:
            found = {each: ledger.dispatch(each) for each in ledger.executions()}
            return {name: dispatch for name, dispatch in found.items() if dispatch is not None}
        finally:
            ledger.close()

    def told(self) -> str:
        state = self.state()
        logs = "\n".join(path.read_text()[-2000:] for path in sorted(self.logs.glob("*.log")))
        return f"{state and (state.stops, state.asks_person, state.dispatch, state.approval)}\n{logs}"

    def check_nothing_twice_nothing_unapproved(self) -> None:
        """Against the ledger: each dispatch began once at most, and an approval had been granted before."""
        events = self.journal()
        granted = {
            each.event.approval_id: each.seq for each in events if isinstance(each.event, e.ApprovalGranted)
        }
        dispatched = {
            each.event.dispatch_id: each for each in events if isinstance(each.event, e.StepDispatched)
        }
        ledger = self.ledger()
        assert {name: found.executions for name, found in ledger.items() if found.executions > 1} == {}
        assert set(ledger) <= set(dispatched)
        for name in ledger:
            recorded = dispatched[name]
            assert isinstance(recorded.event, e.StepDispatched)
            assert granted[recorded.event.approval_id] < recorded.seq
        pairs = [
            (each.event.approval_id, each.event.index)
            for each in dispatched.values()
            if isinstance(each.event, e.StepDispatched)
        ]
        assert len(pairs) == len(set(pairs))

    def check_all_delivered(self) -> None:
        """As the robot's own record has it: each container set down once, at its station."""
        ended = self.summary()
        assert (ended.outcome, ended.delivered) == ("completed", ended.total), self.told()
        delivered = [
            found.step["arguments"]["object"]
            for found in self.ledger().values()
            if found.step.get("skill") == "deliver"
            and found.outcome is not None
            and found.outcome["result"] == "succeeded"
        ]
        assert len(delivered) == len(set(delivered)) == ended.total

    def check_the_record_is_whole(self) -> None:
        assert self.reader.verify(self.episode) == []


class Kills:
    """Runners killed at one point after another: the next is armed for the runner that takes the place."""

    def __init__(self, points: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._left = points.split()
        self._folder = folder
        self._patch = patch
        self._killed = folder
        self._arm()

    def tend(self) -> None:
        if self._left and self._killed.exists():
            self._left.pop(0)
            self._arm()

    @property
    def is_done(self) -> bool:
        return not self._left

    def check_all_came(self) -> None:
        self.tend()
        assert self._left == [], "no runner came to these points"

    def _arm(self) -> None:
        point = self._left[0] if self._left else ""
        self._killed = self._folder / f"killed-{len(self._left)}"
        self._patch.setenv("QUARTERDECK_FAILPOINT", point)
        self._patch.setenv("QUARTERDECK_FAILPOINT_ONCE", str(self._killed))


def check_survives_kills(home: Path, points: str, patch: pytest.MonkeyPatch, **kept: Any) -> None:
    """A runner is killed at each of `points` in turn, its successors' passes counted anew; the mission goes
    on to its end, and everything holds.
    """
    kills = Kills(points, home.parent, patch)
    # In this seed a plan is given up under way, so that a step is cancelled.
    scene = Scene(home, mission_at("recycling-live6", clock="waits"), seed=8, **kept)
    scene.person.put(Hold(stop_id="hold-1", reason="Look first"))
    scene.play(meanwhile=kills.tend)
    kills.check_all_came()
    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()
    scene.check_the_record_is_whole()


def mission_at(name: str, *, clock: str, tick_s: float = 0.02, approve: str = "auto") -> Mission:
    """A mission as it comes along, on a quick clock and without pictures."""
    mission = with_policy(mission_files(load_settings()).get(name), approve)
    world = replace(mission.world, clock=clock, tick_s=tick_s)
    return replace(mission, world=world, memory=NAMED["attention"])
