"""Two timelines on one axis: of steps, of mission time or of deliveries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from backend.domain.comparing.cursor import By, drawn_at, most
from backend.domain.comparing.facts import Course
from backend.web.pages import figures
from backend.web.pages.compare import Curve, Lane, LaneMark
from backend.web.pages.parts import Icon, Tone
from backend.web.pages.timeline import MarkKind, PhaseKind, TimelineData, TimelineMark

TICKS = 12
NICE = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000)
NICE_S = (5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400)
COLUMNS = 120
"""Marks that fall into one of so many columns are one."""
FOREMOST: tuple[MarkKind, ...] = (
    "failure", "hold", "rejected", "annotation", "replan", "delivery", "plan", "operator",
)  # fmt: skip
TOLD = 4
BOX = (220, 100)

_ICONS: dict[MarkKind, tuple[Icon, Tone]] = {
    "plan": ("plan", "quiet"),
    "replan": ("replan", "quiet"),
    "failure": ("fail", "caution"),
    "delivery": ("delivered", "quiet"),
    "rejected": ("reject", "quiet"),
    "hold": ("held", "quiet"),
    "operator": ("person", "quiet"),
    "annotation": ("note", "quiet"),
}
_PHASES: dict[PhaseKind, str] = {
    "planning": "ph-plan",
    "waiting": "ph-wait",
    "asking": "ph-wait",
    "executing": "ph-exec",
    "held": "ph-hold",
}


class Axis(Struct, frozen=True):
    """`last`: where it ends."""

    by: By
    last: float

    def share(self, at: float) -> float:
        """In percent of its length."""
        return round(100 * min(max(at / self.last if self.last else 0.0, 0.0), 1.0), 3)

    def of(self, course: Course, met_s: float) -> float:
        return self.share(drawn_at(course, self.by, met_s))


def axis_of(courses: Sequence[Course], by: By) -> Axis:
    return Axis(by, max(most(course, by) for course in courses))


def ticks(axis: Axis) -> tuple[tuple[float, str], ...]:
    """Labels at round figures."""
    nice = NICE_S if axis.by == "time" else NICE
    step = next((each for each in nice if axis.last / each <= TICKS), nice[-1])
    write: Callable[[int], str] = (lambda at: figures.met(at)) if axis.by == "time" else figures.count
    return tuple((axis.share(at), write(at)) for at in range(0, int(axis.last) + 1, step))


def lane(
    letter: Literal["A", "B"], course: Course, timeline: TimelineData, axis: Axis, go: Callable[[float], str]
) -> Lane:
    """`go`: the address of a place of the cursor."""
    return Lane(
        letter=letter,
        phases=tuple(_phases(course, timeline, axis)),
        marks=tuple(_marks(course, timeline, axis, go)),
        end=axis.of(course, course.end_s),
    )


def _phases(course: Course, timeline: TimelineData, axis: Axis) -> Iterator[tuple[float, float, str]]:
    for span in timeline.phases:
        start, end = (axis.of(course, met_s) for met_s in (span.start_s, span.end_s))
        if end > start:
            yield start, round(end - start, 3), _PHASES[span.kind]


def _marks(
    course: Course, timeline: TimelineData, axis: Axis, go: Callable[[float], str]
) -> Iterator[LaneMark]:
    """One a column: of those that share it the foremost, in the words of all."""
    columns: dict[int, list[tuple[float, TimelineMark]]] = {}
    for mark in timeline.marks:
        share = axis.of(course, mark.met_s)
        columns.setdefault(int(share * COLUMNS / 100), []).append((share, mark))
    for together in columns.values():
        share, mark = min(together, key=lambda each: FOREMOST.index(each[1].kind))
        icon, tone = _ICONS[mark.kind]
        at = axis.last * share / 100
        labels = [each.label for _, each in together[:TOLD]]
        if len(together) > TOLD:
            labels.append(f"and {len(together) - TOLD} more")
        yield LaneMark(
            share=share,
            icon=icon,
            tone=tone,
            label=", ".join(labels),
            href=go(at if axis.by == "time" else float(round(at))),
        )


def curve(left: Course, right: Course, axis: Axis, at: float) -> Curve | None:
    """Context units a call. None where nobody was asked."""
    asked = [each.units for course in (left, right) for each in course.asked]
    if not asked or not max(asked):
        return None
    top = max(asked)
    return Curve(
        left=_line(left, axis, top),
        right=_line(right, axis, top),
        cursor=round(axis.share(at) * BOX[0] / 100, 2),
        ticks=(figures.count(top), figures.count(top // 2), "0"),
        spoken=f"Context units a call: A from {_range(left)}, B from {_range(right)}",
    )


def _line(course: Course, axis: Axis, top: int) -> str:
    width, height = BOX
    return " ".join(
        f"{axis.of(course, each.met_s) * width / 100:.2f},{height - each.units * height / top:.2f}"
        for each in course.asked
    )


def _range(course: Course) -> str:
    units = [each.units for each in course.asked]
    return f"{figures.count(min(units))} to {figures.count(max(units))}" if units else "none"
