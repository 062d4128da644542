"""What asking a model came to in an episode: calls, tokens as the provider counted them, latency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backend.domain.episode.events import ExchangeRecorded, PlanRefused, PlanRequested, Recorded
from backend.domain.episode.state import State
from backend.domain.query.query import Attempt

UNANSWERED = frozenset({"api_error", "timeout", "failed", "missing"})
"""Verdicts on a request that no model answered, so that nobody counted its tokens."""

PARTS = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")


def measures_of(state: State, journal: Sequence[Recorded]) -> dict[str, float]:
    """Sums over the episode, and the mean seconds of an answered request (section V-B).

    `model_calls`: questions put to the planner, repairs among them. `requests`: what went over the wire,
    retries among them. `query_size`: the text of the blocks, by ceil(characters / 4). What the provider left
    uncounted in any answer is left out: part of a sum is none.
    """
    events = [recorded.event for recorded in journal]
    exchanges = [(e.event.exchange, e.meta) for e in journal if isinstance(e.event, ExchangeRecorded)]
    answers = [(attempt, meta) for attempt, meta in exchanges if attempt.verdict not in UNANSWERED]
    asked = [event for event in events if isinstance(event, PlanRequested)]
    counted = {
        "deliveries": len(state.delivered),
        "model_calls": len(asked),
        "requests": len(exchanges),
        "refused_plans": sum(isinstance(event, PlanRefused) for event in events),
        "query_size": sum(block.size for event in asked for block in event.blocks),
    }
    return {
        **{name: float(value) for name, value in counted.items()},
        **_tokens([attempt for attempt, _ in answers]),
        **_latency([meta for _, meta in answers]),
    }


def _tokens(answers: Sequence[Attempt]) -> dict[str, float]:
    sums = {name: _sum([getattr(each.usage, name) for each in answers]) for name in PARTS}
    sums["total_tokens"] = _sum([_total(each) for each in answers])
    sums["cost_usd"] = _sum([each.cost_usd for each in answers])
    return {name: value for name, value in sums.items() if value is not None}


def _total(answer: Attempt) -> int | None:
    usage = answer.usage
    if usage.total_tokens is not None or usage.input_tokens is None or usage.output_tokens is None:
        return usage.total_tokens
    return usage.input_tokens + usage.output_tokens


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(sum(known)) if known and len(known) == len(values) else None


def _latency(metas: Sequence[Any]) -> dict[str, float]:
    taken_s = [float(meta["latency_s"]) for meta in metas if meta is not None and "latency_s" in meta]
    return {"latency_s": sum(taken_s) / len(taken_s)} if taken_s else {}
