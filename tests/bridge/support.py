"""What the bridge's tests share: tapes made by hand, a clock that is told the time, commands with an id."""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import asdict, replace
from typing import Any

from robot_bridge import contract
from robot_bridge.bridge import Bridge
from robot_bridge.grid.scenarios import SCENARIOS, Scenario, custom
from robot_bridge.grid.tape import Tape, draw
from robot_bridge.grid.world import GridWorld
from robot_bridge.world import Outcome, Pose, Step

SMALL = custom({"size": 4, "containers": 2, "budget": 40, "latency": 2})


def quiet_tape(scenario: Scenario = SMALL, **changes: Any) -> Tape:
    """Nothing relocates, is seen from above, or fails; containers 0 and 1 stand at (2, 1) and (3, 0)."""
    steps, surveys, n = scenario.budget, scenario.surveys, scenario.containers
    quiet = replace(
        draw(scenario, 0),
        initial_cells=[(2, 1), (3, 0)],
        types=[0, 1],
        relocates=[False] * steps,
        relocated=[0] * steps,
        destinations=[(1, 1)] * steps,
        detected=[[False] * n for _ in range(surveys)],
        is_false=[[False] * n for _ in range(surveys)],
        false_cells=[[(0, 1)] * n for _ in range(surveys)],
        true_confidence=[[0.9] * n for _ in range(surveys)],
        false_confidence=[[0.3] * n for _ in range(surveys)],
        pick_fails=[False] * steps,
        place_fails=[False] * steps,
    )
    return replace(quiet, **changes)


def small_world(emits_truth: bool = False, **changes: Any) -> GridWorld:
    return GridWorld(SMALL, 0, emits_truth, quiet_tape(**changes))


def navigate(x: int, y: int, to: str = "bottle_01", cameras: tuple[str, ...] = ()) -> Step:
    return Step("navigate", {"to": to}, Pose(float(x), float(y)), None, cameras)


def run(world: GridWorld, step: Step) -> Outcome:
    """The step from start to end."""
    assert world.check(step) is None
    outcome = world.start(step)
    while outcome is None:
        outcome = world.advance()
    return outcome


def digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=list).encode()).hexdigest()[:16]


def tape_digest(name: str, seed: int) -> str:
    return digest(asdict(draw(SCENARIOS[name], seed)))


class Clock:
    """A monotonic clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Runner:
    """Sends commands as a runner does, checks each reply and report against the contract, and remembers
    reports.
    """

    def __init__(self, bridge: Bridge, epoch: int = 1) -> None:
        self.bridge = bridge
        self.epoch = epoch
        self.reports: list[dict[str, Any]] = []
        self._ids = itertools.count(1)

    def send(self, operation: str, **fields: Any) -> dict[str, Any]:
        reply = self.bridge.handle({"op": operation, "id": next(self._ids), **fields})
        contract.check_reply(operation, reply)
        self.listen()
        return reply

    def listen(self) -> list[dict[str, Any]]:
        """New reports, telemetry left out."""
        new = [contract.check_report(json.loads(json.dumps(each))) for each in self.bridge.drain()]
        kept = [each for each in new if each["report"]]
        self.reports += kept
        return kept

    def hello(self) -> dict[str, Any]:
        return self.send("hello", epoch=self.epoch, contract=contract.CONTRACT_VERSION)

    def submit(self, dispatch_id: str, step: Step) -> dict[str, Any]:
        return self.send("submit", epoch=self.epoch, dispatch_id=dispatch_id, step=step_message(step))

    def advance(self) -> dict[str, Any]:
        return self.send("advance", epoch=self.epoch)

    def finish(self, dispatch_id: str, step: Step) -> dict[str, Any]:
        """The outcome of a step in a world that waits."""
        reply = self.submit(dispatch_id, step)
        while reply["ok"] and reply["state"] == "running":
            reply = self.advance()
        return reply["outcome"]

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [each for each in self.reports if each["kind"] == kind]


def step_message(step: Step) -> dict[str, Any]:
    return {
        "skill": step.skill,
        "arguments": dict(step.arguments),
        "goal": None if step.goal is None else step.goal._asdict(),
        "watch": step.watch,
        "cameras": list(step.cameras),
    }
