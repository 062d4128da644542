"""The newest exchange with the planner: each attempt with its verdicts and costs, and the text of both
sides."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from backend.domain.episode import events as e
from backend.domain.plans.findings import Finding
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.exchange import (
    AttemptRow,
    CodeView,
    ExchangePanel,
    Pane,
    TimeShare,
    Totals,
    json_tokens,
)
from backend.web.pages.parts import Empty, Mark, plain

KINDS = ("plan.requested", "exchange.recorded", "plan.refused", "plan.proposed")
"""From the first request of a decision up to the cursor."""


class _Try(Struct, kw_only=True):
    """One request of a decision, its exchanges with the provider, and what the validator said."""

    asked: e.PlanRequested
    entries: list[Entry]
    findings: tuple[Finding, ...] = ()
    failure: str = ""
    is_valid: bool = False
    is_judged: bool = False


def exchange_panel(moment: Moment, entries: Sequence[Entry], chosen: str) -> ExchangePanel:
    """`entries` of `KINDS`. `chosen`: the attempt's number, or "2:request" for one of its texts."""
    rows = list(_rows(_tries(entries)))
    if not rows:
        asked = any(isinstance(entry.recorded.event, e.PlanRequested) for entry in entries)
        return ExchangePanel(episode=moment.episode, at=moment.at, decision=None, empty=_empty(asked))
    number, _, pane = chosen.partition(":")
    index = int(number) - 1 if number.isdecimal() and 0 < int(number) <= len(rows) else len(rows) - 1
    scale_s = _scale_s([_latency_s(entry) for _, entry in rows])
    recorded = [_recorded(entry) for _, entry in rows]
    decision = recorded[-1].decision
    return ExchangePanel(
        episode=moment.episode,
        at=moment.at,
        decision=decision,
        caption=f"Attempts of call {decision}",
        scale=f"Time, 0 to {scale_s:g} s",
        attempts=tuple(_row(i, rows, scale_s, i == index) for i in range(len(rows))),
        totals=_totals(rows) if len(rows) > 1 else None,
        left=_sent(index, rows[index], pane),
        right=_answer(index, rows[index]),
    )


def attempts_of(entries: Sequence[Entry]) -> int:
    return sum(isinstance(entry.recorded.event, e.ExchangeRecorded) for entry in entries)


def model_of(entries: Sequence[Entry]) -> str:
    models = [_recorded(entry).exchange.model for _, entry in _rows(_tries(entries))]
    return models[-1] if models else ""


def _tries(entries: Sequence[Entry]) -> list[_Try]:
    """The requests of the newest decision, in order."""
    tries: list[_Try] = []
    for entry in entries:
        event = entry.recorded.event
        if isinstance(event, e.PlanRequested):
            if event.attempt == 1:
                tries.clear()
            tries.append(_Try(asked=event, entries=[]))
        elif not tries:
            continue
        elif isinstance(event, e.ExchangeRecorded):
            tries[-1].entries.append(entry)
        elif isinstance(event, e.PlanRefused):
            tries[-1].findings, tries[-1].failure, tries[-1].is_judged = event.findings, event.failure, True
        elif isinstance(event, e.PlanProposed) and entry.recorded.actor == "planner":
            tries[-1].is_valid = tries[-1].is_judged = True
    return tries


def _rows(tries: Sequence[_Try]) -> Iterator[tuple[_Try, Entry]]:
    for attempt in tries:
        for entry in attempt.entries:
            yield attempt, entry


def _recorded(entry: Entry) -> e.ExchangeRecorded:
    assert isinstance(entry.recorded.event, e.ExchangeRecorded)
    return entry.recorded.event


def _row(index: int, rows: list[tuple[_Try, Entry]], scale_s: float, is_open: bool) -> AttemptRow:
    attempt, entry = rows[index]
    exchange, latency_s = _recorded(entry).exchange, _latency_s(entry)
    usage = exchange.usage
    is_last = entry is attempt.entries[-1]
    return AttemptRow(
        number=index + 1,
        label="Ask" if attempt.asked.attempt == 1 and entry is attempt.entries[0] else _label(attempt),
        reply=_reply(exchange.verdict, exchange.detail),
        plan=_judged(attempt) if is_last else Mark(icon="idle", text=(plain("Not read"),)),
        tokens_in=_count(usage.input_tokens),
        cached=_count(usage.cached_tokens),
        tokens_out=_count(usage.output_tokens),
        reasoning=_count(usage.reasoning_tokens),
        latency=f"{latency_s:.2f} s" if latency_s is not None else figures.NONE,
        cost=figures.cost(exchange.cost_usd) if exchange.cost_usd is not None else figures.NONE,
        times=()
        if latency_s is None
        else (TimeShare(kind="total", start=0.0, share=min(1.0, latency_s / scale_s)),),
        is_open=is_open,
    )


def _label(attempt: _Try) -> str:
    return "Repair" if attempt.asked.attempt > 1 else "Ask again"


_REPLIES = {
    "refusal": "Refused to answer",
    "incomplete": "Cut short",
    "invalid_json": "No JSON",
    "invalid_schema": "Wrong shape",
    "failed": "Failed",
    "api_error": "Provider error",
    "timeout": "Timed out",
    "missing": "Not recorded",
}


def _reply(verdict: str, detail: str) -> Mark:
    if verdict == "ok":
        return Mark(icon="ok", text=(plain("Enforced"),))
    return Mark(icon="bad", text=(plain(_REPLIES.get(verdict, verdict)),), tone="alarm")


def _judged(attempt: _Try) -> Mark:
    if attempt.is_valid:
        return Mark(icon="ok", text=(plain("Valid"),))
    if attempt.findings:
        return Mark(
            icon="warn", text=(plain(words.counted(len(attempt.findings), "finding")),), tone="caution"
        )
    return Mark(icon="idle", text=(plain("Not read" if attempt.is_judged else "Pending"),))


def _totals(rows: list[tuple[_Try, Entry]]) -> Totals:
    exchanges = [_recorded(entry).exchange for _, entry in rows]
    usages = [exchange.usage for exchange in exchanges]
    costs = [exchange.cost_usd for exchange in exchanges]
    latencies = [_latency_s(entry) for _, entry in rows]
    return Totals(
        label="Both" if len(rows) == 2 else f"All {len(rows)}",
        tokens_in=_count(_sum([usage.input_tokens for usage in usages])),
        cached=_count(_sum([usage.cached_tokens for usage in usages])),
        tokens_out=_count(_sum([usage.output_tokens for usage in usages])),
        reasoning=_count(_sum([usage.reasoning_tokens for usage in usages])),
        latency=figures.NONE if (all_s := _sum(latencies)) is None else f"{all_s:.2f} s",
        cost=figures.NONE if (cost := _sum(costs)) is None else figures.cost(cost),
    )


def _sum(values: Sequence[Any]) -> Any:
    """None as soon as one is not known: a sum of some would pass for the sum of all."""
    return None if any(value is None for value in values) else sum(values)


def _sent(index: int, row: tuple[_Try, Entry], pane: str) -> CodeView | None:
    attempt, entry = row
    exchange = _recorded(entry).exchange
    findings = attempt.asked.findings
    shows_findings = bool(findings) and pane != "request"
    if not findings and not exchange.request:
        return None
    name = f"{index + 1}:"
    choices = (
        Pane(name=f"{name}findings", label="Findings", is_open=shows_findings),
        Pane(name=f"{name}request", label="Request", is_open=not shows_findings),
    )
    if shows_findings:
        text = json.dumps([to_builtins(finding) for finding in findings], indent=2, ensure_ascii=False)
        return CodeView(
            title="Findings sent back" if len(findings) > 1 else "Finding sent back",
            digest="",
            tokens=json_tokens(text),
            choices=choices,
        )
    return CodeView(
        title="Request",
        digest=figures.digest(exchange.request_digest),
        tokens=json_tokens(_pretty(exchange.request)),
        choices=choices if findings else (),
    )


def _answer(index: int, row: tuple[_Try, Entry]) -> CodeView:
    attempt, entry = row
    exchange = _recorded(entry).exchange
    bad = frozenset(_quoted(finding.message) for finding in attempt.findings)
    text = _pretty(exchange.response) if exchange.response else exchange.detail or "Nothing came back."
    return CodeView(title=f"Answer, attempt {index + 1}", digest="", tokens=json_tokens(text, bad - {""}))


def _quoted(message: str) -> str:
    """The value that a finding quotes, as it stands in the answer."""
    parts = message.split("'")
    return parts[1] if len(parts) > 2 else ""


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _latency_s(entry: Entry) -> float | None:
    meta = entry.recorded.meta or {}
    value = meta.get("latency_s")
    return float(value) if isinstance(value, int | float) else None


def _scale_s(latencies_s: Sequence[float | None]) -> float:
    """The next of 1, 2, 5, 10, 20, … seconds that holds the longest."""
    longest_s = max((latency_s for latency_s in latencies_s if latency_s is not None), default=0.0)
    decade = 10.0 ** math.floor(math.log10(longest_s)) if longest_s >= 1 else 1.0
    return next(decade * factor for factor in (1, 2, 5, 10) if decade * factor >= longest_s)


def _count(number: int | None) -> str:
    return figures.NONE if number is None else figures.count(number)


def _empty(asked: bool) -> Empty:
    if asked:
        return Empty(title="No exchange", text="The plan came without a model being asked.")
    return Empty(title="No exchange yet", text="The planner has not been asked.")
