"""What a what-if will cost, before anything is asked: calls, tokens, money.

Tokens in are the blocks that will be sent, by the count of the episode's own calls where a provider counted
them; tokens out are the mean of what was answered there, else a guess that says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

from backend.domain.digests import digest
from backend.domain.refusal import Refusal
from backend.sandbox.calls import Call
from backend.sandbox.change import Asked
from backend.sandbox.purse import Allowance

GUESSED_OUT = 800
"""Tokens of an answer where none was counted: a plan of five steps with its reasons, and some thought."""

Price = Callable[[int, int], float | None]
"""(tokens in, tokens out) of one call -> US dollars, or None where the model has no dated price."""


class Estimate(Struct, frozen=True, kw_only=True):
    """`calls`: expected; as many again may come for repairs. `is_guess`: no provider counted answers here.

    `money_usd` None: no dated price is known. `asks_model` False: the planner computes, and nothing is spent.
    """

    asks_model: bool
    calls: int
    tokens_in: int
    tokens_out: int
    money_usd: float | None
    prices_as_of: str = ""
    is_guess: bool = False

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


NOTHING = Estimate(asks_model=False, calls=0, tokens_in=0, tokens_out=0, money_usd=0.0)


def estimate(
    calls: Sequence[Call], sizes: Sequence[int], rest: Sequence[Call], price: Price, as_of: str
) -> Estimate:
    """`calls` are asked again, with queries of `sizes` tokens; `rest`: those that followed the first of them,
    of which a run to its end is taken to ask as many."""
    known = [*calls, *rest]
    factor = _counted_in(known)
    out, is_guess = _counted_out(known)
    asked = [*sizes, *(sum(block.size for block in call.blocks) for call in rest)]
    tokens_in, tokens_out = round(factor * sum(asked)), out * len(asked)
    each_usd = price(math.ceil(tokens_in / len(asked)), out)
    return Estimate(
        asks_model=True,
        calls=len(asked),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        money_usd=None if each_usd is None else each_usd * len(asked),
        prices_as_of=as_of,
        is_guess=is_guess,
    )


def refuse_estimate(found: Estimate, left: Allowance) -> Refusal | None:
    """Why a what-if of this size may not begin."""
    if not found.asks_model:
        return None
    for name, needed, has in (
        ("calls", found.calls, left.calls),
        ("tokens", found.tokens, left.tokens),
        ("US dollars", found.money_usd or 0.0, left.money_usd),
    ):
        if has is not None and needed > has:
            return Refusal(
                "budget",
                f"It takes about {needed:,g} {name}, and what-ifs have {has:,g} left of a day's.",
                "Ask fewer calls, do not run on, or wait.",
            )
    return None


def shown_digest(asked: Asked, found: Estimate) -> str:
    """Of what a page showed: only that may be started."""
    return digest([asked, found])[:16]


def _counted_in(calls: Sequence[Call]) -> float:
    """Tokens that the provider counted for one of ours, instructions and schema included."""
    ours = theirs = 0
    for call in calls:
        size = sum(block.size for block in call.blocks)
        counted = [attempt.usage.input_tokens for attempt in call.attempts[:1]]
        if size and counted and counted[0]:
            ours, theirs = ours + size, theirs + counted[0]
    return theirs / ours if ours else 1.5


def _counted_out(calls: Sequence[Call]) -> tuple[int, bool]:
    counted = [a.usage.output_tokens for call in calls for a in call.attempts if a.usage.output_tokens]
    return (round(sum(counted) / len(counted)), False) if counted else (GUESSED_OUT, True)
