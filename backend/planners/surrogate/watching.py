"""A view of a demonstration as the surrogate watches it: what it had summed up, and the frames now shown.

It keeps nothing between two views either: whatever it needs of an earlier one stands in the summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from backend.domain.demonstration.looks import Range
from backend.domain.query.seen import Viewed
from backend.planners.surrogate.facts import read
from backend.planners.surrogate.seeing.looking import Look
from backend.planners.surrogate.seeing.sight import Sight


class Watching:
    """One view. What is learned of it goes into the summary; `looks` are the closer looks asked for."""

    def __init__(self, viewed: Viewed, look: Look) -> None:
        self.view = viewed.view
        self.instruction = viewed.instruction
        self.known: Mapping[str, str | int] = read(viewed.view.summary)
        self.learned: dict[str, str | int] = {}
        self.looks: list[Range] = []
        self._frames = viewed.frames
        self._look = look

    @cached_property
    def sights(self) -> tuple[tuple[int, Sight], ...]:
        """Frames shown, by their number in the demonstration, in order."""
        return tuple((n, self._look(f)) for n, f in zip(self.view.frames, self._frames, strict=True))

    def fact(self, subject: str) -> str:
        return str(self.learned.get(subject, self.known.get(subject, "")))

    def learn(self, subject: str, value: str | int) -> None:
        """What a closer look shows again counts as learned again: its evidence is in view."""
        if self.view.kind == "inspect" or self.known.get(subject) != value:
            self.learned[subject] = value

    def look_closer(self, spans: Iterable[tuple[int, int]]) -> None:
        """At the frames between those given, both included, where that is still to be had."""
        if self.view.kind == "skim" and self.view.looks_left:
            self.looks += [Range(first, last) for first, last in spans]
