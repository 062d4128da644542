"""The simulated tabletop as a scene, in process and without a bridge."""

from __future__ import annotations

import io
from functools import partial

import numpy as np
from msgspec.structs import replace
from PIL import Image

from backend.bridge.translate import arguments_out, measured_from
from backend.domain.execution.outcome import Measured, Result, Tool
from backend.domain.plans.plan import Step
from robot_bridge.tabletop.scenarios import scenario_named
from robot_bridge.tabletop.tasks.seeds import difficulty_of, seed_of
from robot_bridge.tabletop.world import TabletopWorld
from robot_bridge.world import Step as BridgeStep
from tests.planners.surrogate.scene import Drawing, Recorded


class SimulatedTable:
    def __init__(self, name: str, episode: int) -> None:
        self.name = name
        scenario = scenario_named(f"{name}/{difficulty_of(episode)}")
        self.world = TabletopWorld(scenario, seed_of("test", name, episode))
        self.instruction = self.world.task.layout.instruction
        self._seen = {view.camera: view.png for view in self.world.views()}

    @property
    def step(self) -> int:
        return self.world.steps

    @property
    def tool(self) -> Tool:
        return Tool(**self.world.tool()._asdict())

    @property
    def opening_m(self) -> float:
        return self.world.measure().opening_m or 0.0

    @property
    def ended(self) -> tuple[str, str] | None:
        verdict = self.world.verdict
        return None if verdict is None else (verdict.status, verdict.reason)

    def film(self) -> list[Drawing]:
        total = self.world.demonstration(0, 1)[0]
        return [partial(self._demonstrated, number) for number in range(total)]

    def view(self) -> bytes:
        return self._seen["front"]

    def carry_out(self, step: Step, records: bool) -> tuple[Result, Measured, Recorded]:
        cameras = ("front",) if records and step.skill != "locate" else ()
        asked = BridgeStep(step.skill, arguments_out(step.arguments), None, None, cameras)
        refusal = self.world.check(asked)
        assert refusal is None, refusal
        outcome = self.world.start(asked)
        while outcome is None:
            outcome = self.world.advance()
        self._seen = {view.camera: view.png for view in outcome.views}
        measured = replace(measured_from(outcome.measured), held=None)
        recorded = [(frame.step, _decoded(frame.png)) for frame in outcome.frames]
        return Result(outcome.result), measured, recorded

    def _demonstrated(self, number: int) -> bytes:
        return self.world.demonstration(number, 1)[1][0].png


def _decoded(png: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
