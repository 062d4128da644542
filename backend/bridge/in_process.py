"""A world in this process, behind the port Bridge: for evaluation, which plays it thousands of times.

It waits: each poll lets one step pass while a skill runs; one that leaps lets steps pass until there is
something to report, which nobody can tell apart who neither looks on nor interferes. It lives and dies with
the process, so its ledger is a set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backend.bridge.translate import (
    arguments_out,
    evidence_from,
    hello_from,
    measured_from,
    outcome_from,
    picture_from,
)
from backend.domain.execution.outcome import Outcome
from backend.domain.geometry import Pose
from backend.domain.plans.plan import Step
from backend.usecases.ports import BridgeRefused, DispatchStatus, Hello, Picture, Reports, Stopped
from robot_bridge import world as w


class InProcessBridge:
    def __init__(self, world: w.World, *, leaps: bool = False) -> None:
        self._world = world
        self._leaps = leaps
        # The runner ends an episode when its steps are used up, so no leap goes past that moment.
        self._budget_s = 0.0
        self._seen: dict[str, Outcome | None] = {}
        self._running: str | None = None
        self._ended: list[Outcome] = []
        self._stopped: list[Stopped] = []
        self._latched: set[str] = set()
        self._pictures: dict[str, tuple[Picture, ...]] = {}
        self._views: dict[str, tuple[Picture, ...]] = {}

    def hello(self, epoch: int) -> Hello:
        described = {**self._world.describe(), "held": self._world.measure().held}
        self._budget_s = described.get("budget_s") or 0.0
        latched = tuple(self._latched)
        return hello_from(described, self._world.met_s, "in-process", latched, self._world.tick_s)

    def submit(
        self, epoch: int, dispatch_id: str, step: Step, goal: Pose | None, cameras: tuple[str, ...]
    ) -> None:
        if dispatch_id in self._seen:
            return
        if self._latched:
            raise BridgeRefused("held", "The robot is held.")
        asked = w.Step(
            step.skill,
            arguments_out(step.arguments),
            None if goal is None else w.Pose(goal.x_m, goal.y_m),
            None if step.watch is None else {"points": step.watch.points, "camera": step.watch.camera},
            cameras,
        )
        refusal = self._world.check(asked)
        if refusal is not None:
            raise BridgeRefused(refusal.code, f"{refusal.field} {refusal.problem}. {refusal.remedy}")
        self._seen[dispatch_id] = None
        self._running = dispatch_id
        self._end(self._world.start(asked))

    def cancel(self, epoch: int, dispatch_id: str) -> None:
        if self._running == dispatch_id:
            self._end(self._world.halt("cancelled"))

    def status(self, dispatch_id: str) -> DispatchStatus:
        if dispatch_id not in self._seen:
            return DispatchStatus(state="unknown", ledger_intact=True)
        outcome = self._seen[dispatch_id]
        state = "running" if outcome is None else "ended"
        return DispatchStatus(state=state, ledger_intact=True, outcome=outcome)

    def stop(self, stop_id: str, by: str) -> None:
        if stop_id in self._latched:
            return
        self._latched.add(stop_id)
        self._end(self._world.halt("stopped"))
        if self._world.is_still():
            measured = measured_from(self._world.measure())
            self._stopped.append(Stopped(stop_id=stop_id, measured=measured, by=by))

    def release(self, epoch: int, stop_id: str) -> None:
        self._latched.discard(stop_id)

    def poll(self) -> Reports:
        world = self._world
        if self._running is not None and not self._stopped:
            self._end(world.advance())
        sightings = world.observe()
        while self._leaps and self._running is not None and not sightings and world.met_s < self._budget_s:
            self._end(world.advance())
            sightings = world.observe()
        reports = Reports(
            met_s=world.met_s,
            evidence=tuple([evidence_from(sighting) for sighting in sightings]) if sightings else (),
            outcomes=tuple(self._ended),
            stopped=tuple(self._stopped),
            pictures=self._pictures,
            views=self._views,
        )
        self._ended.clear()
        if reports.pictures or reports.views:
            self._pictures, self._views = {}, {}
        self._stopped.clear()
        return reports

    def acknowledge(self, through: int) -> None:
        """Nothing is kept: reports are handed over within one process."""

    def heartbeat(self, epoch: int) -> None:
        """A world that waits needs no watchdog: it moves in `poll` alone."""

    def demonstration(self, first: int, count: int) -> tuple[Picture, ...]:
        if not isinstance(self._world, w.Demonstrates):
            return ()
        return tuple(map(picture_from, self._world.demonstration(first, count)[1]))

    def truth(self, met_s: float) -> Sequence[Mapping[str, Any]]:
        """Where everything was at that time, as the world tells it to replays; no part of the port Bridge."""
        return self._world.truth(met_s)

    def _end(self, outcome: w.Outcome | None) -> None:
        if outcome is not None and self._running is not None:
            ended = outcome_from(self._running, outcome)
            if outcome.frames:
                self._pictures[self._running] = tuple(map(picture_from, outcome.frames))
            if outcome.views:
                self._views[self._running] = tuple(map(picture_from, outcome.views))
            self._seen[self._running] = ended
            self._ended.append(ended)
            self._running = None
