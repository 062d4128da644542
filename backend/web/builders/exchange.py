"""An exchange with the planner: each attempt with its verdicts and costs, and the text of both sides."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from backend.domain.episode import events as e
from backend.domain.plans.findings import Finding
from backend.domain.plans.plan import Step
from backend.domain.query.query import Attempt
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.budgets import budget_lines
from backend.web.builders.calls import Call
from backend.web.builders.chosen import Chosen, read_chosen
from backend.web.builders.exchange_panes import Said, sides
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.exchange import AttemptRow, ExchangePanel, TimeShare, Totals
from backend.web.pages.parts import Empty, Mark, plain

KINDS = ("plan.requested", "exchange.recorded", "plan.refused", "plan.proposed")
"""From the first request of a decision up to the next one or the cursor."""


class _Try(Struct, kw_only=True):
    """One request of a decision, its exchanges with the provider, and what the validator said."""

    asked: e.PlanRequested
    entries: list[Entry]
    findings: tuple[Finding, ...] = ()
    failure: str = ""
    steps: tuple[Step, ...] | None = None
    rationale: str = ""
    is_valid: bool = False
    is_judged: bool = False


def exchange_panel(moment: Moment, call: Call | None, chosen: str) -> ExchangePanel:
    """`chosen`: the attempt's number, "2:request" for one of its texts, "118.2" in the call of that seq."""
    budgets = budget_lines(moment.state)
    rows = list(_rows(_tries(call.exchanges))) if call is not None else []
    if call is None or not rows:
        return ExchangePanel(
            episode=moment.episode,
            at=moment.at,
            decision=call.sent.decision if call is not None else None,
            budgets=budgets,
            earlier=_other(call.earlier if call is not None else None),
            later=_other(call.later if call is not None else None),
            asked_at=call.request.recorded.seq if call is not None else None,
            empty=_empty(call is not None),
        )
    asked = read_chosen(chosen)
    number = asked.part if asked.part is not None and 0 < asked.part <= len(rows) else len(rows)
    open_row = rows[number - 1]
    scale_s = _scale_s([_latency_s(entry) for _, entry in rows])
    decision = _recorded(open_row[1]).decision
    left, right = sides(number, _said_in(open_row), asked)
    return ExchangePanel(
        episode=moment.episode,
        at=moment.at,
        decision=decision,
        caption=f"Attempts of call {decision}",
        scale=f"Time, 0 to {scale_s:g} s",
        attempts=tuple(_row(index, rows, scale_s, asked, index == number - 1) for index in range(len(rows))),
        totals=_totals(rows) if len(rows) > 1 else None,
        said=_became(open_row),
        facts=_facts(open_row[1]),
        budgets=budgets,
        left=left,
        right=right,
        earlier=_other(call.earlier),
        later=_other(call.later),
        newest=str(number) if call.later is not None else "",
        asked_at=call.request.recorded.seq,
    )


def _other(seq: int | None) -> str:
    return f"{seq}." if seq is not None else ""


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
            tries[-1].steps = event.steps or None
        elif isinstance(event, e.PlanProposed) and entry.recorded.actor == "planner":
            tries[-1].is_valid = tries[-1].is_judged = True
            tries[-1].steps, tries[-1].rationale = event.plan.steps, event.plan.rationale
    return tries


def _rows(tries: Sequence[_Try]) -> Iterator[tuple[_Try, Entry]]:
    for attempt in tries:
        for entry in attempt.entries:
            yield attempt, entry


def _recorded(entry: Entry) -> e.ExchangeRecorded:
    assert isinstance(entry.recorded.event, e.ExchangeRecorded)
    return entry.recorded.event


def _row(
    index: int, rows: list[tuple[_Try, Entry]], scale_s: float, asked: Chosen, is_open: bool
) -> AttemptRow:
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
        chosen=asked.text(index + 1),
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


def _said_in(row: tuple[_Try, Entry]) -> Said:
    """Only the last of several tries was judged; those before it came to nothing."""
    attempt, entry = row
    if entry is not attempt.entries[-1]:
        return Said(asked=attempt.asked, exchange=_recorded(entry).exchange)
    return Said(
        asked=attempt.asked,
        exchange=_recorded(entry).exchange,
        findings=attempt.findings,
        steps=attempt.steps,
        rationale=attempt.rationale,
    )


def _became(row: tuple[_Try, Entry]) -> Mark | None:
    """What the verdicts of the open attempt do not say in two words: refusal, truncation, error, failure."""
    attempt, entry = row
    exchange = _recorded(entry).exchange
    failure = attempt.failure if entry is attempt.entries[-1] else ""
    text = exchange.detail or failure
    if not text:
        return None
    return Mark(
        icon="bad", text=(plain(f"{_REPLIES.get(exchange.verdict, 'Refused')}. {text}"),), tone="alarm"
    )


def _facts(entry: Entry) -> tuple[str, ...]:
    exchange, meta = _recorded(entry).exchange, entry.recorded.meta or {}
    retries = meta.get("retries")
    ids = {"request": meta.get("request_id"), "response": meta.get("response_id")}
    facts = [exchange.model, f"{exchange.api} interface" if exchange.api else ""]
    facts += [f"{name} {value}" for name, value in ids.items() if isinstance(value, str) and value]
    if isinstance(retries, int):
        facts.append(
            f"after {words.counted(retries, 'failed try', 'failed tries')}" if retries else "first try"
        )
    facts.append(_priced(exchange))
    return tuple(fact for fact in facts if fact)


def _priced(exchange: Attempt) -> str:
    if exchange.cost_usd is None:
        return "no dated price is known for it" if exchange.usage.input_tokens is not None else ""
    return f"prices of {exchange.prices_as_of}" if exchange.prices_as_of else "by the price table of that day"


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
