"""An episode as lists and the queue are made from it: its summary, and for one that goes on its newest
state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from backend.domain.episode.state import State
from backend.domain.execution.budgets import Budgets, Spent
from backend.domain.plans.validity import Cause
from backend.usecases.reading import EpisodeSummary
from backend.web.builders.phase import utc_ms

BUDGETS = {"steps": "steps", "decisions": "decisions", "tokens": "tokens", "money_usd": "money"}
"""By field, what a person calls it."""


class Listed(Struct, frozen=True, kw_only=True):
    """`robot_age_s` None: nobody here has heard of the robot. `when`: by kind of event, when its newest few
    were written, in order, ISO 8601. `seen`: by a concern's key, who has acknowledged it. `cause`: why the
    newest plan was asked for."""

    summary: EpisodeSummary
    state: State | None = None
    budgets: Budgets = Budgets()
    robot_age_s: float | None = None
    when: Mapping[str, Sequence[str]] = {}
    seen: Mapping[str, str] = {}
    cause: Cause | None = None

    def since(self, kind: str) -> int | None:
        """When the newest of a kind was written, in epoch milliseconds."""
        written = self.when.get(kind, ())
        return utc_ms(written[-1]) if written else None


def budget_shares(listed: Listed) -> dict[str, float]:
    """By name, how much of each bounded budget is used."""
    summary, budgets = listed.summary, listed.budgets
    spent = Spent(
        steps=summary.steps, decisions=summary.decisions, tokens=summary.tokens, money_usd=summary.money_usd
    )
    return {
        named: getattr(spent, field) / allowed
        for field, named in BUDGETS.items()
        if (allowed := getattr(budgets, field))
    }
