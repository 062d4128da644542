"""Whole episodes of a surrogate at a table, remembered as a memory configuration has it."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from random import Random

from PIL import Image

from backend.domain.demonstration.viewing import Viewing, answered, view_of
from backend.domain.execution import log as execution_log
from backend.domain.execution import notes as note_history
from backend.domain.execution.frames import Frame, View, WatchedFrames
from backend.domain.execution.gating import gate
from backend.domain.execution.log import LogLine
from backend.domain.execution.notes import Note
from backend.domain.execution.recording import kept
from backend.domain.geometry import Metric, Pose
from backend.domain.memory.configuration import NAMED, MemoryConfiguration
from backend.domain.mission.site import GridMap, Site
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.plan import Step, describe
from backend.domain.query.query import Facts, Query, Reply
from backend.domain.query.seen import Returned, Seen, Viewed
from backend.planners.surrogate.planner import SurrogatePlanner
from backend.planners.surrogate.rewriting import Rates
from robot_bridge.tabletop.tasks import task_named
from robot_bridge.tabletop.tasks.seeds import difficulty_of, seed_of
from tests.planners.surrogate.scene import Drawing, Picture, Recorded, Scene
from tests.planners.surrogate.table import Table

NO_LOSS = Rates()
MOST_DECISIONS, MOST_STEPS = 80, 1300
SITE = Site(
    name="table", map=GridMap(width=10, height=10, cell_m=0.1), metric=Metric(kind="euclidean"), stations=()
)


def query(decision: int, seen: Seen | None = None, view: Viewed | None = None) -> Query:
    """Of nothing but what a surrogate reads."""
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
    return Query(decision=decision, attempt=1, blocks=(), facts=facts, catalogue=Catalogue(skills=()))


@dataclass
class Play:
    """One episode. After `to_its_end`, the scene says how it ended, if steps and decisions were enough."""

    scene: Scene
    memory: MemoryConfiguration
    rates: Rates = NO_LOSS
    seed: int = 0
    pictures: dict[str, bytes | Drawing] = field(default_factory=dict)
    log: list[LogLine] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    returned: tuple[Returned, ...] = ()
    images: int = 0

    def to_its_end(self) -> Play:
        self.planner = SurrogatePlanner(load_picture=self._load, rates=self.rates, seed=self.seed)
        self._watch_demonstration()
        while self.scene.ended is None and len(self.log) < MOST_DECISIONS and self.scene.step < MOST_STEPS:
            self._decide()
        return self

    @property
    def is_solved(self) -> bool:
        return self.scene.ended is not None and self.scene.ended[0] == "success"

    def _load(self, frame: Frame) -> bytes:
        picture = self.pictures[frame.sha256]
        return picture if isinstance(picture, bytes) else picture()

    def _frame(self, png: bytes | Drawing, side_px: int, step: int) -> Frame:
        name = f"{len(self.pictures):064x}"
        self.pictures[name] = png
        return Frame(sha256=name, width_px=side_px, height_px=side_px, camera="front", step=step)

    def _watch_demonstration(self) -> None:
        shown = self.scene.film()
        if not shown or self.memory.demonstration == "off":
            return
        film = [self._frame(drawing, 256, step) for step, drawing in enumerate(shown)]
        viewing = Viewing(total=len(film), switch=self.memory.demonstration)
        while (view := view_of(viewing)) is not None:
            frames = tuple(film[number] for number in view.frames)
            self.images += len(frames)
            viewed = Viewed(
                instruction=self.scene.instruction, task=self.scene.name, view=view, frames=frames
            )
            reply = self.planner.propose(query(len(self.replies) + 1, view=viewed))
            self.replies.append(reply)
            assert reply.answer is not None, reply.attempts
            viewing = answered(viewing, reply.answer)
        self._note(viewing.summary)

    def _decide(self) -> None:
        seen = Seen(
            instruction=self.scene.instruction,
            task=self.scene.name,
            executor="direct",
            step=self.scene.step,
            steps_left=MOST_STEPS - self.scene.step,
            tool=self.scene.tool,
            opening_m=self.scene.opening_m,
            views=(View(frame=self._frame(self.scene.view(), 512, self.scene.step)),),
            log=execution_log.shown(tuple(self.log), self.memory.log),
            notes=note_history.shown(tuple(self.notes), self.memory.notes),
            frames=self.returned,
            last=self.log[-1] if self.log else None,
        )
        self.images += 2 + sum(len(each.watched.frames) for each in self.returned)
        reply = self.planner.propose(query(len(self.replies) + 1, seen=seen))
        self.replies.append(reply)
        assert reply.proposal is not None, reply.attempts
        self._note(reply.proposal.note)
        (step,) = reply.proposal.steps
        self._carry_out(step)

    def _note(self, text: str) -> None:
        self.notes.append(
            Note(seq=0, decision=len(self.replies), met_s=self.scene.step / 20, author="surrogate", text=text)
        )

    def _carry_out(self, step: Step) -> None:
        records = step.watch is not None or self.memory.frames == "all"
        result, measured, recorded = self.scene.carry_out(step, records and step.skill != "locate")
        line = LogLine(
            index=len(self.log) + 1,
            seq=0,
            met_s=self.scene.step / 20,
            command=describe(step),
            result=result,
            reason="",
            measured=measured,
            asked=step,
            step=self.scene.step,
        )
        self.log.append(line)
        self.returned = self._gated(step, recorded)

    def _gated(self, step: Step, recorded: Recorded) -> tuple[Returned, ...]:
        if not recorded:
            return ()
        chosen = [recorded[index] for index in kept([at for at, _ in recorded])]
        watch = "all" if self.memory.frames == "all" else step.watch.points if step.watch else None
        gated = gate([picture for _, picture in chosen], watch)
        frames = tuple(
            self._frame(_png(picture), 512, at)
            for (at, picture), back in zip(chosen, gated.returned, strict=True)
            if back
        )
        watched = WatchedFrames(camera="front", watch=step.watch, frames=frames, withheld=gated.withheld)
        return (Returned(action=len(self.log), watched=watched),)


def drawn_table(name: str, episode: int) -> Table:
    task = task_named(name, Random(seed_of("test", name, episode)), difficulty_of(episode))
    return Table(task)


def play(
    name: str, episode: int, memory: str = "execution_grounded", rates: Rates = NO_LOSS, seed: int = 0
) -> Play:
    """At the drawn table."""
    return Play(drawn_table(name, episode), NAMED[memory], rates, seed).to_its_end()


def _png(picture: Picture) -> bytes:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", compress_level=1)
    return file.getvalue()
