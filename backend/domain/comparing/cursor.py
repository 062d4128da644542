"""One cursor over two episodes: by step, by mission time, or by delivery."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Literal

from backend.domain.comparing.facts import Course

By = Literal["step", "time", "delivery"]
"""A step is one executed skill; time is the mission's."""


def most(course: Course, by: By) -> float:
    """The last place of the cursor in this episode: its steps, deliveries or seconds."""
    return course.end_s if by == "time" else float(len(_stops(course, by)) - 1)


def seq_at(course: Course, by: By, at: float) -> int:
    """The event at which the episode stands at place `at`; its newest where it never came so far.

    After a step or delivery: all that was known and planned before the next step was sent.
    """
    if by == "time":
        return max(1, bisect_right(course.mets_s, at))
    stops = _stops(course, by)
    return stops[min(max(0, int(at)), len(stops) - 1)]


def at_of(course: Course, by: By, seq: int) -> float:
    """The first place at which event `seq` has happened; the last place for what came after it."""
    if by == "time":
        return course.mets_s[seq - 1]
    return min(float(bisect_left(_stops(course, by), seq)), most(course, by))


def drawn_at(course: Course, by: By, met_s: float) -> float:
    """Where a moment lies on an axis of steps, deliveries or seconds: between two of them in proportion to
    mission time."""
    if by == "time":
        return met_s
    ends_s = _ends_s(course, by)
    done = bisect_right(ends_s, met_s)
    if done >= len(ends_s):
        return float(len(ends_s))
    begun_s = ends_s[done - 1] if done else 0.0
    length_s = ends_s[done] - begun_s
    return done + ((met_s - begun_s) / length_s if length_s > 0 else 0.0)


def next_time(courses: Sequence[Course], at_s: float, way: int) -> float | None:
    """The time of the event after (`way` 1) or before (-1) in either episode; None past the last."""
    if way > 0:
        later = [each.mets_s[bisect_right(each.mets_s, at_s)] for each in courses if each.end_s > at_s]
        return min(later, default=None)
    earlier = [each.mets_s[place - 1] for each in courses if (place := bisect_left(each.mets_s, at_s))]
    return max(earlier, default=None)


def _stops(course: Course, by: By) -> tuple[int, ...]:
    return course.stops_by_step if by == "step" else course.stops_by_delivery


def _ends_s(course: Course, by: By) -> list[float]:
    return [fact.met_s for fact in (course.did if by == "step" else course.brought)]
