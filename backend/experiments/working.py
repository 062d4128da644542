"""A what-if, done: each call asked again, then the first of them run on; told to whoever keeps it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from backend.config import Settings
from backend.domain.episode.state import State
from backend.domain.refusal import Refusal
from backend.experiments.planning import Chosen, chosen_planner, computes
from backend.experiments.reading import Recorded
from backend.experiments.rewinding import world_at
from backend.sandbox.asking import Answer, Composed, ask, changed
from backend.sandbox.calls import Call
from backend.sandbox.change import Asked, Change
from backend.sandbox.comparing import agreement
from backend.sandbox.ports import SimulatedWorld
from backend.sandbox.purse import Allowance, Purse
from backend.sandbox.results import Found
from backend.sandbox.running import Course, course_of, run_on

NO_BUDGET = Allowance(calls=0, tokens=0)
NO_PICTURES = "No picture is taken while it runs on, so memory shows no frames there."


class Job(Struct, frozen=True, kw_only=True):
    """`calls`: those to be asked again. `tell`: hears how far it is."""

    recorded: Recorded
    asked: Asked
    calls: tuple[Call, ...]
    chosen: Chosen
    purse: Purse
    settings: Settings
    tell: Callable[[str], None]


def work(job: Job) -> Found:
    """Raises the store's error where the episode cannot be read any more."""
    answers, notes = _answers(job)
    ran = unchanged = recorded = None
    if job.asked.run_on:
        found = _run_on(job)
        if isinstance(found, Refusal):
            notes.append(str(found))
        else:
            ran, unchanged = found
            recorded = course_of(job.recorded.end(), len(job.recorded.before(job.calls[0]).log))
            if job.recorded.before(job.calls[0]).mission.memory.frames != "off":
                notes.append(NO_PICTURES)
    return Found(answers=answers, ran=ran, unchanged=unchanged, recorded=recorded, note=" ".join(notes))


def summary_of(found: Found, calls: Sequence[Call]) -> str:
    """What came of it, in a line of the list."""
    by_seq = {call.seq: call for call in calls}
    told = agreement((by_seq[answer.seq], answer) for answer in found.answers if answer.seq in by_seq)
    parts = [f"{told.same} of {told.asked} plans the same"] if told.asked else ["no answer"]
    if found.ran is not None and found.recorded is not None:
        parts.append(f"run on: {_came(found.ran)}, recorded: {_came(found.recorded)}")
    return "; ".join(parts)


def _came(course: Course) -> str:
    return f"{course.outcome}, {course.delivered} of {course.total} at {course.met_s:g} s"


def _answers(job: Job) -> tuple[tuple[Answer, ...], list[str]]:
    answers: list[Answer] = []
    notes: list[str] = []
    for number, call in enumerate(job.calls, start=1):
        composed = job.recorded.composed(call, job.asked.change)
        answer = _asked(job, call, composed)
        if isinstance(answer, Refusal):
            notes.append(f"Call {call.decision} was not asked. {answer}")
            if answer.code == "budget":
                break
        else:
            answers.append(answer)
        job.tell(f"{number} of {len(job.calls)} calls asked")
    return tuple(answers), notes


def _asked(job: Job, call: Call, composed: Composed | Refusal) -> Answer | Refusal:
    if isinstance(composed, Refusal):
        return composed
    return ask(composed, call, job.chosen.planner, job.purse)


def _run_on(job: Job) -> tuple[Course, Course | None] | Refusal:
    call, change = job.calls[0], job.asked.change
    job.tell("running the recorded world to this moment")
    world = world_at(*job.recorded.journal(), call.seq)
    if isinstance(world, Refusal):
        return world
    saved = world.save()
    unchanged = _unchanged(job, call, world)
    world.restore(saved)
    state = changed(job.recorded.before(call, change), change, call.met_s)
    if isinstance(state, Refusal):
        return state
    return run_on(state, world, job.chosen.planner, job.purse, _heard(job)), unchanged


def _unchanged(job: Job, call: Call, world: SimulatedWorld) -> Course | None:
    """The same with nothing changed, where the episode's own planner computes: it shows what approving every
    plan changes by itself."""
    state = job.recorded.before(call)
    if not computes(state.planner):
        return None
    chosen = chosen_planner(state.planner, Change(), job.settings)
    if isinstance(chosen, Refusal):
        return None
    return run_on(state, world, chosen.planner, Purse(NO_BUDGET, counts=False), _heard(job))


def _heard(job: Job) -> Callable[[State], None]:
    def heard(state: State) -> None:
        job.tell(f"running on: {state.met_s:g} s, {len(state.delivered)} of {state.mission.total} delivered")

    return heard
