"""What-ifs as they are kept: what was asked, how far it is, what came of it. And who keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from backend.domain.refusal import Refusal
from backend.sandbox.asking import Answer
from backend.sandbox.change import Asked
from backend.sandbox.estimate import Estimate
from backend.sandbox.purse import Allowance, Spending
from backend.sandbox.running import Course

Stage = Literal["running", "done", "failed"]

SILENT_S = 600.0
"""A what-if that nothing was heard of for so long has ended with the process that asked it: longer than any
one call may take."""


class Found(Struct, frozen=True, kw_only=True):
    """`answers`: beside the recorded calls, in their order. `ran`: from the first of them on; `unchanged`:
    the same with nothing changed, where that costs nothing. `note`: what is to be known of either."""

    answers: tuple[Answer, ...] = ()
    ran: Course | None = None
    unchanged: Course | None = None
    note: str = ""


class Experiment(Struct, frozen=True, kw_only=True):
    """A what-if of an episode. `doing`: how far it is, in words. `failure`: why it came to nothing.

    `started_s`, `heard_s`: epoch seconds on the database's clock.
    """

    id: int
    episode: str
    by: str
    asked: Asked
    estimate: Estimate
    stage: Stage
    started_s: float
    heard_s: float
    doing: str = ""
    failure: str = ""
    spent: Spending = Spending()
    found: Found | None = None


class Experiments(Protocol):
    """Where what-ifs are kept, and their budget with them. Raises the store's error for what cannot be."""

    def begin(self, episode: str, asked: Asked, estimate: Estimate, by: str, day: Allowance) -> int | Refusal:
        """The number of a new one, or why there is not enough left of `day`, the most of any 24 hours."""

    def hear(self, number: int, doing: str, spent: Spending) -> None: ...

    def end(self, number: int, stage: Stage, found: Found | None, failure: str, spent: Spending) -> None: ...

    def one(self, episode: str, number: int) -> Experiment | None: ...

    def all(self, episode: str) -> Sequence[Experiment]:
        """The newest first, without what was found."""

    def spent(self) -> Spending:
        """Within the last 24 hours; of those under way, what they were estimated at where that is more."""
