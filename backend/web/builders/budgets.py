"""What an episode has used of its budgets by now."""

from __future__ import annotations

from backend.domain.episode.state import State
from backend.web.pages import figures
from backend.web.pages.exchange import BudgetLine

LOW = 0.9
"""From this share of a budget on, it is said in colour."""


def budget_lines(state: State) -> tuple[BudgetLine, ...]:
    spent, allowed = state.spent, state.mission.budgets
    return (
        _line("Calls", spent.decisions, allowed.decisions),
        _line("Tokens", spent.tokens, allowed.tokens),
        _line("Known cost", spent.money_usd, allowed.money_usd),
        _line("Steps", spent.steps, allowed.steps),
    )


def _line(label: str, spent: float, allowed: float | None) -> BudgetLine:
    written = figures.cost if label == "Known cost" else lambda number: figures.count(int(number))
    if allowed is None:
        return BudgetLine(label=label, text=f"{written(spent)}, no bound", share=None)
    share = min(1.0, spent / allowed) if allowed else 1.0
    return BudgetLine(
        label=label,
        text=f"{written(spent)} of {written(allowed)}",
        share=share,
        tone="caution" if share >= LOW else "quiet",
    )
