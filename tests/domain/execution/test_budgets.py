"""Budgets: what is used up has nothing left for another step or call."""

import pytest

from backend.domain.execution.budgets import Budgets, Spent, overrun

SMALL = Budgets(steps=10, decisions=5, tokens=1000, money_usd=0.5)

TABLE = {
    "something of each is left": (SMALL, Spent(steps=9, decisions=4, tokens=999, money_usd=0.49), None),
    "no step is left": (SMALL, Spent(steps=10), "steps budget used up: 10 of 10"),
    "no decision is left": (SMALL, Spent(decisions=5), "decisions budget used up: 5 of 5"),
    "no token is left": (SMALL, Spent(tokens=1200), "tokens budget used up: 1200 of 1000"),
    "no money is left": (SMALL, Spent(money_usd=0.5), "money_usd budget used up: 0.5 of 0.5"),
    "steps are told first": (SMALL, Spent(steps=10, tokens=1000), "steps budget used up: 10 of 10"),
    "a budget of nothing allows nothing": (Budgets(tokens=0), Spent(), "tokens budget used up: 0 of 0"),
    "no bound": (Budgets(steps=None, decisions=None, tokens=None), Spent(steps=10**9, tokens=10**9), None),
}


@pytest.mark.parametrize(("budgets", "spent", "told"), TABLE.values(), ids=TABLE.keys())
def test_overruns(budgets: Budgets, spent: Spent, told: str | None) -> None:
    over = overrun(budgets, spent)

    assert (None if over is None else str(over)) == told


def test_the_defaults_are_the_design_s() -> None:
    assert (Budgets().steps, Budgets().decisions, Budgets().tokens) == (1300, 80, 1_500_000)
