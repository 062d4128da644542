"""Whole episodes of a surrogate at the drawn table, remembered as a memory configuration has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from msgspec.structs import replace

from backend.domain.demonstration.viewing import Viewing, answered, view_of
from backend.domain.execution import log as execution_log
from backend.domain.execution import notes as note_history
from backend.domain.execution.checks import checked
from backend.domain.execution.frames import Frame, View, WatchedFrames
from backend.domain.execution.gating import gate
from backend.domain.execution.log import LogLine
from backend.domain.execution.notes import Note
from backend.domain.execution.outcome import Measured, Result, Tool, Traced
from backend.domain.execution.recording import kept
from backend.domain.geometry import Metric, Pose
from backend.domain.memory.configuration import NAMED, MemoryConfiguration
from backend.domain.mission.site import GridMap, Site
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.motion import Motion
from backend.domain.plans.plan import Step, describe, motions
from backend.domain.query.query import Facts, Query, Reply
from backend.domain.query.seen import Returned, Seen, Viewed
from backend.planners.surrogate.planner import SurrogatePlanner
from backend.planners.surrogate.rewriting import Rates
from robot_bridge.tabletop.tasks import task_named
from robot_bridge.tabletop.tasks.seeds import difficulty_of, seed_of
from robot_bridge.tabletop.values import Task, Verdict
from tests.planners.surrogate.drawn import point_at
from tests.planners.surrogate.table import Table

NO_LOSS = Rates()
MOST_DECISIONS, MOST_STEPS = 80, 1300
SITE = Site(
    name="table", map=GridMap(width=10, height=10, cell_m=0.1), metric=Metric(kind="euclidean"), stations=()
)


def task_of(name: str, episode: int) -> Task:
    return task_named(name, Random(seed_of("test", name, episode)), difficulty_of(episode))


@dataclass
class Play:
    """One episode. After `to_its_end`, `verdict` says how it ended, None where decisions or steps ran out."""

    task: Task
    memory: MemoryConfiguration
    rates: Rates = NO_LOSS
    seed: int = 0
    pictures: dict[str, bytes] = field(default_factory=dict)
    log: list[LogLine] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    returned: tuple[Returned, ...] = ()
    images: int = 0

    def to_its_end(self) -> Play:
        self.table = Table(self.task)
        self.planner = SurrogatePlanner(load_picture=self._load, rates=self.rates, seed=self.seed)
        self._watch_demonstration()
        while self.verdict is None and len(self.steps) < MOST_DECISIONS and self.table.step < MOST_STEPS:
            self._decide()
        return self

    @property
    def verdict(self) -> Verdict | None:
        return self.table.progress.verdict

    def _load(self, frame: Frame) -> bytes:
        return self.pictures[frame.sha256]

    def _frame(self, png: bytes, side_px: int, step: int) -> Frame:
        name = f"{len(self.pictures):064x}"
        self.pictures[name] = png
        return Frame(sha256=name, width_px=side_px, height_px=side_px, camera="front", step=step)

    def _watch_demonstration(self) -> None:
        if not self.table.film or self.memory.demonstration == "off":
            return
        film = [self._frame(png, 256, step) for step, png in enumerate(self.table.film)]
        viewing = Viewing(total=len(film), switch=self.memory.demonstration)
        while (view := view_of(viewing)) is not None:
            frames = tuple(film[number] for number in view.frames)
            self.images += len(frames)
            viewed = Viewed(
                instruction=self.task.layout.instruction, task=self.task.name, view=view, frames=frames
            )
            reply = self.planner.propose(self._query(view=viewed))
            self.replies.append(reply)
            assert reply.answer is not None, reply.attempts
            viewing = answered(viewing, reply.answer)
        self._note(viewing.summary)

    def _decide(self) -> None:
        opening = self.table.opening_m
        seen = Seen(
            instruction=self.task.layout.instruction,
            task=self.task.name,
            executor="direct",
            step=self.table.step,
            steps_left=MOST_STEPS - self.table.step,
            tool=self._tool(),
            opening_m=opening,
            views=(View(frame=self._frame(self.table.picture(), 512, self.table.step)),),
            log=execution_log.shown(tuple(self.log), self.memory.log),
            notes=note_history.shown(tuple(self.notes), self.memory.notes),
            frames=self.returned,
            last=self.log[-1] if self.log else None,
        )
        self.images += 2 + sum(len(each.watched.frames) for each in self.returned)
        reply = self.planner.propose(self._query(seen=seen))
        self.replies.append(reply)
        assert reply.proposal is not None, reply.attempts
        self._note(reply.proposal.note)
        (step,) = reply.proposal.steps
        self.steps.append(step)
        self._carry_out(step)

    def _query(self, seen: Seen | None = None, view: Viewed | None = None) -> Query:
        facts = Facts(
            exposed=(),
            robot=Pose(0.0, 0.0),
            held=None,
            assignments={},
            site=SITE,
            swept=None,
            steps_left=None,
            cause="",
            seen=seen,
            view=view,
        )
        return Query(
            decision=len(self.replies) + 1, attempt=1, blocks=(), facts=facts, catalogue=Catalogue(skills=())
        )

    def _note(self, text: str) -> None:
        self.notes.append(
            Note(seq=0, decision=len(self.replies), met_s=self.table.step / 20, author="surrogate", text=text)
        )

    def _tool(self) -> Tool:
        x_m, y_m, z_m = self.table.tcp
        return Tool(x_m=x_m, y_m=y_m, z_m=z_m, yaw_rad=self.table.yaw)

    def _carry_out(self, step: Step) -> None:
        self.table.recorded = [] if step.watch or self.memory.frames == "all" else None
        if self.table.recorded is not None:
            self.table.record()
        result, measured = self._done(step)
        measured = replace(
            measured, opening_m=self.table.opening_m, height_m=self.table.tcp[2], tool=self._tool()
        )
        self.log.append(
            LogLine(
                index=len(self.log) + 1,
                seq=0,
                met_s=self.table.step / 20,
                command=describe(step),
                result=result,
                reason="",
                measured=measured,
                asked=step,
                step=self.table.step,
            )
        )
        self.returned = self._gated(step)

    def _done(self, step: Step) -> tuple[Result, Measured]:
        if step.skill == "locate":
            pixels = [value for value in step.arguments.values() if isinstance(value, tuple)]
            height = step.arguments["height_m"]
            assert isinstance(height, float)
            points = tuple(point_at((float(x), float(y)), height) for x, y in pixels)  # type: ignore[arg-type]
            return Result.SUCCEEDED, Measured(points_m=points)
        if step.skill == "wait":
            parts: tuple[Motion, ...] = (Motion("wait", {"steps": int(str(step.arguments["steps"]))}),)
        else:
            parts = motions(step.arguments["moves"])
        trace = []
        for part in parts:
            self._move(part)
            opening, height = self.table.opening_m, self.table.tcp[2]
            passed = None
            if part.check:
                passed = checked(part.check, Measured(opening_m=opening, height_m=height)).passed
            trace.append(
                Traced(
                    what=part.skill,
                    step=self.table.step,
                    opening_m=opening,
                    height_m=height,
                    check=part.check,
                    passed=passed,
                )
            )
            if passed is False:
                return Result.FAILED, Measured(trace=tuple(trace))
        return Result.SUCCEEDED, Measured(trace=tuple(trace))

    def _move(self, part: Motion) -> None:
        given = part.arguments
        if part.skill == "wait":
            for _ in range(int(given["steps"])):
                self.table.tick()
            return
        while self.table.step < int(given.get("start_step", 0)):
            self.table.tick()
        arrive = given.get("arrive_step")
        to = (float(given["x_m"]), float(given["y_m"]), float(given["z_m"]))
        self.table.go(to, float(given.get("yaw_rad", 0.0)), None if arrive is None else int(arrive))
        self.table.grip(str(given.get("gripper", "keep")))

    def _gated(self, step: Step) -> tuple[Returned, ...]:
        recorded = self.table.recorded
        if not recorded:
            return ()
        chosen = [recorded[index] for index in kept([at for at, _ in recorded])]
        watch = "all" if self.memory.frames == "all" else step.watch.points if step.watch else None
        gated = gate([picture for _, picture in chosen], watch)
        frames = tuple(
            self._frame(self.table.encoded(picture), 512, at)
            for (at, picture), back in zip(chosen, gated.returned, strict=True)
            if back
        )
        watched = WatchedFrames(camera="front", watch=step.watch, frames=frames, withheld=gated.withheld)
        return (Returned(action=len(self.log), watched=watched),)


def play(
    name: str, episode: int, memory: str = "execution_grounded", rates: Rates = NO_LOSS, seed: int = 0
) -> Play:
    return Play(task_of(name, episode), NAMED[memory], rates, seed).to_its_end()
