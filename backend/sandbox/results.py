"""What-ifs as they are kept: what was asked, how far it is, what came of it. And who keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    the same with nothing changed, where that costs nothing; `recorded`: how it went. `note`: what is to be
    known of them."""

    answers: tuple[Answer, ...] = ()
    ran: Course | None = None
    unchanged: Course | None = None
    recorded: Course | None = None
    note: str = ""


class Experiment(Struct, frozen=True, kw_only=True):
    """A what-if of an episode. `told`: how far it is, what came of it, or why it came to nothing, in words.

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
    told: str = ""
    spent: Spending = Spending()
    found: Found | None = None

    def is_silent(self, now_s: float) -> bool:
        """Under way, and nobody is at it any more."""
        return self.stage == "running" and now_s - self.heard_s > SILENT_S


class Experiments(Protocol):
    """Where what-ifs are kept, and their budget with them."""

    def begin(self, episode: str, asked: Asked, estimate: Estimate, by: str, day: Allowance) -> int | Refusal:
        """The number of a new one, or why there is not enough left of `day`, the most of any 24 hours."""

    def hear(self, number: int, told: str, spent: Spending) -> None: ...

    def end(self, number: int, stage: Stage, told: str, spent: Spending, found: Found | None) -> None: ...

    def one(self, episode: str, number: int) -> Experiment | None: ...

    def all(self, episode: str) -> Sequence[Experiment]:
        """The newest first, without what was found."""

    def spent(self) -> Spending:
        """Within the last 24 hours; of those under way, what they were estimated at where that is more."""


DAY_S = 86_400.0


def spent_of(kept: Iterable[Experiment], now_s: float) -> Spending:
    """What those of the last 24 hours have spent; one that is under way may yet spend what it was to cost."""
    total = Spending()
    for each in kept:
        if each.started_s <= now_s - DAY_S:
            continue
        spent = each.spent
        if each.stage == "running" and not each.is_silent(now_s) and each.estimate.asks_model:
            spent = Spending(
                calls=max(spent.calls, each.estimate.calls),
                tokens=max(spent.tokens, each.estimate.tokens),
                money_usd=max(spent.money_usd, each.estimate.money_usd or 0.0),
            )
        total = Spending(
            calls=total.calls + spent.calls,
            tokens=total.tokens + spent.tokens,
            money_usd=total.money_usd + spent.money_usd,
        )
    return total
