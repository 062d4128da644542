"""Calls to a planner in one line each: verdict, tokens, cost, latency."""

from __future__ import annotations

from collections.abc import Iterator

from backend.domain.episode.events import ExchangeRecorded
from backend.persistence.projections.row import Passage, Row, row
from backend.persistence.tables.plans import exchanges


def rows(passage: Passage) -> Iterator[Row]:
    event = passage.recorded.event
    if not isinstance(event, ExchangeRecorded):
        return
    exchange, meta = event.exchange, passage.recorded.meta or {}
    values = {
        "decision": event.decision,
        "attempt": event.attempt,
        "number": event.number,
        "verdict": exchange.verdict,
        "detail": exchange.detail,
        "model": exchange.model,
        "api": exchange.api,
        "request_digest": exchange.request_digest,
        "input_tokens": exchange.usage.input_tokens,
        "cached_tokens": exchange.usage.cached_tokens,
        "output_tokens": exchange.usage.output_tokens,
        "reasoning_tokens": exchange.usage.reasoning_tokens,
        "total_tokens": exchange.usage.total_tokens,
        "cost_usd": exchange.cost_usd,
        "latency_s": meta.get("latency_s"),
    }
    yield row(exchanges, {**passage.anchor, **values})
