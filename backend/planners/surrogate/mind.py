"""What the surrogate knows at one decision: what its memory shows it, and what it sees now. Nothing else.

It keeps nothing between decisions. Whatever it needs later it must have written down, or find again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from backend.domain.execution.log import LogLine
from backend.domain.plans.plan import Step
from backend.domain.query.seen import Seen
from backend.planners.surrogate.facts import Facts, recalled
from backend.planners.surrogate.rewriting import draw
from backend.planners.surrogate.seeing.looking import Look
from backend.planners.surrogate.seeing.sight import NOTHING, Sight


class Act(Struct, frozen=True, kw_only=True):
    """What a policy decided: the step, what it learned and writes down, and why, in a sentence."""

    step: Step
    learned: Facts = {}
    why: str = ""


class Mind:
    """One decision. `look` reads pictures; `seed` and `decision` make its guesses the same again."""

    def __init__(self, seen: Seen, look: Look, seed: int, decision: int) -> None:
        self.seen = seen
        self.look = look
        self.seed = seed
        self.decision = decision
        self.known: Mapping[str, str | int] = recalled(note.text for note in seen.notes)
        self.learned: dict[str, str | int] = {}

    @cached_property
    def front(self) -> Sight:
        """What the front camera shows now."""
        return self.view("front")

    @cached_property
    def frames(self) -> tuple[Sight, ...]:
        """What was returned of the last action, and the front view now, in order."""
        returned = [self.look(frame) for each in self.seen.frames for frame in each.watched.frames]
        return (*returned, self.front)

    def view(self, camera: str) -> Sight:
        return next((self.look(v.frame) for v in self.seen.views if v.frame.camera == camera), NOTHING)

    def fact(self, subject: str) -> str:
        """What is known of `subject`; empty where nothing is."""
        return str(self.learned.get(subject, self.known.get(subject, "")))

    def learn(self, subject: str, value: str | int) -> None:
        if self.known.get(subject) != value:
            self.learned[subject] = value

    def guess(self, what: str, among: Sequence[str]) -> str:
        """One of `among`, by a draw of its own: for what was forgotten and cannot be seen any more. Raises
        ValueError where there is none."""
        if not among:
            raise ValueError(f"There is nothing to guess {what} among.")
        return among[int(draw(self.seed, self.decision, "guess", what) * len(among))]

    @property
    def whole_log(self) -> bool:
        """Whether the log shown begins with the first action, so that what it shows can be counted."""
        if self.seen.log:
            return self.seen.log[0].index == 1
        return self.seen.last is None

    def count(self, subject: str, done: Callable[[LogLine], int]) -> int:
        """How often something was done: counted in the log where all of it is shown, else as noted, and what
        the last action did beside. `done`: how often a line of the log says that it was."""
        if self.whole_log:
            counted = sum(map(int, map(done, self.seen.log)))
        else:
            noted = self.known.get(subject, 0)
            counted = noted if isinstance(noted, int) else 0
            counted += 0 if self.seen.last is None else done(self.seen.last)
        self.learn(subject, counted)
        return counted
