"""What a what-if may spend: calls to a model, their tokens, their cost. Checked before each call."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.query.query import Reply, Usage
from backend.domain.refusal import Refusal


class Spending(Struct, frozen=True, kw_only=True):
    """Requests to a model's server, tokens in and out as the provider counted, and their price where known.

    A planner that computes costs nothing and counts for nothing.
    """

    calls: int = 0
    tokens: int = 0
    money_usd: float = 0.0


class Allowance(Struct, frozen=True, kw_only=True):
    """The most that may be spent; money None: no bound in money."""

    calls: int
    tokens: int
    money_usd: float | None = None


class Purse:
    """For one what-if. `counts` False: the planner computes, or answers what was answered before, so that
    nothing is spent. `tell` hears what was spent after each answer."""

    def __init__(
        self, allowance: Allowance, *, counts: bool = True, tell: Callable[[Spending], None] = lambda _: None
    ) -> None:
        self._allowance = allowance
        self._counts = counts
        self._tell = tell
        self.spent = Spending()

    def refuse(self) -> Refusal | None:
        return refuse_spent(self._allowance, self.spent) if self._counts else None

    def pay(self, reply: Reply) -> None:
        if self._counts:
            self.spent = replace(
                self.spent,
                calls=self.spent.calls + len(reply.attempts),
                tokens=self.spent.tokens + sum(tokens_of(attempt.usage) for attempt in reply.attempts),
                money_usd=self.spent.money_usd + sum(attempt.cost_usd or 0.0 for attempt in reply.attempts),
            )
        self._tell(self.spent)


def refuse_spent(allowance: Allowance, spent: Spending) -> Refusal | None:
    """Before a call: why there is none left."""
    for name, allowed, used in (
        ("calls", allowance.calls, spent.calls),
        ("tokens", allowance.tokens, spent.tokens),
        ("US dollars", allowance.money_usd, spent.money_usd),
    ):
        if allowed is not None and used >= allowed:
            return Refusal(
                "budget",
                f"What-ifs have no {name} left: {used:,g} of {allowed:,g} are spent.",
                "Wait for those of a day ago to lapse, or raise the bound in the settings.",
            )
    return None


def left_of(allowance: Allowance, spent: Spending) -> Allowance:
    money = allowance.money_usd
    return Allowance(
        calls=max(0, allowance.calls - spent.calls),
        tokens=max(0, allowance.tokens - spent.tokens),
        money_usd=None if money is None else max(0.0, money - spent.money_usd),
    )


def tokens_of(usage: Usage) -> int:
    """As the provider counted; 0 where it did not."""
    if usage.total_tokens is not None:
        return usage.total_tokens
    return (usage.input_tokens or 0) + (usage.output_tokens or 0)
