"""An episode at a table in the hands of a test: pure ticks, with a world that says what the test says."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backend.domain.command.policy import Policy
from backend.domain.decide.tick import tick
from backend.domain.decide.turn import Inputs, Tick
from backend.domain.demonstration.film import Film
from backend.domain.demonstration.looks import Answer
from backend.domain.demonstration.viewing import Viewing
from backend.domain.episode.events import DemonstrationRecorded, EpisodeOpened, Event, Recorded
from backend.domain.episode.evolve import fold
from backend.domain.execution.budgets import Budgets
from backend.domain.execution.frames import Frame, View, WatchedFrames
from backend.domain.execution.outcome import Judgement, Measured, Outcome, Result, Tool
from backend.domain.geometry import Pose
from backend.domain.memory.configuration import NAMED
from backend.domain.mission.mission import Mission, World
from backend.domain.mission.table import Table
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.plan import Step
from backend.domain.query.query import Attempt, Proposal, Reply
from tests.domain.plans.table import DIRECT, SITE

INSTRUCTION = "Put two red cubes into the bin, then press the button."
REST = Tool(x_m=-0.15, y_m=0.0, z_m=0.35)
WAIT = Step("wait", {"steps": 20})


def picture(name: str, camera: str = "front", size_px: int = 512, **more: Any) -> Frame:
    return Frame(sha256=name, width_px=size_px, height_px=size_px, camera=camera, step=0, **more)


def views(name: str) -> tuple[View, ...]:
    return tuple(View(frame=picture(f"{name}-{camera}", camera)) for camera in ("front", "wrist"))


class AtTable:
    """Each method is a tick. `state` and `events` are what came of all of them."""

    def __init__(
        self,
        *,
        memory: str = "execution_grounded",
        planner: str = "openai",
        film: int = 0,
        catalogue: Catalogue = DIRECT,
        budgets: Budgets | None = None,
        task_note: str = "A press counts from 5 mm.",
    ) -> None:
        mission = Mission(
            name="bin-fill",
            title="Bin fill",
            goal="",
            completion="The world judges.",
            world=World(name="tabletop", scenario="bin-fill/easy", tick_s=0.05),
            memory=NAMED[memory],
            policy=Policy(mode="auto"),
            budgets=budgets or Budgets(),
            task_note=task_note,
        )
        opened = EpisodeOpened(
            episode="e1",
            mission=mission,
            site=SITE,
            catalogue=catalogue,
            robot="arm",
            robot_pose=Pose(-0.5, 0.0),
            planner=planner,
            seed=1,
            code_version="test",
            table=Table(
                instruction=INSTRUCTION,
                task="bin-fill",
                difficulty="easy",
                executor="direct",
                step_s=0.05,
                views=views("first"),
                tool=REST,
            ),
        )
        self.events = [Recorded(seq=1, met_s=0.0, actor="system", event=opened)]
        if film:
            shown = DemonstrationRecorded(
                film=Film(
                    camera="front",
                    width_px=256,
                    height_px=256,
                    steps=tuple(range(film)),
                    sha256s=tuple(f"film-{index}" for index in range(film)),
                ),
                viewing=Viewing(total=film, switch=mission.memory.demonstration),
            )
            self.events.append(Recorded(seq=2, met_s=0.0, actor="system", event=shown))
        self.state = fold(self.events)
        self.met_s = 0.0
        self.pass_()

    def pass_(self, **inputs: Any) -> Tick:
        told = tick(self.state, Inputs(met_s=self.met_s, **inputs))
        self.state, self.events = told.state, [*self.events, *told.events]
        assert fold(self.events) == self.state
        return told

    def propose(self, *steps: Step, note: str = "") -> Tick:
        return self.answer(proposal=Proposal(rationale="", note=note, steps=steps))

    def sum_up(self, answer: Answer) -> Tick:
        return self.answer(proposal=None, answer=answer)

    def fail(self, attempt: Attempt) -> Tick:
        return self.answer(proposal=None, attempts=(attempt,))

    def end(
        self,
        *,
        steps: int = 20,
        result: Result = Result.SUCCEEDED,
        reason: str = "done",
        message: str = "",
        verdict: Judgement | None = None,
        seen: str = "after",
        frames: WatchedFrames | None = None,
        **measured: Any,
    ) -> Tick:
        dispatch = self.state.dispatch
        assert dispatch is not None
        self.met_s = round(self.met_s + steps * 0.05, 6)
        hand = Measured(
            held="cube_1",
            gripper_open=False,
            moves=steps,
            **{"opening_m": 0.04, "height_m": 0.12, "tool": replace(REST, z_m=0.12), **measured},
        )
        outcome = Outcome(
            dispatch_id=dispatch.id,
            skill=dispatch.step.skill,
            result=result,
            reason=reason,
            message=message,
            started_s=dispatch.met_s,
            ended_s=self.met_s,
            measured=hand,
            frames=frames,
            views=views(seen),
        )
        if verdict is not None:
            outcome = replace(outcome, verdict=verdict)
        return self.pass_(outcomes=(outcome,))

    def block(self, name: str) -> str:
        request = self.state.request
        assert request is not None
        return next((block.text for block in request.blocks if block.name == name), "")

    def images(self, name: str) -> list[str]:
        request = self.state.request
        assert request is not None
        return [image.sha256 for block in request.blocks if block.name == name for image in block.images]

    def emitted(self, kind: type[Event]) -> list[Any]:
        return [each.event for each in self.events if isinstance(each.event, kind)]

    def answer(self, **answer: Any) -> Tick:
        """To what is asked now, whatever it is."""
        request = self.state.request
        assert request is not None
        return self.pass_(
            replies=(
                Reply(decision=request.decision, attempt=request.attempt, **{"proposal": None, **answer}),
            )
        )
