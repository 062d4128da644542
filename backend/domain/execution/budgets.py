"""Budgets are checked before a call, never after the money is gone."""

from __future__ import annotations

from msgspec import Struct


class Budgets(Struct, frozen=True, kw_only=True):
    """Upper bounds of an episode; None is no bound. `steps` are steps of the world's clock."""

    steps: int | None = 1300
    decisions: int | None = 80
    tokens: int | None = 1_500_000
    money_usd: float | None = None


class Spent(Struct, frozen=True, kw_only=True):
    steps: int = 0
    decisions: int = 0
    tokens: int = 0
    money_usd: float = 0.0


class Overrun(Struct, frozen=True):
    """The budget that is used up: `name`, what it allows, what was spent."""

    name: str
    allowed: float
    spent: float

    def __str__(self) -> str:
        return f"{self.name} budget used up: {self.spent:g} of {self.allowed:g}"


def overrun(budgets: Budgets, spent: Spent) -> Overrun | None:
    """The first budget with nothing left for another step or call, or None."""
    for name in ("steps", "decisions", "tokens", "money_usd"):
        allowed, used = getattr(budgets, name), getattr(spent, name)
        if allowed is not None and used >= allowed:
            return Overrun(name, allowed, used)
    return None
