"""A simulated world of this process as the sandbox sees it: no address, no hello, no epoch, no ledger.

It is the world itself, never one that a bridge answers for: whoever holds it can move nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from backend.bridge.translate import arguments_out, evidence_from, measured_from, outcome_from
from backend.domain.execution.outcome import Outcome, Result
from backend.domain.geometry import Pose
from backend.domain.plans.plan import Step
from backend.sandbox.ports import Happened
from robot_bridge import world as w


class Simulation:
    """`world` waits: one step passes in it for each look at a running skill."""

    def __init__(self, world: w.World) -> None:
        self._world = world
        self._running = ""
        self._ended: list[Outcome] = []

    def save(self) -> Mapping[str, Any]:
        """Written and read again: a world hands out lists that it goes on with."""
        saved: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self._world.save()))
        return {"world": saved, "running": self._running}

    def restore(self, saved: Mapping[str, Any]) -> None:
        self._world.restore(saved["world"])
        self._running = saved["running"]
        self._ended.clear()

    def begin(self, dispatch_id: str, step: Step, goal: Pose | None) -> None:
        asked = w.Step(
            step.skill, arguments_out(step.arguments), None if goal is None else w.Pose(goal.x_m, goal.y_m)
        )
        refusal = self._world.check(asked)
        if refusal is not None:
            self._ended.append(self._not_executed(dispatch_id, step.skill, refusal))
            return
        self._running = dispatch_id
        self._end(self._world.start(asked))

    def halt(self) -> None:
        if self._running:
            self._end(self._world.halt("cancelled"))

    def look(self) -> Happened:
        if self._running:
            self._end(self._world.advance())
        evidence = tuple([evidence_from(sighting) for sighting in self._world.observe()])
        ended, self._ended = tuple(self._ended), []
        return Happened(met_s=self._world.met_s, evidence=evidence, outcomes=ended)

    def _end(self, outcome: w.Outcome | None) -> None:
        if outcome is not None:
            self._ended.append(outcome_from(self._running, outcome))
            self._running = ""

    def _not_executed(self, dispatch_id: str, skill: str, refusal: w.Refusal) -> Outcome:
        now_s = self._world.met_s
        return Outcome(
            dispatch_id=dispatch_id,
            skill=skill,
            result=Result.NOT_EXECUTED,
            reason=refusal.code,
            message=f"{refusal.field} {refusal.problem}. {refusal.remedy}",
            started_s=now_s,
            ended_s=now_s,
            measured=measured_from(self._world.measure()),
        )
