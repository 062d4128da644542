"""One of two compared episodes at the cursor: its map, its plan and what its planner is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from backend.domain.comparing.facts import Course
from backend.domain.episode.state import State
from backend.domain.memory.retrieval import Retrieval
from backend.domain.plans.plan import describe
from backend.web.builders import words
from backend.web.builders.memory import k_of, retrieval_of
from backend.web.builders.moment import Moment, waits_for_approval
from backend.web.builders.report_map import report_map
from backend.web.pages import figures
from backend.web.pages.compare import Believed, Known, Side, SideMap, Switch
from backend.web.pages.environment import url
from backend.web.pages.map import MapData, Point
from backend.web.pages.report import ReportMap

MOST_NAMED = 24
"""Entities that are named on a small map; of more, only those that matter."""
SWITCHES = ("entities", "log", "notes", "frames", "demonstration")


class Seen(Struct, frozen=True, kw_only=True):
    """One episode at the cursor, as it was read. `drawn`: its map then."""

    letter: Literal["A", "B"]
    moment: Moment
    course: Course
    drawn: MapData

    @property
    def state(self) -> State:
        return self.moment.state


def side(seen: Seen, other: Seen, otherwise: frozenset[str], past: str, *, same_things: bool) -> Side:
    """`otherwise`: the entities of which the two believe otherwise. `past`: that it had ended before.
    `same_things`: a name is one thing in both."""
    state = seen.state
    retrieval = retrieval_of(state)
    plan, note = _plan(state)
    return Side(
        letter=seen.letter,
        episode=seen.moment.episode,
        title=name_of(seen.moment),
        href=url("episodes", seen.moment.episode, at=state.seq),
        place=f"{figures.met(state.met_s)}, seq {figures.count(state.seq)}",
        past=past,
        switches=tuple(_switches(seen, other)),
        map=side_map(seen, {*retrieval.exposed}, otherwise),
        plan=plan,
        plan_note=note,
        facts=_facts(seen, retrieval),
        known=_known(retrieval, retrieval_of(other.state) if same_things else retrieval),
        known_note=_known_note(state, retrieval),
    )


def name_of(moment: Moment) -> str:
    """What tells an episode from its like: its memory, or of a model who planned."""
    state = moment.head
    memory = state.mission.memory.name.replace("_", " ")
    planner = "" if state.planner == "policy" else f", {state.planner}"
    return f"{memory[:1].upper()}{memory[1:]}{planner}"


def _switches(seen: Seen, other: Seen) -> Sequence[Switch]:
    mine, theirs = (each.head.mission.memory for each in (seen.moment, other.moment))
    shown = [
        Switch(
            label=name,
            value=str(getattr(mine, name)).replace("_", " ") + (f", K {k_of(seen.state)}" if at == 0 else ""),
            differs=getattr(mine, name) != getattr(theirs, name)
            or (at == 0 and mine.attention != theirs.attention),
        )
        for at, name in enumerate(SWITCHES)
    ]
    if not k_of(seen.state):
        shown[0] = Switch(label="entities", value=mine.entities, differs=shown[0].differs)
    return shown


def _plan(state: State) -> tuple[str, str]:
    """What is done next, and of which plan."""
    plan = state.plan
    if state.ending is not None:
        return "Ended", words.sentence(state.ending.message)
    if plan is None or state.cursor >= len(plan.steps):
        asking = state.request is not None
        return "No plan", "The planner is asked." if asking else "None was asked for yet."
    left = len(plan.steps) - state.cursor
    verb = "waits for approval" if waits_for_approval(state) else f"{words.counted(left, 'step')} left"
    return describe(plan.steps[state.cursor]), f"Plan {plan.number} by {words.who(plan.author)}, {verb}"


def _facts(seen: Seen, retrieval: Retrieval) -> tuple[tuple[str, str], ...]:
    state = seen.state
    asked = [each for each in seen.course.asked if each.seq <= state.seq]
    total = f" of {state.mission.total}" if state.mission.total else ""
    return (
        ("Delivered", f"{len(state.delivered)}{total}"),
        ("Holds", state.robot.held or "nothing"),
        ("Records shown", figures.count(retrieval.count)),
        ("Context, units", figures.count(asked[-1].units) if asked else figures.NONE),
    )


def _known(mine: Retrieval, theirs: Retrieval) -> tuple[Known, ...]:
    return tuple(Known(entity=each, is_alone=each not in theirs.exposed) for each in mine.exposed)


def _known_note(state: State, retrieval: Retrieval) -> str:
    out = len(state.memory.records) - len(retrieval.exposed)
    line = f"K {k_of(state)}" if k_of(state) else "No line is drawn"
    return f"{line}, {words.counted(out, 'record')} left out"


def side_map(seen: Seen, exposed: set[str], otherwise: frozenset[str]) -> SideMap:
    drawn = report_map(seen.drawn, _path(seen))
    placed = [entity for entity in seen.drawn.entities if entity.place is not None]
    is_crowded = len(placed) > MOST_NAMED
    believed = [
        Believed(
            x=mark.x,
            y=mark.y,
            label=mark.label
            if not is_crowded or entity.id in exposed or entity.id in otherwise or entity.is_target
            else "",
            shape=entity.shape,
            in_k=entity.id in exposed,
            is_target=entity.is_target,
            is_otherwise=entity.id in otherwise,
        )
        for mark, entity in zip(drawn.entities, placed, strict=True)
    ]
    route = seen.drawn.route.legs if seen.drawn.route is not None else ()
    return SideMap(
        drawn=drawn, believed=tuple(believed), route=tuple(_points(leg, drawn, seen.drawn) for leg in route)
    )


def _path(seen: Seen) -> list[tuple[float, float]]:
    """Where the robot was measured, from where it began."""
    start = seen.course.opened.robot_pose
    return [(start.x_m, start.y_m), *[place for line in seen.state.log for place in line.measured.path_m]]


def _points(leg: Sequence[Point], drawn: ReportMap, data: MapData) -> str:
    bounds = data.ground.bounds
    unit = drawn.width / bounds.width_m if bounds.width_m > 0 else 1.0
    return " ".join(
        f"{(place.x_m - bounds.x_m) * unit:.2f},{drawn.height - (place.y_m - bounds.y_m) * unit:.2f}"
        for place in leg
    )
