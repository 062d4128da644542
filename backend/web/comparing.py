"""Reads two episodes for their comparison. What was gathered of a journal is kept, and carried on."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Literal, TypeVar

from msgspec import Struct

from backend.domain.comparing.course import Gathering
from backend.domain.comparing.cursor import By, most, seq_at
from backend.domain.comparing.facts import Course
from backend.domain.comparing.ground import Ground, ground_of
from backend.domain.comparing.parting import Parting, partings
from backend.domain.comparing.tallies import figures_of
from backend.usecases.reading import Reader
from backend.web.builders.compare import Asked, Compared, place_of
from backend.web.builders.compare_side import Seen
from backend.web.desk import Desk
from backend.web.errors import NotBegun
from backend.web.pages.chrome import User

Key = TypeVar("Key")
Value = TypeVar("Value")

KEPT = 16
PAGE = 2000


class Apart(Struct, frozen=True):
    """Both courses, what can be compared of them, and where they part."""

    courses: tuple[Course, Course]
    ground: Ground
    partings: tuple[Parting, ...]


class Comparer:
    """For any number of threads."""

    def __init__(self, reader: Reader, desk: Desk) -> None:
        self._reader = reader
        self._desk = desk
        self._lock = threading.Lock()
        self._gathered: OrderedDict[str, tuple[Gathering, Course]] = OrderedDict()
        self._apart: OrderedDict[tuple[str, int, str, int], Apart] = OrderedDict()

    def compared(self, user: User, left: str, right: str, by: By | None, at: float | None) -> Compared:
        """Without `at`: where they first part, else where the longer one ends. Without `by`: by step, where
        there is one. Raises the store's error for an unknown episode, and NotBegun."""
        apart = self._apart_of(left, right)
        courses = apart.courses
        way = by or ("step" if any(most(course, "step") for course in courses) else "time")
        last = max(most(course, way) for course in courses)
        if at is None:
            at = place_of(apart.partings[0], courses, way) if apart.partings else last
        asked = Asked(left=left, right=right, by=way, at=_within(at, last, way))
        one, other = (
            self._seen(user, name, letter, course, asked)
            for name, letter, course in ((left, "A", courses[0]), (right, "B", courses[1]))
        )
        return Compared(
            asked=asked,
            seen=(one, other),
            timelines=(self._desk.timeline(one.moment), self._desk.timeline(other.moment)),
            here=(figures_of(courses[0], one.state), figures_of(courses[1], other.state)),
            whole=(figures_of(courses[0], one.moment.head), figures_of(courses[1], other.moment.head)),
            ground=apart.ground,
            partings=apart.partings,
        )

    def _seen(self, user: User, name: str, letter: str, course: Course, asked: Asked) -> Seen:
        moment = self._desk.moment(name, user, seq_at(course, asked.by, asked.at))
        side: Literal["A", "B"] = "A" if letter == "A" else "B"
        return Seen(letter=side, moment=moment, course=course, drawn=self._desk.map(moment))

    def _apart_of(self, left: str, right: str) -> Apart:
        courses = self._course(left), self._course(right)
        key = left, courses[0].head, right, courses[1].head
        with self._lock:
            known = self._apart.get(key)
        if known is None:
            ground = ground_of(*courses, is_one=left == right)
            known = Apart(courses, ground, partings(*courses, ground))
            with self._lock:
                _keep(self._apart, key, known)
        return known

    def _course(self, episode: str) -> Course:
        """Events alone do not tell an unknown episode from one that has not begun."""
        with self._lock:
            known = self._gathered.get(episode)
            if known is None:
                self._reader.episode(episode)
            gathering = Gathering() if known is None else known[0]
            while page := self._reader.events(episode, after=gathering.head, limit=PAGE):
                for entry in page:
                    gathering.add(entry.recorded)
            if gathering.head == 0:
                raise NotBegun(
                    f"Episode {episode} has not begun",
                    text="Its runner is starting.",
                    remedy="Compare it once it has made a plan.",
                )
            if known is None or known[1].head != gathering.head:
                known = gathering, gathering.course()
            _keep(self._gathered, episode, known)
            return known[1]


def _within(at: float, last: float, by: By) -> float:
    held = min(max(at, 0.0), last)
    return held if by == "time" else float(int(held))


def _keep(kept: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > KEPT:
        kept.popitem(last=False)
