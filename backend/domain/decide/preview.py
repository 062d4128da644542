"""How often a policy would have asked, had it been in force: an episode replayed through the same pure rules.

What was played stays as it was: the plans, the order of steps, what was believed at each. Only who would have
been asked is counted anew, so the answer is exact for what happened and a guess for what would have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

from backend.domain.command.policy import Policy, Risk
from backend.domain.decide.approving import asks_nobody, risks_of
from backend.domain.episode.events import ApprovalConsumed, ApprovalRequested, Recorded, StepDispatched
from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.domain.plans.plan import Plan


class Occasion(Struct, frozen=True):
    """A moment at which a policy has a say. `plan`: a plan is to begin, or to go on after a hold; `step`:
    another step of it is to go. `state` is the one before it."""

    kind: Literal["plan", "step"]
    state: State
    plan: Plan
    index: int
    met_s: float


class Preview(Struct, frozen=True, kw_only=True):
    """`asked`: how often, in episodes of so many `plans`. `reasons`: how often each rule was among them."""

    asked: int = 0
    plans: int = 0
    reasons: Mapping[str, int] = {}


def occasions(events: Iterable[Recorded]) -> tuple[Occasion, ...]:
    """Those of one episode, from its journal. A question put again only because the policy of the day was
    stricter is none of its own."""
    found: list[Occasion] = []
    state: State | None = None
    begun: int | None = None
    for recorded in events:
        event = recorded.event
        if state is not None and state.plan is not None:
            plan = state.plan
            if isinstance(event, ApprovalRequested) and begun != plan.number:
                found.append(Occasion("plan", state, plan, event.approval.first_step, recorded.met_s))
                begun = plan.number
            elif isinstance(event, StepDispatched) and found and found[-1].index != event.index:
                found.append(Occasion("step", state, plan, event.index, recorded.met_s))
            elif isinstance(event, ApprovalConsumed):
                begun = None
        state = evolve(state, recorded)
    return tuple(found)


def preview(policy: Policy, episodes: Iterable[tuple[Occasion, ...]]) -> Preview:
    asked = plans = 0
    reasons: Counter[str] = Counter()
    for episode in episodes:
        shown: frozenset[object] = frozenset()
        for occasion in episode:
            plans += occasion.kind == "plan"
            shown = frozenset() if occasion.kind == "plan" else shown
            found = _found(policy, occasion)
            new = [risk for risk in found if risk.subject not in shown]
            if _asks(policy, occasion, new):
                asked += 1
                reasons.update({risk.rule for risk in new})
            shown |= {risk.subject for risk in found}
    return Preview(asked=asked, plans=plans, reasons=dict(reasons))


def _found(policy: Policy, occasion: Occasion) -> tuple[Risk, ...]:
    last = occasion.index if policy.mode == "every_skill" else len(occasion.plan.steps) - 1
    return risks_of(occasion.state, policy, occasion.plan, occasion.index, last, occasion.met_s)


def _asks(policy: Policy, occasion: Occasion, new: list[Risk]) -> bool:
    """A plan is asked about by the policy's mode; a later step where each is, or where a risk is new."""
    if policy.mode == "every_skill":
        return True
    if occasion.kind == "step":
        return policy.mode != "auto" and bool(new)
    return not asks_nobody(policy, tuple(new))
