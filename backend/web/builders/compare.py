"""The comparison of two episodes at one cursor, from their courses, moments and maps."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.domain.comparing.beliefs import believed_otherwise
from backend.domain.comparing.cursor import By, at_of, most, next_time
from backend.domain.comparing.facts import Course
from backend.domain.comparing.ground import Ground
from backend.domain.comparing.parting import Parting
from backend.domain.comparing.tallies import Figures
from backend.web.builders.compare_figures import belief_row, groups
from backend.web.builders.compare_ground import lead, notices, unparted
from backend.web.builders.compare_lanes import Axis, axis_of, curve, lane, ticks
from backend.web.builders.compare_side import Seen, side
from backend.web.builders.compare_words import ASPECTS, told
from backend.web.pages import figures
from backend.web.pages.chrome import Chrome
from backend.web.pages.compare import ComparePage, PartingRow, Transport
from backend.web.pages.environment import url
from backend.web.pages.parts import Link
from backend.web.pages.timeline import TimelineData

MOST_PARTINGS, MOST_BELIEFS = 80, 12
WAYS: tuple[tuple[By, str], ...] = (("step", "By step"), ("time", "By MET"), ("delivery", "By delivery"))
NOUNS: dict[By, str] = {"step": "Step", "time": "MET", "delivery": "Delivery"}


class Asked(Struct, frozen=True, kw_only=True):
    """Which two, counted how, and where the cursor stands."""

    left: str
    right: str
    by: By
    at: float


class Compared(Struct, frozen=True, kw_only=True):
    """All that was read: of each side the present moment, its timeline and its figures here and in all."""

    asked: Asked
    seen: tuple[Seen, Seen]
    timelines: tuple[TimelineData, TimelineData]
    here: tuple[Figures, Figures]
    whole: tuple[Figures, Figures]
    ground: Ground
    partings: tuple[Parting, ...]

    @property
    def courses(self) -> tuple[Course, Course]:
        return self.seen[0].course, self.seen[1].course


def compare_page(chrome: Chrome, compared: Compared) -> ComparePage:
    asked, (one, other), (left, right) = compared.asked, compared.seen, compared.courses
    axis = axis_of((left, right), asked.by)
    otherwise = believed_otherwise(one.state, other.state) if compared.ground.same_things else ()
    entities = frozenset(each.entity for each in otherwise)
    same = compared.ground.same_things
    rows = [_row(each, compared, axis) for each in compared.partings[:MOST_PARTINGS]]
    return ComparePage(
        chrome=chrome,
        lead=lead(compared.courses, compared.ground),
        notices=notices(compared.courses, compared.ground),
        by=asked.by,
        ways=tuple([Link(label=label, href=_same_moment(compared, by)) for by, label in WAYS]),
        swap=Link(
            label="Swap A and B",
            href=address(Asked(left=asked.right, right=asked.left, by=asked.by, at=asked.at)),
        ),
        change=Link(
            label="Change episodes", href=url("compare", "choice", left=asked.left, right=asked.right)
        ),
        sides=(
            side(one, other, entities, _past(one, asked), same_things=same),
            side(other, one, entities, _past(other, asked), same_things=same),
        ),
        settings=tuple([(each.name, each.left, each.right) for each in compared.ground.settings]),
        groups=groups(compared.here, compared.whole, (_outcome(left), _outcome(right)), _here(asked)),
        beliefs=tuple([belief_row(each) for each in otherwise[:MOST_BELIEFS]]),
        more_beliefs=max(0, len(otherwise) - MOST_BELIEFS),
        partings=tuple(rows),
        more_partings=max(0, len(compared.partings) - MOST_PARTINGS),
        unparted=None if rows else unparted(compared.ground),
        curve=curve(left, right, axis, asked.at),
        lanes=tuple(
            [
                lane(seen.letter, seen.course, timeline, axis, lambda at: _go(asked, at))
                for seen, timeline in zip(compared.seen, compared.timelines, strict=True)
            ]
        ),
        axis=ticks(axis),
        transport=_transport(compared, axis),
    )


def address(asked: Asked) -> str:
    return url("compare", left=asked.left, right=asked.right, by=asked.by, at=_number(asked.at))


def _number(at: float) -> str:
    return f"{at:.12g}"


def _go(asked: Asked, at: float) -> str:
    return address(Asked(left=asked.left, right=asked.right, by=asked.by, at=at))


def _same_moment(compared: Compared, by: By) -> str:
    """The same moment of A, counted otherwise."""
    asked, seen = compared.asked, compared.seen[0]
    at = asked.at if by == asked.by else at_of(seen.course, by, seen.state.seq)
    return address(Asked(left=asked.left, right=asked.right, by=by, at=at))


def place_of(parting: Parting, courses: tuple[Course, Course], by: By) -> float:
    """The first place of the cursor at which both sides show the difference, as far as each has it."""
    facts = zip((parting.left, parting.right), courses, strict=True)
    return max(at_of(course, by, fact.seq) for fact, course in facts if fact is not None)


def _row(parting: Parting, compared: Compared, axis: Axis) -> PartingRow:
    asked = compared.asked
    at = place_of(parting, compared.courses, asked.by)
    sides = (("A", asked.left, parting.left), ("B", asked.right, parting.right))
    return PartingRow(
        place=_place(asked.by, at),
        href=_go(asked, at),
        aspect=ASPECTS[parting.aspect],
        text=told(parting),
        share=axis.share(at),
        opens=tuple(
            [
                Link(label=letter, href=url("episodes", name, at=fact.seq))
                for letter, name, fact in sides
                if fact is not None
            ]
        ),
        is_current=at == asked.at,
    )


def _place(by: By, at: float) -> str:
    return figures.met(at) if by == "time" else f"{NOUNS[by]} {figures.count(int(at))}"


def _here(asked: Asked) -> str:
    return f"At {figures.met(asked.at)}" if asked.by == "time" else f"At {_place(asked.by, asked.at).lower()}"


def _past(seen: Seen, asked: Asked) -> str:
    end = most(seen.course, asked.by)
    if asked.at <= end:
        return ""
    verb = "Goes on from" if seen.course.finished is None else "Ended at"
    return f"{verb} {_place(asked.by, end)[0].lower()}{_place(asked.by, end)[1:]}"


def _outcome(course: Course) -> str:
    finished = course.finished
    if finished is None:
        return "Goes on"
    return {"completed": "Complete", "budget": "Out of budget", "aborted": "Aborted", "failed": "Failed"}.get(
        finished.outcome, "Ended"
    )


def _transport(compared: Compared, axis: Axis) -> Transport:
    asked = compared.asked
    places = sorted({place_of(each, compared.courses, asked.by) for each in compared.partings})
    return Transport(
        here=_place(asked.by, asked.at),
        at=asked.at,
        last=axis.last,
        share=axis.share(asked.at),
        flag=_place(asked.by, asked.at).upper(),
        address=url("compare", left=asked.left, right=asked.right, by=asked.by),
        before=_link(asked, "Back", _step(compared, axis, -1)),
        after=_link(asked, "On", _step(compared, axis, 1)),
        parting_before=_link(
            asked, "Difference before", next((at for at in reversed(places) if at < asked.at), None)
        ),
        parting_after=_link(asked, "Difference after", next((at for at in places if at > asked.at), None)),
    )


def _link(asked: Asked, label: str, at: float | None) -> Link | None:
    return None if at is None else Link(label=label, href=_go(asked, at))


def _step(compared: Compared, axis: Axis, way: Literal[-1, 1]) -> float | None:
    asked = compared.asked
    if asked.by == "time":
        return next_time(compared.courses, asked.at, way)
    return asked.at + way if 0 <= asked.at + way <= axis.last else None
