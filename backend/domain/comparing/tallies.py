"""What an episode came to by a moment, in figures."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from backend.domain.comparing.facts import Course, Fact
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Result
from backend.domain.memory.evidence import Verdict


class Figures(Struct, frozen=True, kw_only=True):
    """`steps`: executed skills; `world_steps`: steps of the world's clock. `shown_mean`: records a call.
    `replans`: cause -> how often. `tokens` and `money_usd` are 0 where no model was asked."""

    met_s: float
    delivered: int
    total: int
    steps: int
    failed: int
    world_steps: int
    path_m: float
    stale_visits: int
    calls: int
    shown_mean: float | None
    context_units: int
    tokens: int
    money_usd: float
    plans: int
    replans: Mapping[str, int]
    refusals: int
    evidence: int
    refused_evidence: int


def figures_of(course: Course, state: State) -> Figures:
    """`state`: of the same episode, at the moment that is told."""
    asked = course.asked[: _until(course.asked, state.seq)]
    heard = course.heard[: _until(course.heard, state.seq)]
    did = course.did[: _until(course.did, state.seq)]
    replans = Counter([each.cause.kind for each in asked if each.cause.is_replan])
    return Figures(
        met_s=state.met_s,
        delivered=len(state.delivered),
        total=state.mission.total,
        steps=len(did),
        failed=sum(each.outcome.result in (Result.FAILED, Result.NOT_EXECUTED) for each in did),
        world_steps=state.spent.steps,
        path_m=state.tally.path_m,
        stale_visits=state.tally.stale_visits,
        calls=state.spent.decisions,
        shown_mean=sum(each.count for each in asked) / len(asked) if asked else None,
        context_units=state.tally.context_units,
        tokens=state.spent.tokens,
        money_usd=state.spent.money_usd,
        plans=state.plans,
        replans=dict(sorted(replans.items())),
        refusals=state.tally.refusals,
        evidence=len(heard),
        refused_evidence=sum(each.verdict is Verdict.REFUSED for each in heard),
    )


def _until(facts: Sequence[Fact], seq: int) -> int:
    return bisect_right(facts, seq, key=lambda fact: fact.seq)
