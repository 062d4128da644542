"""Approvals that wait, with all that a yes to them rests on."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.command.approval import Pins
from backend.domain.command.conn import held_at
from backend.domain.episode.state import State
from backend.domain.plans.plan import describe
from backend.web.builders.moment import waits_for_approval


class Waiting(Struct, frozen=True, kw_only=True):
    """An approval that waits, with what a decision on it names: `approval_id` and the two digests.

    `pins`: all that the yes rests on, and what `pins_digest` is the digest of: the plan, the version of each
    field that it depends on, site, skills, what is held, the risks. `policy_digest`: who is asked, as it is.
    """

    episode: str
    approval_id: str
    plan_digest: str
    pins_digest: str
    pins: Pins
    policy_digest: str
    first_step: int
    last_step: int
    asked_seq: int
    plan_number: int
    steps: tuple[str, ...]
    rationale: str
    risks: tuple[str, ...]
    expires_s: float | None
    conn: str | None


class Approvals(Struct, frozen=True, kw_only=True):
    """What waits for a person in any episode."""

    approvals: tuple[Waiting, ...]


def waiting_of(state: State, now_s: float) -> Waiting | None:
    approval, plan = state.approval, state.plan
    if approval is None or plan is None or not waits_for_approval(state):
        return None
    held = held_at(state.conn, now_s)
    return Waiting(
        episode=state.episode,
        approval_id=approval.id,
        plan_digest=approval.pins.plan_digest,
        pins_digest=approval.pins_digest,
        pins=approval.pins,
        policy_digest=state.policy.digest,
        first_step=approval.first_step,
        last_step=approval.last_step,
        asked_seq=approval.asked_seq,
        plan_number=approval.plan_number,
        steps=tuple(describe(step) for step in plan.steps[approval.first_step : approval.last_step + 1]),
        rationale=plan.rationale,
        risks=tuple(risk.message for risk in approval.pins.risks),
        expires_s=approval.expires_s,
        conn=held.holder if held is not None else None,
    )
